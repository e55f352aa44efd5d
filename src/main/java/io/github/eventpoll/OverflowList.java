package io.github.eventpoll;

import org.jspecify.annotations.Nullable;

/**
 * Where callbacks put items while a scan has the ready list in hand: a stack through the items'
 * second link. Not thread-safe: the path's lock applies.
 */
final class OverflowList {
  private @Nullable EpItem newest;

  /** Adds an item unless it is here already. */
  void push(EpItem item) {
    if (!item.spilled) {
      item.spilled = true;
      item.spillNext = newest;
      newest = item;
    }
  }

  /** Takes the newest item out; null if there is none. */
  @Nullable EpItem pop() {
    EpItem item = newest;
    if (item != null) {
      newest = item.spillNext;
      item.spillNext = null;
      item.spilled = false;
    }
    return item;
  }
}
