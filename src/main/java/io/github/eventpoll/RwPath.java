package io.github.eventpoll;

import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SharedLock;
import org.jspecify.annotations.Nullable;

/**
 * The rwlock variant: callbacks share a lock and list their items by atomic operations, with no
 * further lock; a scan excludes them for its two short sections (Linux 5.1 to 6.17: fs/eventpoll.c,
 * {@code ep->lock} as an rwlock).
 *
 * <p>A callback that loses its processor inside the shared section holds up the scan, and the scan
 * that waits holds up all later callbacks: the reason why Linux went back to an exclusive lock. So
 * in the shared section nobody is woken, nothing of the user's runs and nothing is waited for
 * (KR-53).
 */
final class RwPath extends LockedPath {
  private final SharedLock lock = new SharedLock();

  RwPath(EventPollBuilder settings, @Nullable Counters counters) {
    super(settings, counters);
  }

  @Override
  void lock() {
    lock.lock();
  }

  @Override
  void unlock() {
    lock.unlock();
  }

  @Override
  boolean accept(EpItem item, int key) {
    int cell = lock.lockShared();
    try {
      if (counters != null) {
        counters.locked.increment();
      }
      if (item.dead || !wants(item.interest(), key)) { // MO-MOD-1: volatile, after the source wrote
        return false;
      }
      at(Probe.Step.LISTING, item);
      list(item);
      hold(item);
      return true;
    } finally {
      lock.unlockShared(cell);
    }
  }

  private void list(EpItem item) {
    if (scanning) {
      boolean pushed = overflow.pushShared(item);
      if (pushed && counters != null) {
        counters.overflowed.increment();
      }
      at(pushed ? Probe.Step.OVERFLOWED : Probe.Step.FOUND_LISTED, item);
      return;
    }
    boolean won = item.claimLinked(); // MO-LISTS-1: one winner
    if (won) {
      ready.appendShared(item);
      if (counters != null) {
        counters.queued.increment();
      }
    }
    setListed(); // also by one that lost: what it promises must hold at once
    at(won ? Probe.Step.QUEUED : Probe.Step.FOUND_LISTED, item);
  }
}
