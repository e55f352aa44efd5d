package io.github.eventpoll;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A {@link io.github.eventpoll.internal.SpinLock} on cache lines of its own, for an array of locks
 * that threads on different processors take all the time.
 */
final class Stripe extends AbstractQueuedSynchronizer {
  private static final long serialVersionUID = 1L;

  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 40 : 0;

  // Fields of a subclass come after those of its superclass: 128 bytes between any two states,
  // which is two lines, because processors fetch them in pairs.
  @SuppressWarnings("unused")
  private transient long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16;

  void lock() {
    if (!compareAndSetState(0, 1)) {
      lockSlowly();
    }
  }

  private void lockSlowly() {
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (getState() == 0 && compareAndSetState(0, 1)) {
        return;
      }
    }
    acquire(1);
  }

  void unlock() {
    release(1);
  }

  @Override
  protected boolean tryAcquire(int ignored) {
    return compareAndSetState(0, 1);
  }

  @Override
  protected boolean tryRelease(int ignored) {
    setState(0);
    return true;
  }
}
