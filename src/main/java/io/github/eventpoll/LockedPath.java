package io.github.eventpoll;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the two variants with a lock have in common: a scan holds it for two short sections only,
 * and in between callbacks go to the overflow list (Linux: fs/eventpoll.c, {@code ep->ovflist}).
 */
abstract sealed class LockedPath extends CallbackPath permits SpinPath, RwPath {
  /*
   * field      | guard
   * -----------+---------------------------------------------------------------------------------
   * ready      | lock; during a scan the scanner works without it, because callbacks go to the
   *            | overflow list then and add and modify wait for the control lock (MO-SCAN-1)
   * overflow   | lock
   * scanning   | written under the exclusive lock
   * deadInScan | exclusive lock
   * listed     | false: written under the exclusive lock; true: under either side
   */
  final OverflowList overflow = new OverflowList();
  boolean scanning;
  private boolean deadInScan;

  LockedPath(EventPollBuilder settings, @Nullable Counters counters) {
    super(settings, counters);
  }

  /** Takes the lock and excludes every callback. */
  abstract void lock();

  abstract void unlock();

  @Override
  final boolean link(EpItem item) {
    lock();
    try {
      assert !scanning : "add and modify exclude scans";
      if (item.dead || item.linked) {
        return false;
      }
      ready.append(item);
      setListed();
      hold(item);
      return true;
    } finally {
      unlock();
    }
  }

  @Override
  final void startScan() {
    lock();
    try {
      assert !scanning : "one scan at a time";
      scanning = true; // MO-SCAN-1: from here on callbacks go to the overflow list
      beginScan();
      setListed();
    } finally {
      unlock();
    }
  }

  @Override
  final boolean endScan() {
    lock();
    try {
      if (!overflow.isEmpty()) {
        if (Recorder.IT.wantsOverflow()) {
          arrived = overflow.size();
        }
        overflow.mergeInto(ready, lastOfRest());
      }
      scanning = false;
      if (deadInScan) {
        deadInScan = false;
        purgeDead();
      }
      boolean some = !ready.isEmpty();
      if (!some) {
        listed = false; // MO-AVAIL-1: under the lock, with no item and no scan
      }
      return some;
    } finally {
      unlock();
    }
  }

  @Override
  final Killed kill(EpItem item) {
    lock();
    try {
      if (item.dead) {
        return Killed.BEFORE;
      }
      item.dead = true; // MO-DEAD-1: under the lock that excludes every callback's section
      if (scanning) {
        deadInScan = true;
        return Killed.NOW;
      }
      if (!item.linked) {
        return Killed.NOW;
      }
      unlink(item);
      if (ready.isEmpty()) {
        listed = false;
      }
      return Killed.NOW_QUEUED;
    } finally {
      unlock();
    }
  }

  @Override
  final List<EpItem> listedExclusives() {
    lock();
    try {
      return super.listedExclusives();
    } finally {
      unlock();
    }
  }
}
