package io.github.eventpoll.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock for sections of a few instructions that many threads share and one excludes. Those who
 * share count themselves in cells of their own, so that they do not write one common line; one that
 * wants to exclude is preferred: who comes later waits, so that a stream of sharers cannot starve
 * it. Waiting is a bounded number of spins, then parking. Not re-entrant, no upgrade.
 *
 * <p>Everything done inside a section, shared or not, is visible in every later section that
 * excludes or was excluded by it (MO-SHARED-1); {@code ReadWriteLock} does not promise that between
 * the end of a shared section and the start of an exclusive one.
 */
public final class SharedLock {
  /*
   * field    | written by                     | claim
   * ---------+--------------------------------+--------------
   * inside   | sharers, atomic                | MO-SHARED-1
   * excluded | the holder of "excluders"      | MO-SHARED-1
   * waiting  | the holder of "excluders"      | MO-SHARED-2
   */
  private static final int STRIDE = 16; // ints in a cache line
  private static final int CPUS = Runtime.getRuntime().availableProcessors();
  private static final int CELLS = Math.min(16, Integer.highestOneBit(2 * CPUS));
  private static final int SPINS = CPUS > 1 ? 40 : 0;

  private final AtomicIntegerArray inside = new AtomicIntegerArray((CELLS + 1) * STRIDE);
  private final SpinLock excluders = new SpinLock();
  private volatile boolean excluded;
  private volatile @Nullable Thread waiting;

  /** Creates a free lock. */
  public SharedLock() {}

  /**
   * Begins a shared section.
   *
   * @return the cell to give to {@link #unlockShared}
   */
  public int lockShared() {
    int cell = (((int) Thread.currentThread().getId() & (CELLS - 1)) + 1) * STRIDE;
    inside.getAndIncrement(cell); // MO-SHARED-1: counted, then "excluded" is read
    while (excluded) {
      unlockShared(cell);
      excluders.lock(); // until it is over; parks if that takes long
      excluders.unlock();
      inside.getAndIncrement(cell);
    }
    return cell;
  }

  /**
   * Ends a shared section.
   *
   * @param cell what {@link #lockShared} returned
   */
  public void unlockShared(int cell) {
    inside.getAndDecrement(cell); // MO-SHARED-2: counted off, then it is read who waits
    if (excluded) {
      Thread thread = waiting;
      if (thread != null) {
        LockSupport.unpark(thread);
      }
    }
  }

  /** Begins an exclusive section. */
  public void lock() {
    excluders.lock();
    excluded = true; // MO-SHARED-1: volatile store, then the cells are read
    for (int cell = STRIDE; cell <= CELLS * STRIDE; cell += STRIDE) {
      if (inside.get(cell) != 0) {
        awaitEmpty(cell);
      }
    }
  }

  private void awaitEmpty(int cell) {
    SteppedThread stepped = SteppedThread.current();
    if (stepped != null) {
      stepped.awaitFree(false, () -> inside.get(cell) == 0);
      return;
    }
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (inside.get(cell) == 0) {
        return;
      }
    }
    boolean interrupted = false;
    waiting = Thread.currentThread(); // MO-SHARED-2: volatile store, then the cell is read
    while (inside.get(cell) != 0) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted(); // or the next park would return at once
    }
    waiting = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends an exclusive section. */
  public void unlock() {
    excluded = false; // MO-SHARED-1
    excluders.unlock();
  }
}
