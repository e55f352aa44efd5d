package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A thread that waits on one source without a poll of its own, as poll(2) does. Every wake whose
 * key it wants makes it look again; it uses no wake up (Linux: fs/select.c:do_poll).
 */
final class OneWaiter extends WaitEntry {
  private static final int LOOKING = 0;
  private static final int PARKED = 1;
  private static final int SIGNALLED = 2;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(OneWaiter.class, "word", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread thread = Thread.currentThread();
  private final Pollable source;
  private final WaitQueue queue;
  private final int mask;
  private final Clock clock;

  /** LOOKING, PARKED or SIGNALLED; CAS and exchange: MO-SLEEP-2. */
  @SuppressWarnings("unused") // through WORD only
  private volatile int word = LOOKING;

  private OneWaiter(Pollable source, WaitQueue queue, int mask) {
    this.source = source;
    this.queue = queue;
    this.mask = mask | Events.ALWAYS;
    this.clock = clockOf(source, queue);
  }

  static Clock clockOf(Pollable source, WaitQueue queue) {
    Demand demand = queue.demand;
    return demand == null ? Clock.system() : demand.clock();
  }

  /** Waits until the source is ready for something in the mask, or has closed, or the deadline. */
  static int await(Pollable source, WaitQueue queue, int mask, long deadline)
      throws InterruptedException {
    OneWaiter waiter = new OneWaiter(source, queue, mask);
    if (!queue.register(waiter)) {
      throw new EventPollStateException(Errno.EBADF, source + " is closed");
    }
    try {
      return waiter.loop(deadline);
    } finally {
      queue.unregister(waiter);
    }
  }

  private int loop(long deadline) throws InterruptedException {
    for (; ; ) {
      // MO-SLEEP-2: volatile store, then the source is asked. MO-PUB-1: it reads the signal as well
      WORD.getAndSet(this, LOOKING);
      VarHandle.fullFence(); // and the registration, for sources with plain state: MO-ADD-1
      int ready = look();
      if (ready != 0 || deadline == Waiting.NOW) {
        return ready;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Demand demand = queue.demand;
      long due = demand == null ? Clock.NEVER : demand.nearestDeadline();
      long until = Math.min(due, deadline);
      if (until != Clock.NEVER && clock.now() >= until) {
        if (clock.now() >= deadline) {
          return look();
        }
        continue;
      }
      if (WORD.compareAndSet(this, LOOKING, PARKED)) {
        clock.sleeper().park(source, until);
      }
    }
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
    return queue.isClosed() ? Events.HUP : ready;
  }

  private void signal() {
    if ((int) WORD.getAndSet(this, SIGNALLED) == PARKED) {
      clock.sleeper().unpark(thread);
    }
  }

  @Override
  boolean exclusive() {
    return false;
  }

  @Override
  boolean woken(int key) {
    if (key == 0 || (key & mask) != 0) {
      signal();
    }
    return false;
  }

  @Override
  void queueClosed() {
    signal();
  }

  @Override
  void demandChanged() {
    signal();
  }

  @Override
  int wanted() {
    return mask;
  }
}
