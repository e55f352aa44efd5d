package io.github.eventpoll.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * The control lock of a poll: exclusive, re-entrant, not fair, threads that wait for it park. Knows
 * its owner by the thread's number: a {@code ReentrantLock} stores a reference, for which G1 runs a
 * barrier with a fence of its own at each {@code lock()}, a quarter of what a wait costs that finds
 * one event. A thread that is stepped by a test gives its turn away instead of parking.
 */
public final class ControlLock extends AbstractQueuedSynchronizer {
  private static final long serialVersionUID = 1L;
  private static final int ONE = 1;
  private static final VarHandle OWNER;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(ControlLock.class, "owner", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The number of the thread that holds the lock, 0 for none. Guard: this lock; read without it,
   * opaque, by threads that look for their own number only, which nobody else writes.
   */
  @SuppressWarnings("UnusedVariable") // read and written through OWNER
  private long owner;

  /** Creates a free lock. */
  public ControlLock() {}

  /** Takes the lock, once more if the thread has it. */
  public void lock() {
    if (compareAndSetState(0, ONE)) {
      OWNER.setOpaque(this, self());
    } else {
      lockSlowly();
    }
  }

  private void lockSlowly() {
    SteppedThread stepped = SteppedThread.current();
    if (stepped == null) {
      acquire(ONE);
      return;
    }
    while (!tryAcquire(ONE)) {
      stepped.awaitFree(true, () -> !isLocked());
    }
  }

  /** Takes the lock if it is free or the thread has it. */
  public boolean tryLock() {
    return tryAcquire(ONE);
  }

  /** Gives the lock back, once. */
  public void unlock() {
    release(ONE);
  }

  /** True if somebody has it. */
  public boolean isLocked() {
    return getState() != 0;
  }

  /** True if the calling thread has it. */
  public boolean isHeldByCurrentThread() {
    return owner() == self();
  }

  /** The number of the thread that holds it, as thread dumps show it; 0 for none. */
  public long owner() {
    return (long) OWNER.getOpaque(this);
  }

  @Override
  protected boolean tryAcquire(int ignored) {
    if (getState() == 0) {
      if (compareAndSetState(0, ONE)) {
        OWNER.setOpaque(this, self());
        return true;
      }
    } else if (isHeldByCurrentThread()) {
      setState(getState() + ONE);
      return true;
    }
    return false;
  }

  @Override
  protected boolean tryRelease(int ignored) {
    int left = getState() - ONE;
    if (!isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException();
    }
    if (left == 0) {
      OWNER.setOpaque(this, 0L);
    }
    setState(left);
    return left == 0;
  }

  private static long self() {
    return Threads.numberOf(Thread.currentThread());
  }
}
