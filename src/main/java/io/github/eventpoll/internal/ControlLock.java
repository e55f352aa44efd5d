package io.github.eventpoll.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link ReentrantLock} for which a thread that is stepped by a test gives its turn away instead
 * of parking; to all others it is the same.
 */
public final class ControlLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** Creates a free lock. */
  public ControlLock() {}

  @Override
  public void lock() {
    if (!tryLock()) { // what the lock itself does first
      SteppedThread stepped = SteppedThread.current();
      if (stepped == null) {
        super.lock();
      } else {
        do {
          stepped.awaitFree(true, () -> !isLocked());
        } while (!tryLock());
      }
    }
  }
}
