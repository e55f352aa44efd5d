package io.github.eventpoll;

import io.github.eventpoll.internal.Probe;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lock-free variant: a callback claims its item and pushes it on a stack; a scan takes the
 * whole stack and turns it round, so that order of arrival and rotation are kept. Neither ever
 * waits for the other, nor one callback for another.
 *
 * <p>The word of an item, {@link EpItem#state}:
 *
 * <pre>
 *   FREE ──claim──► CLAIMED ──push──► PUSHED ──drain──► LISTED ──letGo──► FREE
 *        callback          callback         scanner            scanner
 * </pre>
 *
 * <p>Only the callback that won the claim changes the item's link and pushes it, and only the
 * scanner frees it again: so an item is on the stack at most once. The push is a CAS of the top,
 * with the link set before, so that nothing hides what others push (KR-49). A callback that meets
 * an item claimed and not yet pushed must not rely on the one that is about to: it leaves the item
 * on a second list. A scanner may drain an item before its callback has marked it pushed, and even
 * let it go; until that callback comes to its mark the item is LISTED_EARLY or FREE_EARLY, and
 * nobody else can claim it.
 */
final class LockFreePath extends CallbackPath {
  /*
   * field    | guard or claim
   * ---------+-------------------------------------------------------------------------------------
   * pushed   | CAS, exchange (MO-PUSH-1)
   * ready,   | the scanner's, that is the control lock
   * scanning |
   * listed   | written under the control lock (MO-AVAIL-2)
   * late     | CAS, exchange (MO-LATE-1)
   * untidy   | true: anyone; false: control lock, and then the dead are looked for (MO-BURY-1)
   */
  private static final VarHandle PUSHED;
  private static final VarHandle LATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PUSHED = lookup.findVarHandle(LockFreePath.class, "pushed", EpItem.class);
      LATE = lookup.findVarHandle(LockFreePath.class, "late", Late.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What callbacks have brought since the last drain, newest first, through the second links. */
  private volatile @Nullable EpItem pushed;

  /**
   * Items whose callback met another one between claim and push, newest first. Null nearly always.
   */
  private volatile @Nullable Late late;

  /** An item that came late; it may do so many times. */
  private static final class Late {
    final EpItem item;
    @Nullable Late below;

    Late(EpItem item) {
      this.item = item;
    }
  }

  private boolean scanning;

  LockFreePath(EventPollBuilder settings, @Nullable Counters counters) {
    super(settings, counters);
  }

  @Override
  boolean accept(EpItem item, int key) {
    if (!wants(item.interest(), key)) { // MO-MOD-1: volatile read after the source wrote its state
      return false;
    }
    for (; ; ) {
      byte state = item.state; // MO-NOTIFY-1: volatile read after the source wrote its state
      if (item.dead) {
        return false;
      }
      if (state == EpItem.CLAIMED || state == EpItem.FREE_EARLY) {
        pushLate(item);
        at(Probe.Step.QUEUED_LATE, item);
        return isAlive(item);
      }
      if (state != EpItem.FREE) {
        at(Probe.Step.FOUND_LISTED, item);
        return true;
      }
      if (item.claim()) {
        return pushClaimed(item);
      }
    }
  }

  private boolean pushClaimed(EpItem item) {
    if (item.dead) { // MO-DEAD-2: claimed, then "dead" is read; a dead item stays claimed for ever
      return false;
    }
    at(Probe.Step.LISTING, item);
    EpItem top;
    do {
      top = pushed;
      item.below = top == null ? item : top;
    } while (!PUSHED.compareAndSet(this, top, item)); // MO-PUSH-1: reachable with its link set
    at(Probe.Step.PUSHED, item);
    item.pushed(); // MO-PUSH-2
    if (counters != null) {
      counters.queued.increment();
    }
    at(Probe.Step.QUEUED, item);
    return isAlive(item);
  }

  private void pushLate(EpItem item) {
    Late node = new Late(item);
    Late top;
    do {
      top = late;
      node.below = top;
    } while (!LATE.compareAndSet(this, top, node)); // MO-LATE-1
  }

  /** Whether an item that a callback has left here may stay. */
  private boolean isAlive(EpItem item) {
    if (item.dead) { // MO-BURY-1: left, then "dead" is read; the killer may not have found it here
      untidy = true;
      return false;
    }
    return true;
  }

  @Override
  boolean available() {
    return pushed != null || late != null || listed; // MO-AVAIL-2, MO-LATE-1: "listed" last
  }

  @Override
  boolean link(EpItem item) {
    assert !scanning : "add and modify exclude scans";
    drain(); // what came before stands before
    if (item.dead || item.linked) {
      settle();
      return false;
    }
    setListed(); // MO-NOTIFY-1: before a callback can see it held, and rely on it
    hold(item);
    if (item.dead) { // MO-DEAD-2: as for a callback
      settle();
      return false;
    }
    ready.append(item);
    return true;
  }

  @Override
  void startScan() {
    assert !scanning : "one scan at a time";
    scanning = true;
    drain();
    beginScan();
  }

  /** Puts what callbacks have brought at the end of the list, in order of arrival. No scan runs. */
  private void drain() {
    if (hasArrived()) {
      insertArrived(ready.last());
    }
  }

  private boolean hasArrived() {
    return pushed != null || late != null;
  }

  /** How many were pushed so far; nobody else takes them off meanwhile. */
  private int countArrived() {
    int count = 0;
    for (EpItem item = pushed; item != null; item = item.below == item ? null : item.below) {
      count++;
    }
    return count;
  }

  /**
   * From the stack newest first, each behind the same item: so they end up oldest first. Those who
   * came late follow.
   */
  private void insertArrived(@Nullable EpItem before) {
    setListed(); // MO-AVAIL-2, MO-LATE-1: before it is gone from stack and second list
    EpItem last = before;
    EpItem item = (EpItem) PUSHED.getAndSet(this, null);
    while (item != null) {
      EpItem under = item.below == item ? null : item.below;
      item.below = null;
      if (take(item, before) && last == before) {
        last = item;
      }
      item = under;
    }
    if (late != null) {
      insertLate(last);
    }
  }

  private void insertLate(@Nullable EpItem before) {
    EpItem last = before;
    for (Late one = oldestFirst((Late) LATE.getAndSet(this, null)); one != null; one = one.below) {
      EpItem item = one.item;
      if (!item.linked) {
        item.hold(); // its state may be free: then only what follows shows that it died
        if (!item.dead) { // MO-DEAD-2: held, then "dead" is read
          ready.insertAfter(last, item);
          last = item;
        }
      }
    }
  }

  private static @Nullable Late oldestFirst(@Nullable Late newest) {
    Late first = null;
    for (Late one = newest; one != null; ) {
      Late under = one.below;
      one.below = first;
      first = one;
      one = under;
    }
    return first;
  }

  private boolean take(EpItem item, @Nullable EpItem before) {
    if (item.dead) {
      return false; // it stays claimed, so that nobody lists it again
    }
    item.drained(); // MO-PUSH-2
    if (item.linked) {
      return false;
    }
    ready.insertAfter(before, item);
    return true;
  }

  @Override
  boolean endScan() {
    boolean purge = beginPurge();
    if (hasArrived()) {
      if (Recorder.IT.wantsOverflow()) {
        arrived = countArrived();
      }
      insertArrived(lastOfRest());
    }
    scanning = false;
    if (purge) {
      purgeDead();
    }
    settle();
    return !ready.isEmpty();
  }

  /** Takes back that there is something, if there is not. No scan runs. */
  private void settle() {
    if (ready.isEmpty() && listed) {
      listed = false; // MO-AVAIL-2: what came since the drain is on the stack or on "late"
    }
  }

  /** Whether to look for the dead; asked before the stacks are taken, or one there is missed. */
  private boolean beginPurge() {
    if (!untidy) {
      return false;
    }
    untidy = false; // MO-BURY-1: volatile store, then the stacks are taken and "dead" is read
    return true;
  }

  @Override
  Killed kill(EpItem item) {
    if (!item.die()) { // MO-DEAD-2: dead, then the state is read
      return Killed.BEFORE;
    }
    return item.state == EpItem.FREE && !isLate(item) ? Killed.NOW : Killed.NOW_QUEUED;
  }

  @Override
  boolean isLate(EpItem item) {
    // MO-DEAD-2, MO-LATE-1. Who takes the list meanwhile turns its links round, and this may end
    // early; but then he reads "dead" after it was written.
    for (Late one = late; one != null; one = one.below) {
      if (one.item == item) {
        return true;
      }
    }
    return false;
  }

  @Override
  void bury(EpItem item) {
    if (scanning) {
      untidy = true; // MO-BURY-1: the end of this scan looks
      return;
    }
    drain();
    if (item.linked) {
      unlink(item);
    }
    settle();
  }

  @Override
  void leaveDead() {
    untidy = true; // MO-BURY-1: volatile store, then the caller tries the lock
  }

  @Override
  void tidy() {
    if (beginPurge()) {
      drain();
      purgeDead();
      settle();
    }
  }

  @Override
  List<EpItem> listedExclusives() {
    drain();
    settle();
    return super.listedExclusives();
  }
}
