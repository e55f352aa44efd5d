package io.github.eventpoll;

import org.jspecify.annotations.Nullable;

/**
 * A first-in-first-out chain of items through their own links, with removal from the middle. Serves
 * as ready list and as batch of a scan. Not thread-safe: the owner's guard applies.
 */
final class ReadyList {
  private @Nullable EpItem head;
  private @Nullable EpItem tail;

  boolean isEmpty() {
    return head == null;
  }

  @Nullable EpItem first() {
    return head;
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

  /** Takes everything from another list, which must be a different one; this list must be empty. */
  void takeAll(ReadyList other) {
    head = other.head;
    tail = other.tail;
    other.head = null;
    other.tail = null;
  }

  /** Puts everything that another list holds in front; the other list is empty afterwards. */
  void spliceFront(ReadyList other) {
    EpItem last = other.tail;
    if (last == null) {
      return;
    }
    EpItem first = head;
    if (first == null) {
      tail = last;
    } else {
      last.next = first;
      first.prev = last;
    }
    head = other.head;
    other.head = null;
    other.tail = null;
  }
}
