package io.github.eventpoll.examples.guide;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.io.PrintStream;
import java.time.Duration;

/** How a wait ends without an event: time, a wakeup, an interrupt, the end of the poll. */
public final class Endings {
  private Endings() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws InterruptedException {
    run(System.out);
  }

  static void run(PrintStream out) throws InterruptedException {
    try (EventPoll poll = EventPoll.create()) {
      // snippet: endings
      ReadyEvents ready = new ReadyEvents(16);
      out.println("time is up: " + poll.await(ready, Duration.ofMillis(5)));

      poll.wakeup(); // nobody waits, so the next wait that would sleep returns at once
      out.println("woken: " + poll.await(ready));

      Thread.currentThread().interrupt();
      try {
        poll.await(ready);
      } catch (InterruptedException e) {
        out.println("interrupted, status " + Thread.currentThread().isInterrupted());
      }
      // end snippet
      interruptedWithAnEvent(poll, out);
      closed(poll, out);
    }
  }

  private static void interruptedWithAnEvent(EventPoll poll, PrintStream out)
      throws InterruptedException {
    try (EventFd counter = EventFd.create(1)) {
      // snippet: interrupted-with-an-event
      poll.add(counter, Events.IN);
      ReadyEvents ready = new ReadyEvents(16);
      Thread.currentThread().interrupt();
      out.println("events: " + poll.await(ready) + ", status " + Thread.interrupted());
      // end snippet
    }
  }

  private static void closed(EventPoll poll, PrintStream out) throws InterruptedException {
    // snippet: closed
    poll.close();
    try {
      poll.await(new ReadyEvents(16));
    } catch (ClosedEventPollException e) {
      out.println("closed: " + e.errno());
    }
    // end snippet
  }
}
