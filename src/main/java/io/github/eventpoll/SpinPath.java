package io.github.eventpoll;

import io.github.eventpoll.internal.SpinLock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The spin variant: callbacks and scans meet at one short exclusive lock, taken for a few
 * instructions each time (Linux 6.18: fs/eventpoll.c, {@code ep->lock}).
 */
final class SpinPath implements CallbackPath {
  /*
   * field      | guard
   * -----------+---------------------------------------------------------------------------------
   * ready      | lock; during a scan the scanner appends without it, because callbacks go to the
   *            | overflow list then and add and modify wait for the control lock (MO-SCAN-1)
   * batch      | the scanner, that is the control lock, between startScan and endScan
   * overflow   | lock
   * scanning   | lock
   * deadInScan | lock
   * available  | written under lock, and only when it changes; read volatile (MO-AVAIL-1)
   */
  private final SpinLock lock = new SpinLock();
  private final ReadyList ready = new ReadyList();
  private final ReadyList batch = new ReadyList();
  private final OverflowList overflow = new OverflowList();
  private boolean scanning;
  private boolean deadInScan;

  /**
   * Ready list not empty, or scan running. One variable for both, so that no reader can fall
   * between the moment the list was taken and the moment the rest was put back (KR-7).
   */
  private volatile boolean available;

  @Override
  public boolean accept(EpItem item, int key) {
    lock.lock();
    try {
      if (item.dead) {
        return false;
      }
      int mask = item.interest(); // MO-MOD-1: volatile read after the source wrote its state
      if (!Events.armed(mask) || (key != 0 && (key & mask) == 0)) {
        return false;
      }
      if (scanning) {
        overflow.push(item);
      } else if (!item.linked) {
        ready.append(item);
        setAvailable();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean link(EpItem item) {
    lock.lock();
    try {
      assert !scanning : "add and modify exclude scans";
      if (item.dead || item.linked) {
        return false;
      }
      ready.append(item);
      setAvailable();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean available() {
    return available; // MO-AVAIL-1, MO-SLEEP-1: volatile read after enlisting
  }

  @Override
  public void startScan() {
    lock.lock();
    try {
      assert !scanning : "one scan at a time";
      scanning = true; // MO-SCAN-1: from here on callbacks go to the overflow list
      batch.takeAll(ready);
      setAvailable();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable EpItem next() {
    for (; ; ) {
      EpItem item = batch.first();
      if (item == null) {
        return null;
      }
      batch.unlink(item);
      if (!item.dead) {
        return item;
      }
    }
  }

  @Override
  public void requeue(EpItem item) {
    ready.append(item);
  }

  @Override
  public void putBack(EpItem item) {
    batch.prepend(item);
  }

  @Override
  public boolean endScan() {
    lock.lock();
    try {
      mergeOverflow();
      ready.spliceFront(batch);
      scanning = false;
      if (deadInScan) {
        purgeDead();
      }
      boolean some = !ready.isEmpty();
      if (!some) {
        available = false; // MO-AVAIL-1: under the lock, with no item and no scan
      }
      return some;
    } finally {
      lock.unlock();
    }
  }

  /** Newest first, each to the head: so they end up oldest first. */
  private void mergeOverflow() {
    for (EpItem item = overflow.pop(); item != null; item = overflow.pop()) {
      if (!item.linked && !item.dead) {
        ready.prepend(item);
      }
    }
  }

  private void purgeDead() {
    deadInScan = false;
    EpItem item = ready.first();
    while (item != null) {
      EpItem after = item.next;
      if (item.dead) {
        ready.unlink(item);
      }
      item = after;
    }
  }

  @Override
  public Killed kill(EpItem item) {
    lock.lock();
    try {
      if (item.dead) {
        return Killed.BEFORE;
      }
      item.dead = true; // MO-DEAD-1: under the lock that every callback commits under
      if (scanning) {
        deadInScan = true;
        return Killed.NOW;
      }
      if (!item.linked) {
        return Killed.NOW;
      }
      ready.unlink(item);
      if (ready.isEmpty()) {
        available = false;
      }
      return Killed.NOW_QUEUED;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<EpItem> listedExclusives() {
    List<EpItem> found = new ArrayList<>();
    lock.lock();
    try {
      for (EpItem item = ready.first(); item != null; item = item.next) {
        if (item.exclusive()) {
          found.add(item);
        }
      }
    } finally {
      lock.unlock();
    }
    return found;
  }

  private void setAvailable() {
    if (!available) {
      available = true; // MO-SLEEP-1: volatile store, then the caller looks for sleepers
    }
  }
}
