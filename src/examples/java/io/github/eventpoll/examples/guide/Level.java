package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.io.PrintStream;

/** Level-triggered watching: a source is reported for as long as it is ready. */
public final class Level {
  private Level() {}

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
    // snippet: level
    try (EventFd counter = EventFd.create();
        EventPoll poll = EventPoll.create()) {
      poll.add(counter, Events.IN);
      counter.write(3);

      ReadyEvents ready = new ReadyEvents(16);
      out.println("first wait: " + poll.await(ready));
      out.println("not read, so again: " + poll.await(ready));
      out.println("taken: " + counter.read());
      out.println("now: " + poll.awaitNow(ready));
    }
    // end snippet
  }
}
