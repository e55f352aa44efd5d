package io.github.eventpoll;

import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The items of one poll, in the order of their sources' age, then tag. Changed under the control
 * lock, but for sources that close; read by anyone without waiting. An item is its own key: no node
 * but the tree's (Linux: fs/eventpoll.c, {@code ep->rbr}).
 */
final class InterestTree {
  private static final Comparator<EpItem> ORDER =
      Comparator.<EpItem>comparingLong(item -> item.queue.id).thenComparingLong(item -> item.tag);

  /** All items; additions to other polls walk it: MO-NEST-1, MO-NEST-2. */
  private final ConcurrentSkipListMap<EpItem, EpItem> items = new ConcurrentSkipListMap<>(ORDER);

  /** The items that watch polls: the edges that the nesting check follows (MO-NEST-2). */
  private final Set<EpItem> nested = ConcurrentHashMap.newKeySet();

  /** Adds an item unless its key is taken; returns the one that has it. */
  @Nullable EpItem putIfAbsent(EpItem item) {
    EpItem present = items.putIfAbsent(item, item);
    if (present == null && item.source instanceof EventPoll) {
      nested.add(item);
    }
    return present;
  }

  void remove(EpItem item) {
    items.remove(item, item);
    if (item.source instanceof EventPoll) {
      nested.remove(item);
    }
  }

  /** Finds the item with the key of another one. */
  @Nullable EpItem find(EpItem key) {
    return items.get(key);
  }

  /** The items, in order; a live view that never waits and never fails. */
  Collection<EpItem> items() {
    return items.keySet();
  }

  Collection<EpItem> nested() {
    return nested;
  }
}
