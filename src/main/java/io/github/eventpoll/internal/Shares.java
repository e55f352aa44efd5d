package io.github.eventpoll.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the items on one channel in one driver want and have been told, and so what is asked of the
 * driver: the directions that some armed item wants and has not been told (KR-31). Recomputed from
 * all items at each change, under one small guard (KR-32).
 *
 * <p>Exclusive items are told together: one of them holds the readiness at a time, and it is
 * offered again when the holder has used it (KR-36).
 *
 * <p>Any thread may call everything; a change returns true if more is asked of the driver than
 * before. Directions are the event bits IN and OUT.
 */
public final class Shares implements Told {
  /** Event bits, as in the public class of the same names, which this package does not know. */
  public static final int IN = 0x1;

  /** See {@link #IN}. */
  public static final int OUT = 0x4;

  private static final int READING = IN | 0x40;
  private static final int WRITING = OUT | 0x100;
  private static final int EXCLUSIVE = 1 << 28;
  private static final int ONESHOT = 1 << 30;
  private static final int EDGE = 1 << 31;

  private static final class Share {
    final Object item;
    final Object group;
    int mask;
    int told;
    int fresh;

    /** Told, and neither delivered nor dropped since. */
    int pending;

    Share(Object item, int mask, Object group) {
      this.item = item;
      this.mask = mask;
      this.group = group;
    }

    int wants() {
      return directions(mask);
    }

    boolean is(int flag) {
      return (mask & flag) != 0;
    }
  }

  private final SpinLock guard = new SpinLock();

  /** Guard: guard. */
  private final List<Share> shares = new ArrayList<>(1);

  /** Directions that the exclusive items have been told; guard: guard. */
  private int exclusiveTold;

  /** Delivered to a level item while another of its group had not had it; guard: guard. */
  private int halfSpent;

  /**
   * There is, or was, an exclusive item; written under guard, read volatile. A use that does not
   * see it comes before any exclusive item was told something.
   */
  private volatile boolean exclusives;

  /** The exclusive item that was delivered and has not used it yet; guard: guard. */
  private @Nullable Object holder;

  /** No items. */
  public Shares() {}

  /** The directions that a mask wants. */
  public static int directions(int mask) {
    return ((mask & READING) != 0 ? IN : 0) | ((mask & WRITING) != 0 ? OUT : 0);
  }

  /** What is asked of the driver at present. */
  public int asked() {
    guard.lock();
    try {
      return computeAsked();
    } finally {
      guard.unlock();
    }
  }

  /** The same; −1 if there are no items. */
  public int askedOrNone() {
    guard.lock();
    try {
      return shares.isEmpty() ? -1 : computeAsked();
    } finally {
      guard.unlock();
    }
  }

