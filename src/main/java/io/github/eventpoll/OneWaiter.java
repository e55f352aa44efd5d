package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Driver;
import java.lang.invoke.VarHandle;

/**
 * A thread that waits on one source without a poll of its own, as poll(2) does. Every wake whose
 * key it wants makes it look again; it uses no wake up (Linux: fs/select.c:do_poll).
 */
final class OneWaiter extends WaitEntry {
  private final Pollable source;
  private final WaitQueue queue;
  private final int mask;
  private final Clock clock;

  /** The thread's record; the same for the whole wait. */
  final Waiter waiter;

  private final Leading leading = new Leading();

  /** The driver that reports for the source if that is a channel; the thread's own. */
  private Seat[] ofChannel = Waiter.NOWHERE;

  private OneWaiter(Pollable source, WaitQueue queue, int mask) {
    this.source = source;
    this.queue = queue;
    this.mask = mask | Events.ALWAYS;
    this.clock = clockOf(source, queue);
    this.waiter = new Waiter(Thread.currentThread(), clock.sleeper());
  }

  static Clock clockOf(Pollable source, WaitQueue queue) {
    Demand demand = queue.demand;
    return demand == null ? Clock.system() : demand.clock();
  }

  /** Waits until the source is ready for something in the mask, or has closed, or the deadline. */
  static int await(Pollable source, WaitQueue queue, int mask, long deadline)
      throws InterruptedException {
    Registry.requireDrivable(source, queue, mask);
    OneWaiter entry = new OneWaiter(source, queue, mask);
    Driven driven = DrivenItems.of(queue);
    if ((driven != null && driven.ended()) || !queue.register(entry)) {
      throw new EventPollStateException(Errno.EBADF, source + " is closed");
    }
    try {
      if (driven != null) {
        Driver driver = driven.attach(entry, entry.mask, null);
        entry.ofChannel = new Seat[] {(Seat) driver.seat()};
      }
      return entry.loop(deadline);
    } finally {
      queue.unregister(entry);
      if (driven != null) {
        driven.detach(entry);
      }
      entry.waiter.becomeCandidate(Waiter.NOWHERE);
      entry.leading.release();
      for (Seat seat : entry.ofChannel) {
        seat.flushIfRequested();
      }
    }
  }

  private int loop(long deadline) throws InterruptedException {
    for (; ; ) {
      // MO-SLEEP-2: volatile store, then the source is asked. MO-PUB-1: it reads the kick as well
      waiter.beginLook();
      VarHandle.fullFence(); // and the registration, for sources with plain state: MO-ADD-1
      int ready = look();
      if (ready == 0 && deadline == Waiting.NOW && pass()) {
        ready = look();
      }
      if (ready != 0 || deadline == Waiting.NOW) {
        return ready;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Demand demand = queue.demand;
      long due = demand == null ? Clock.NEVER : demand.nearestDeadline();
      long until = Math.min(due, deadline);
      long now = until == Clock.NEVER ? 0 : clock.now();
      if (until == Clock.NEVER || now < until) {
        sleep(until, now);
      } else if (now >= deadline) {
        return look();
      }
    }
  }

  private void sleep(long until, long now) {
    Seat[] seats = seats();
    waiter.becomeCandidate(seats);
    leading.lead(waiter, seats);
    Seat led = leading.led();
    if (led != null) {
      Leading.sleep(waiter, led, clock, until, now);
    } else if (waiter.tryPark()) {
      clock.sleeper().park(source, until);
      waiter.awake();
    }
  }

  private Seat[] seats() {
    return source instanceof EventPoll poll ? poll.drivers.seats() : ofChannel;
  }

  private boolean pass() {
    for (Seat seat : seats()) {
      seat.pass();
    }
    return seats().length != 0;
  }

  private int look() {
    Demand demand = queue.demand;
    if (demand != null && demand.nearestDeadline() != Clock.NEVER) {
      demand.expire(clock.now());
    }
    if (queue.isClosed()) {
      return Events.HUP;
    }
    int ready = source.readiness() & mask;
    Driven driven = DrivenItems.of(queue);
    if (driven != null && ready != 0) {
      driven.delivered(this, ready); // level-triggered: what was told is used up
    } else if (driven != null) {
      driven.dropped(this);
    }
    return queue.isClosed() ? Events.HUP : ready;
  }

  @Override
  boolean exclusive() {
    return false;
  }

  @Override
  boolean woken(int key) {
    if (key == 0 || (key & mask) != 0) {
      waiter.kickAndWake();
    }
    return false;
  }

  @Override
  void queueClosed() {
    waiter.kickAndWake();
  }

  @Override
  void demandChanged() {
    waiter.kickAndWake();
  }

  @Override
  int wanted() {
    return mask;
  }
}
