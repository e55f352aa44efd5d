package io.github.eventpoll;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The items of one poll, found by source and tag. Changed under the control lock, but for sources
 * that close; read by anyone without waiting (Linux: fs/eventpoll.c, {@code ep->rbr}, a tree).
 */
final class InterestTable {
  private static final Comparator<EpItem> AGE =
      Comparator.<EpItem>comparingLong(item -> item.queue.id).thenComparingLong(item -> item.tag);

  /**
   * By source: its item, or an immutable array of those with different tags. Additions to other
   * polls walk it: MO-NEST-1, MO-NEST-2.
   */
  private final ConcurrentHashMap<WaitQueue, Object> items = new ConcurrentHashMap<>();

  /** The items that watch polls: the edges that the nesting check follows (MO-NEST-2). */
  private final Set<EpItem> nested = ConcurrentHashMap.newKeySet();

  /** Adds an item unless source and tag are taken; returns the one that has them. */
  @Nullable EpItem putIfAbsent(EpItem item) {
    for (; ; ) {
      Object seen = items.putIfAbsent(item.queue, item);
      EpItem present = seen == null ? null : withTag(seen, item.tag);
      if (present != null) {
        return present;
      }
      if (seen == null || items.replace(item.queue, seen, with(seen, item))) {
        if (item.source instanceof EventPoll) {
          nested.add(item);
        }
        return null;
      }
    }
  }

  void remove(EpItem item) {
    for (; ; ) {
      Object seen = items.get(item.queue);
      if (seen == null || withTag(seen, item.tag) != item) {
        break;
      }
      Object left = without(seen, item);
      if (left == null ? items.remove(item.queue, seen) : items.replace(item.queue, seen, left)) {
        break;
      }
    }
    if (item.source instanceof EventPoll) {
      nested.remove(item);
    }
  }

  /** Finds the item of a source and a tag. */
  @Nullable EpItem find(WaitQueue queue, long tag) {
    Object seen = items.get(queue);
    return seen == null ? null : withTag(seen, tag);
  }

  /** The items of this moment, by the age of their sources, then by tag. */
  List<EpItem> inOrder() {
    List<EpItem> all = new ArrayList<>(items.size());
    anyOrder().forEach(all::add);
    all.sort(AGE);
    return all;
  }

  /** The items in any order; a live view that never waits and never fails. */
  Iterable<EpItem> anyOrder() {
    return Walk::new;
  }

  private final class Walk implements Iterator<EpItem> {
    private final Iterator<Object> sources = items.values().iterator();
    private Iterator<EpItem> tags = Collections.emptyIterator();

    @Override
    public boolean hasNext() {
      return tags.hasNext() || sources.hasNext();
    }

    @Override
    public EpItem next() {
      if (tags.hasNext()) {
        return tags.next();
      }
      Object value = sources.next();
      if (value instanceof EpItem one) {
        return one;
      }
      tags = Arrays.asList((EpItem[]) value).iterator();
      return tags.next();
    }
  }

  Collection<EpItem> nested() {
    return nested;
  }

  private static @Nullable EpItem withTag(Object value, long tag) {
    if (value instanceof EpItem one) {
      return one.tag == tag ? one : null;
    }
    for (EpItem one : (EpItem[]) value) {
      if (one.tag == tag) {
        return one;
      }
    }
    return null;
  }

  private static EpItem[] with(Object value, EpItem item) {
    if (value instanceof EpItem one) {
      return new EpItem[] {one, item};
    }
    EpItem[] old = (EpItem[]) value;
    EpItem[] grown = Arrays.copyOf(old, old.length + 1);
    grown[old.length] = item;
    return grown;
  }

  /** Null if nothing is left. */
  private static @Nullable Object without(Object value, EpItem item) {
    if (value == item) {
      return null;
    }
    List<EpItem> left = new ArrayList<>(Arrays.asList((EpItem[]) value));
    left.remove(item);
    return left.size() == 1 ? left.get(0) : left.toArray(EpItem[]::new);
  }
}
