package io.github.eventpoll.examples.sources;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A semaphore that can be waited on together with other sources: ready while a permit is free. */
// snippet: permits
public final class Permits implements Pollable, AutoCloseable {
  private final WaitQueue queue = new WaitQueue();

  /** The whole state: one variable, changed by atomic operations only. */
  private final AtomicLong free = new AtomicLong();

  /** Adds permits. */
  public void release(int permits) {
    free.addAndGet(permits); // first the state
    queue.wakeOrdered(Events.IN); // then the ring, every time, with what has happened as its key
  }

  /** Takes a permit if one is free; never waits. */
  public boolean tryAcquire() {
    for (; ; ) {
      long seen = free.get();
      if (seen == 0) {
        return false;
      }
      if (free.compareAndSet(seen, seen - 1)) {
        return true; // less is free than before: nobody has to hear of that
      }
    }
  }

  @Override
  public int readiness() {
    return free.get() > 0 ? Events.IN : 0;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  @Override
  public void close() {
    queue.close();
  }

  // end snippet

  // snippet: acquire
  /** Takes a permit, and waits for one if need be. */
  public void acquire() throws InterruptedException {
    while (!tryAcquire()) {
      EventPoll.awaitOne(this, Events.IN, null);
    }
  }

  // end snippet

  @Override
  public String toString() {
    return "Permits[" + free + "]";
  }
}
