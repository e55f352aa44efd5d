package io.github.eventpoll.examples;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.ReadyEvents;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** A thread that waits on a poll and does what is attached to the items that have events. */
final class Worker {
  /** Attached to the source that ends the workers. */
  static final Runnable END = () -> {};

  private final Thread thread;
  private final EventPoll poll;
  private final PrintStream out;

  // Written by the worker only; read by others when it has ended.
  private long waits;
  private long events;
  private long parks;
  private long failures;

  Worker(String name, EventPoll poll, PrintStream out) {
    this.thread = new Thread(this::run, name);
    this.poll = poll;
    this.out = out;
  }

  void start() {
    thread.start();
  }

  private void run() {
    ReadyEvents ready = new ReadyEvents(8);
    boolean more = true;
    while (more) {
      int found = poll.awaitUninterruptibly(ready);
      waits++;
      events += found;
      for (int i = 0; i < found; i++) {
        Runnable action = (Runnable) ready.attachment(i);
        more &= action != END;
        perform(action);
      }
    }
    long id = Thread.currentThread().getId();
    parks = ManagementFactory.getThreadMXBean().getThreadInfo(id).getWaitedCount();
  }

  private void perform(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      failures++;
      e.printStackTrace(out);
    }
  }

  /** Waits for the thread to end; false if it did not in time. */
  boolean join(Duration limit) throws InterruptedException {
    thread.join(limit.toMillis());
    return !thread.isAlive();
  }

  long waits() {
    return waits;
  }

  long events() {
    return events;
  }

  /** How often the JVM has parked the thread, for events or for a lock. */
  long parks() {
    return parks;
  }

  long failures() {
    return failures;
  }
}
