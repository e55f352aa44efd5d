package io.github.eventpoll.internal;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A small exclusive lock for sections of a few instructions: a bounded number of spins, then
 * parking. Never burns a core while the holder is descheduled, never pins a virtual thread. Not
 * re-entrant.
 */
public final class SpinLock {
  // One spin is about 20 ns; a section is shorter than ten of them, and a holder that needs longer
  // has lost its processor.
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 40 : 0;

  private final Sync sync = new Sync();

  /** Creates a free lock. */
  public SpinLock() {}

  /** Takes the lock. */
  public void lock() {
    if (!sync.tryAcquire(1)) {
      lockSlowly();
    }
  }

  private void lockSlowly() {
    SteppedThread stepped = SteppedThread.current();
    if (stepped != null) {
      do {
        stepped.awaitFree(false, sync::isFree);
      } while (!sync.tryAcquire(1));
      return;
    }
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (sync.isFree() && sync.tryAcquire(1)) {
        return;
      }
    }
    sync.acquire(1);
  }

  /**
   * Takes the lock if it is free, for those who only look and must not wait.
   *
   * @return false if somebody holds it
   */
  public boolean tryLock() {
    return sync.tryAcquire(1);
  }

  /** Gives the lock back. */
  public void unlock() {
    sync.release(1);
  }

  /** True if somebody holds it; for assertions. */
  public boolean isHeld() {
    return !sync.isFree();
  }

  private static final class Sync extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean tryAcquire(int ignored) {
      return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int ignored) {
      setState(0);
      return true;
    }

    boolean isFree() {
      return getState() == 0;
    }
  }
}
