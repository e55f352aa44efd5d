package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.EventFd;
import java.io.PrintStream;

/** What goes wrong, and how it is told: refused calls, and a source that throws. */
public final class Failures {
  private Failures() {}

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
    refused(out);
    thrown(out);
  }

  private static void refused(PrintStream out) {
    // snippet: refused
    try (EventFd counter = EventFd.create();
        EventPoll poll = EventPoll.create()) {
      poll.add(counter, Events.IN);
      try {
        poll.add(counter, Events.OUT); // another tag would make it a second registration
      } catch (EventPollStateException e) {
        out.println("at this time: " + e.errno());
      }
      try {
        poll.add(poll, Events.IN);
      } catch (EventPollArgumentException e) {
        out.println("at no time: " + e.errno());
      }
    }
    // end snippet
  }

  /** Can be asked as long as it is not broken. */
  private static final class Meter implements Pollable {
    private final WaitQueue queue = new WaitQueue();
    private volatile boolean broken;

    @Override
    public int readiness() {
      if (broken) {
        throw new IllegalStateException("the meter is broken");
      }
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }

    void breakDown() {
      broken = true;
      queue.wake(Events.IN);
    }
  }

  private static void thrown(PrintStream out) throws InterruptedException {
    Meter meter = new Meter();
    // snippet: thrown
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(meter, Events.IN);
      meter.breakDown(); // from now on it throws when it is asked whether it is ready

      ReadyEvents ready = new ReadyEvents(16);
      poll.await(ready);
      out.println(Events.toString(ready.events(0)) + ": " + item.failure());
      out.println("asked again: " + item.isArmed()); // not before item.modify(...)
    }
    // end snippet
  }
}
