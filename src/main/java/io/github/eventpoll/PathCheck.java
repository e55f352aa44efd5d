package io.github.eventpoll;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the paths on which an event of a source climbs to polls that no poll watches, with one
 * edge more than there is (Linux: fs/eventpoll.c:reverse_path_check, which adds the edge first).
 *
 * <p>Counted are paths, not polls: two ways to one poll count twice. Of each poll above it is
 * remembered how many paths lead upward from it, so that a check looks at each poll and each edge
 * once, however many paths they make. The caller sees to it that no edge that matters is added
 * meanwhile (claims MO-NEST-1, MO-NEST-2); edges may be removed.
 */
final class PathCheck {
  private static final long PLENTY = 1L << 40; // larger than any limit, and sums stay exact

  private final EpItem added;
  private final PathLimits limits;
  private final IdentityHashMap<EventPoll, long[]> above = new IdentityHashMap<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private PathCheck(EpItem added, PathLimits limits) {
    this.added = added;
    this.limits = limits;
  }

  /** Why the item's edge must not be, EINVAL; null if it may. The item is not linked yet. */
  static @Nullable Supplier<RuntimeException> refusal(EpItem item, PathLimits limits) {
    if (item.source instanceof EventPoll inner) {
      return new PathCheck(item, limits).below(inner);
    }
    int row = item.queue.hasEntries() ? 0 : pollsInRow(item.poll);
    if (row > 1 && limits.through(row) > 0) {
      return null; // one path only
    }
    return new PathCheck(item, limits).leaf(item);
  }

  /** How many polls stand above this one, itself included, each watched by one; 0 if not so. */
  private static int pollsInRow(EventPoll lowest) {
    EventPoll poll = lowest;
    for (int polls = 1; polls <= PathLimits.LONGEST; polls++) {
      WaitEntry[] watchers = poll.waitQueue().snapshot();
      if (watchers.length == 0) {
        return polls;
      }
      if (watchers.length > 1 || !(watchers[0] instanceof EpItem item)) {
        return 0;
      }
      poll = item.poll;
    }
    return 0;
  }

  /** All sources in a poll and below it. */
  private @Nullable Supplier<RuntimeException> below(EventPoll poll) {
    if (!seen.add(poll)) {
      return null;
    }
    boolean roomForOne = limits.exceededBy(above(poll)) == 0;
    for (EpItem item : poll.registry.interest.anyOrder()) {
      Supplier<RuntimeException> refusal = null;
      if (item.source instanceof EventPoll next) {
        refusal = below(next);
      } else if (!roomForOne || !item.queue.holdsOnly(item)) {
        refusal = leaf(item);
      }
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable Supplier<RuntimeException> leaf(EpItem item) {
    if (!seen.add(item.queue)) {
      return null;
    }
    long[] paths = new long[PathLimits.LONGEST];
    for (WaitEntry entry : item.queue.snapshot()) {
      if (entry instanceof EpItem watcher) {
        sum(paths, above(watcher.poll), 0);
      }
    }
    if (item == added) {
      sum(paths, above(item.poll), 0);
    }
    int polls = limits.exceededBy(paths);
    return polls == 0 ? null : () -> tooMany(item.source, polls);
  }

  private RuntimeException tooMany(Pollable source, int polls) {
    return new EventPollArgumentException(
        Errno.EINVAL,
        added.poll
            + " watching "
            + added.source
            + ": more than "
            + limits.through(polls)
            + " paths through "
            + polls
            + " polls would lead from "
            + source);
  }

  /** The paths from a poll upward, by the number of polls on them; the poll itself is the first. */
  private long[] above(EventPoll poll) {
    long[] known = above.get(poll);
    if (known != null) {
      return known;
    }
    long[] paths = new long[PathLimits.LONGEST];
    boolean watched = poll == added.source;
    if (watched) {
      sum(paths, above(added.poll), 1);
    }
    for (WaitEntry entry : poll.waitQueue().snapshot()) {
      if (entry instanceof EpItem watcher) {
        watched = true;
        sum(paths, above(watcher.poll), 1);
      }
    }
    if (!watched) {
      paths[0] = 1;
    }
    above.put(poll, paths);
    return paths;
  }

  private static void sum(long[] paths, long[] more, int longer) {
    for (int i = longer; i < paths.length; i++) {
      paths[i] = Math.min(PLENTY, paths[i] + more[i - longer]);
    }
  }
}
