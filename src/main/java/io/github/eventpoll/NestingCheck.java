package io.github.eventpoll;

import java.util.IdentityHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps polls from watching each other in a circle and from standing more than five in a row
 * (Linux: fs/eventpoll.c:ep_loop_check). Asked with every stripe of {@link TopologyLocks} held:
 * edges between polls are added one at a time in the whole process. Removals may happen meanwhile,
 * because they only make chains shorter.
 */
final class NestingCheck {
  // Linux: fs/eventpoll.c:EP_MAX_NESTS, edges in a chain
  static final int MAX_EDGES = 4;

  private final EventPoll outer;
  private final IdentityHashMap<EventPoll, Integer> below = new IdentityHashMap<>();
  private final IdentityHashMap<EventPoll, Integer> above = new IdentityHashMap<>();
  private boolean circle;

  private NestingCheck(EventPoll outer) {
    this.outer = outer;
  }

  /** Why the edge outer → inner must not be, ELOOP; null if it may. */
  static @Nullable Supplier<RuntimeException> refusal(EventPoll outer, EventPoll inner) {
    Object record = Recorder.IT.beginLoopCheck();
    NestingCheck check = new NestingCheck(outer);
    int edges = check.edgesBelow(inner, 0) + 1 + check.edgesAbove(outer, 0);
    boolean refused = check.circle || edges > MAX_EDGES;
    Recorder.IT.endLoopCheck(
        record, outer, inner, check.below.size() + check.above.size(), refused);
    if (check.circle) {
      return () -> loop(inner + " watches " + outer + " already, directly or through others");
    }
    if (edges > MAX_EDGES) {
      String row = " would put more than " + (MAX_EDGES + 1) + " in a row";
      return () -> loop(outer + " watching " + inner + row);
    }
    return null;
  }

  private static EventPollArgumentException loop(String why) {
    return new EventPollArgumentException(Errno.ELOOP, why);
  }

  private int edgesBelow(EventPoll poll, int depth) {
    if (poll == outer) {
      circle = true;
      return 0;
    }
    Integer known = below.get(poll);
    if (known != null) {
      return known;
    }
    int most = 0;
    if (depth <= MAX_EDGES) {
      for (EpItem item : poll.registry.interest.nested()) {
        most = Math.max(most, edgesBelow((EventPoll) item.source, depth + 1) + 1);
      }
    }
    below.put(poll, most);
    return most;
  }

  private int edgesAbove(EventPoll poll, int depth) {
    Integer known = above.get(poll);
    if (known != null) {
      return known;
    }
    int most = 0;
    if (depth <= MAX_EDGES) {
      for (WaitEntry entry : poll.waitQueue().snapshot()) {
        if (entry instanceof EpItem item) {
          most = Math.max(most, edgesAbove(item.poll, depth + 1) + 1);
        }
      }
    }
    above.put(poll, most);
    return most;
  }
}
