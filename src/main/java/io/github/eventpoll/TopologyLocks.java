package io.github.eventpoll;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the whole process that keep the graph of polls still while an addition is checked.
 *
 * <p>Correct for every {@link Topology}, in any mixture, by the stripes alone: whoever adds a
 * source to a watched poll holds the source's stripe from the count of its paths until the new one
 * is linked, whoever adds a poll holds all stripes. They are the innermost locks but for the leaves
 * of a wake: taken under the control lock of the poll that is added to, never while another control
 * lock is waited for or a source is asked. So their holder waits for nobody.
 *
 * <p>The other two are what the kernel does, for comparison: taken before the control lock and held
 * until the source was asked.
 */
final class TopologyLocks {
  private static final int BITS = 6;
  private static final Stripe[] STRIPES = new Stripe[1 << BITS];

  private static final ReentrantLock MUTEX = new ReentrantLock();
  private static final ReentrantReadWriteLock SHARED = new ReentrantReadWriteLock();

  static {
    for (int i = 0; i < STRIPES.length; i++) {
      STRIPES[i] = new Stripe();
    }
  }

  private TopologyLocks() {}

  /** Of a source: one lock, the same for all polls. */
  static Stripe of(WaitQueue source) {
    // Fibonacci hashing: sources that were made one after the other lie far apart
    return STRIPES[(int) ((source.id * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - BITS))];
  }

  /** Takes every stripe: nobody else adds anything that counts. */
  static void lockAll() {
    for (Stripe stripe : STRIPES) {
      stripe.lock();
    }
  }

  static void unlockAll() {
    for (Stripe stripe : STRIPES) {
      stripe.unlock();
    }
  }

  /**
   * What a checked addition takes before the control lock; null for nothing. Also null if this
   * thread has such a lock already: then a source that is being asked adds to some poll. Nothing
   * rests on this lock, and a shared lock cannot be made an exclusive one.
   */
  static @Nullable Lock outermost(Topology kind, boolean nested) {
    return switch (kind) {
      case GLOBAL_MUTEX -> MUTEX.isHeldByCurrentThread() ? null : MUTEX;
      case SHARED -> {
        if (SHARED.getReadHoldCount() > 0 || SHARED.isWriteLockedByCurrentThread()) {
          yield null;
        }
        yield nested ? SHARED.writeLock() : SHARED.readLock();
      }
      case STRIPED -> null;
    };
  }
}
