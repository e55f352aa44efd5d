package io.github.eventpoll;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where callbacks put items while a scan has the ready list in hand: a stack through the items'
 * second link. Not thread-safe but for {@link #pushShared}: the path's guard applies.
 */
final class OverflowList {
  private static final VarHandle NEWEST;

  static {
    try {
      NEWEST = MethodHandles.lookup().findVarHandle(OverflowList.class, "newest", EpItem.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable EpItem newest;

  /** Adds an item; false if it is here already. */
  boolean push(EpItem item) {
    if (item.below != null) {
      return false;
    }
    EpItem under = newest;
    item.below = under == null ? item : under;
    newest = item;
    return true;
  }

  /**
   * The same by several threads at once while nobody takes anything out: one wins the item, and the
   * exchange gives the order (MO-LISTS-2).
   */
  boolean pushShared(EpItem item) {
    if (!item.claimBelow()) {
      return false;
    }
    EpItem under = (EpItem) NEWEST.getAndSet(this, item);
    if (under != null) {
      item.below = under; // until here the item looks like the oldest: nobody may be reading
    }
    return true;
  }

  boolean isEmpty() {
    return newest == null;
  }

  /** How many there are; by a walk. */
  int size() {
    int size = 0;
    for (EpItem item = newest; item != null; item = item.below == item ? null : item.below) {
      size++;
    }
    return size;
  }

  /** Newest first, each behind the same item: so they end up oldest first. */
  void mergeInto(ReadyList ready, @Nullable EpItem before) {
    EpItem item = newest;
    newest = null;
    while (item != null) {
      EpItem under = item.below == item ? null : item.below;
      item.below = null;
      if (!item.linked && !item.dead) {
        ready.insertAfter(before, item);
      }
      item = under;
    }
  }
}
