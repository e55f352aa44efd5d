package io.github.eventpoll;

import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * The spin variant: callbacks and scans meet at one short exclusive lock, taken for a few
 * instructions each time (Linux 6.18: fs/eventpoll.c, {@code ep->lock}).
 */
final class SpinPath extends LockedPath {
  private final SpinLock lock = new SpinLock();

  SpinPath(EventPollBuilder settings, @Nullable Counters counters) {
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
    lock.lock();
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
      lock.unlock();
    }
  }

  private void list(EpItem item) {
    if (scanning) {
      boolean pushed = overflow.push(item);
      if (pushed && counters != null) {
        counters.overflowed.increment();
      }
      at(pushed ? Probe.Step.OVERFLOWED : Probe.Step.FOUND_LISTED, item);
    } else if (!item.linked) {
      ready.append(item);
      setListed();
      if (counters != null) {
        counters.queued.increment();
      }
      at(Probe.Step.QUEUED, item);
    } else {
      at(Probe.Step.FOUND_LISTED, item);
    }
  }
}
