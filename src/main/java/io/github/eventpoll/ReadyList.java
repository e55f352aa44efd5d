package io.github.eventpoll;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A first-in-first-out chain of items through their own links, with removal from the middle. Not
 * thread-safe but for {@link #appendShared}: the owner's guard applies.
 */
final class ReadyList {
  private static final VarHandle TAIL;

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(ReadyList.class, "tail", EpItem.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable EpItem head;
  private @Nullable EpItem tail;

  boolean isEmpty() {
    return head == null;
  }

  @Nullable EpItem first() {
    return head;
  }

  @Nullable EpItem last() {
    return tail;
  }

  void append(EpItem item) {
    item.linked = true;
    EpItem last = tail;
    if (last == null) {
      head = item;
    } else {
      item.prev = last;
      last.next = item;
    }
    tail = item;
  }

  /**
   * Appends an item that the caller has claimed by {@link EpItem#claimLinked}, also while others do
   * the same; nobody reads or takes out meanwhile. The exchange gives the order (MO-LISTS-1).
   */
  void appendShared(EpItem item) {
    EpItem last = (EpItem) TAIL.getAndSet(this, item);
    if (last == null) {
      head = item;
    } else {
      item.prev = last;
      last.next = item;
    }
  }

  void prepend(EpItem item) {
    item.linked = true;
    EpItem first = head;
    if (first == null) {
      tail = item;
    } else {
      item.next = first;
      first.prev = item;
    }
    head = item;
  }

  void unlink(EpItem item) {
    EpItem before = item.prev;
    EpItem after = item.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
      item.prev = null;
    }
    if (after == null) {
      tail = before;
    } else {
      after.prev = before;
      item.next = null;
    }
    item.linked = false;
  }

  /** Puts an item of the list at its end. */
  void moveToEnd(EpItem item) {
    if (item != tail) { // the only item, most often, is left where it is
      unlink(item);
      append(item);
    }
  }

  /** Puts an item behind another one, at the head if that is null. */
  void insertAfter(@Nullable EpItem before, EpItem item) {
    if (before == null) {
      prepend(item);
    } else if (before == tail) {
      append(item);
    } else {
      EpItem after = before.next;
      item.linked = true;
      item.prev = before;
      item.next = after;
      before.next = item;
      after.prev = item;
    }
  }
}