  private int computeAsked() {
    int asked = 0;
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
      asked |= untold(share);
    }
    return asked;
  }

  /**
   * What a share wants and has not been told. The exclusive ones are told together; an edge is told
   * each of them once besides, or its holder would see it again whenever it is offered.
   */
  private int untold(Share share) {
    if (!share.is(EXCLUSIVE)) {
      return share.wants() & ~share.told;
    }
    return share.wants() & ~exclusiveTold & ~(share.is(EDGE) ? share.told : 0);
  }

  private boolean grown(int before) {
    return (computeAsked() & ~before) != 0;
  }

  /** True if there are no items. */
  public boolean isEmpty() {
    guard.lock();
    try {
      return shares.isEmpty();
    } finally {
      guard.unlock();
    }
  }

  /** An item begins to want; it has been told nothing. */
  public boolean add(Object item, int mask) {
    return add(item, mask, item);
  }

  /** The same for one of several items of a group, which are delivered together. */
  public boolean add(Object item, int mask, Object group) {
    guard.lock();
    try {
      int before = computeAsked();
      shares.add(new Share(item, mask, group));
      if ((mask & EXCLUSIVE) != 0) {
        exclusives = true;
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  /** An item ends; false if it had ended before. More may be asked afterwards. */
  public boolean remove(Object item) {
    guard.lock();
    try {
      Share share = find(item);
      if (share != null && share.is(EXCLUSIVE) && (holder == null || holder == item)) {
        letGo(IN | OUT);
      }
      return shares.removeIf(each -> each.item == item);
    } finally {
      guard.unlock();
    }
  }

  /** An item wants something else, and counts as told nothing. */
  public boolean rearmed(Object item, int mask) {
    guard.lock();
    try {
      int before = computeAsked();
      Share share = find(item);
      if (share != null) {
        share.mask = mask;
        share.told = 0;
        share.pending = 0;
        if (share.is(EXCLUSIVE)) {
          letGo(IN | OUT);
        }
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  /** An event of the item reached a waiter. */
  public boolean delivered(Object item, int bits) {
    guard.lock();
    try {
      int before = computeAsked();
      Share share = find(item);
      if (share == null) {
        return false;
      }
      if (share.is(EXCLUSIVE)) {
        holder = item;
      } else if (share.is(ONESHOT)) {
        share.mask &= EXCLUSIVE | ONESHOT | EDGE;
        share.told = 0;
      } else if (!share.is(EDGE)) {
        share.told &= ~directions(bits);
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  /**
   * An item is being delivered: which directions need not be believed any more. A level item has to
   * be asked for anew after each delivery, but not before the other items of its group have been
   * delivered as well: the first would always take it from the others.
   */
  public int spent(Object item, int bits) {
    guard.lock();
    try {
      Share share = find(item);
      if (share == null) {
        return 0;
      }
      int directions = directions(bits);
      share.pending &= ~directions;
      if (!share.is(EDGE) && !share.is(ONESHOT)) {
        halfSpent |= directions;
      }
      int open = 0;
      for (int i = 0; i < shares.size(); i++) {
        Share other = shares.get(i);
        open |= other.group == share.group ? other.pending & other.wants() : 0;
      }
      int spent = halfSpent & ~open;
      halfSpent &= open;
      return spent;
    } finally {
      guard.unlock();
    }
  }

  /** The item was found not ready: it has not been told anything that is still true. */
  public boolean dropped(Object item) {
    guard.lock();
    try {
      int before = computeAsked();
      Share share = find(item);
      if (share != null) {
        share.told = 0;
        share.pending = 0;
        if (share.is(EXCLUSIVE) && holder == null) {
          letGo(IN | OUT); // but not for a holder: its item is queued again after delivery
        }
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  /** The exclusive item's poll waits again. */
  public boolean resumed(Object item) {
    guard.lock();
    try {
      int before = computeAsked();
      if (holder == item) {
        letGo(IN | OUT);
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  /**
   * Somebody did input or output through the source; if that would have blocked, edges begin anew.
   */
  public boolean used(int directions, boolean wouldBlock) {
    if (!wouldBlock && !exclusives) {
      return false; // nothing that input or output could let go of
    }
    guard.lock();
    try {
      int before = computeAsked();
      letGo(directions);
      if (wouldBlock) {
        for (int i = 0; i < shares.size(); i++) {
          Share share = shares.get(i);
          share.told &= ~directions;
          share.pending &= ~directions;
        }
      }
      return grown(before);
    } finally {
      guard.unlock();
    }
  }

  private void letGo(int directions) {
    exclusiveTold &= ~directions;
    holder = null;
  }

  /** The driver reports: marks what is news, for {@link #tell}. */
  public void report(int directions) {
    guard.lock();
    try {
      int offered = 0;
      for (int i = 0; i < shares.size(); i++) {
        Share share = shares.get(i);
        share.fresh = directions & untold(share);
        if (share.is(EXCLUSIVE)) {
          offered |= share.fresh;
        } else {
          share.told |= share.fresh;
        }
      }
      exclusiveTold |= offered;
    } finally {
      guard.unlock();
    }
  }

  @Override
  public boolean tell(Object item) {
    guard.lock();
    try {
      Share share = find(item);
      if (share == null || share.fresh == 0) {
        return false;
      }
      share.pending |= share.fresh;
      share.told |= share.fresh; // an exclusive one only now that it is its turn
      return true;
    } finally {
      guard.unlock();
    }
  }

  private @Nullable Share find(Object item) {
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
      if (share.item == item) {
        return share;
      }
    }
    return null;
  }
}
