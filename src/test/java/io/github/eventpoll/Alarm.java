package io.github.eventpoll;

import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.testkit.VirtualTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The smallest source that needs its waiters to keep time: rings once when its instant has come,
 * and counts how often it was asked to and how often it did.
 */
final class Alarm implements Pollable {
  private final Clock clock;
  private final AtomicLong deadline = new AtomicLong(Clock.NEVER);
  private final WaitQueue queue;
  private volatile boolean ringing;
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger rung = new AtomicInteger();

  Alarm(VirtualTime time) {
    clock = time.poll().clock;
    queue = (WaitQueue) Bridge.get().queueWithDemand(new Ring());
  }

  /** Shall ring so many nanoseconds from now. */
  Alarm in(long nanos) {
    deadline.set(clock.after(nanos));
    Bridge.get().demandChanged(queue);
    return this;
  }

  /** Shall not ring. */
  void off() {
    deadline.set(Clock.NEVER);
    Bridge.get().demandChanged(queue);
  }

  /** Publishes an instant and leaves it to the caller to tell the waiters. */
  void publish(long nanos) {
    deadline.set(clock.after(nanos));
  }

  void quiet() {
    ringing = false;
  }

  @Override
  public int readiness() {
    return ringing ? Events.IN : 0;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  private final class Ring implements Demand {
    @Override
    public long nearestDeadline() {
      return deadline.get();
    }

    @Override
    public void expire(long now) {
      asked.getAndIncrement();
      long due = deadline.get();
      if (due <= now && deadline.compareAndSet(due, Clock.NEVER)) {
        rung.getAndIncrement();
        ringing = true;
        queue.wake(Events.IN);
      }
    }

    @Override
    public Clock clock() {
      return clock;
    }
  }
}
