package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.SpinLock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of the sources that one poll watches, inner polls among them, in order. A change
 * costs O(log n). Any thread may call everything; the guard is a leaf.
 */
final class Deadlines {
  /** One item's deadline as last read, and a number of its own; immutable. */
  private record Entry(long deadline, EpItem item, long serial) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::deadline)
          .thenComparingLong(entry -> entry.item().queue.id)
          .thenComparingLong(entry -> entry.item().tag)
          // A removed item may still be here when its source has been added again.
          .thenComparingLong(Entry::serial);

  private final SpinLock guard = new SpinLock();

  /** Guard: guard. */
  private final TreeSet<Entry> order = new TreeSet<>(ORDER);

  /** Guard: guard. */
  private long serials;

  /** Guard: guard. */
  private final Map<EpItem, Entry> entries = new HashMap<>();

  /** The deadline of the first entry; written under guard, read volatile: MO-TIMER-1. */
  private volatile long nearest = Clock.NEVER;

  long nearest() {
    return nearest;
  }

  /**
   * Reads an item's deadline again. It is read under the guard: of two that update, the one that
   * comes second has the newer value (KR-46: recompute, do not add).
   *
   * @return what the nearest deadline was before
   */
  long update(EpItem item, Demand demand) {
    guard.lock();
    try {
      long before = nearest;
      Entry old = entries.remove(item);
      if (old != null) {
        order.remove(old);
      }
      long deadline = item.dead ? Clock.NEVER : demand.nearestDeadline(); // MO-DEMAND-2
      if (deadline != Clock.NEVER) {
        Entry entry = new Entry(deadline, item, serials++);
        entries.put(item, entry);
        order.add(entry);
      }
      long first = order.isEmpty() ? Clock.NEVER : order.first().deadline();
      if (first != before) {
        nearest = first; // MO-TIMER-1: volatile store, then the caller looks at the timekeeper
      }
      return before;
    } finally {
      guard.unlock();
    }
  }

  /** An item whose deadline has come, null if there is none. */
  @Nullable EpItem firstDue(long now) {
    guard.lock();
    try {
      if (order.isEmpty()) {
        return null;
      }
      Entry first = order.first();
      return first.deadline() <= now ? first.item() : null;
    } finally {
      guard.unlock();
    }
  }
}
