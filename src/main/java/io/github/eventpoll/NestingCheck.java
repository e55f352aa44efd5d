package io.github.eventpoll;

import java.util.IdentityHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps polls from watching each other in a circle and from standing more than five in a row
 * (Linux: fs/eventpoll.c:ep_loop_check). Additions of polls to polls happen one at a time in the
 * whole process; removals may happen meanwhile, because they only make chains shorter.
 */
final class NestingCheck {
  /** Guards every edge that is added between polls; taken before any control lock. */
  static final ReentrantLock TOPOLOGY = new ReentrantLock();

  // Linux: fs/eventpoll.c:EP_MAX_NESTS, edges in a chain
  private static final int MAX_EDGES = 4;

  private final EventPoll outer;
  private final EventPoll inner;
  private final IdentityHashMap<EventPoll, Integer> below = new IdentityHashMap<>();
  private final IdentityHashMap<EventPoll, Integer> above = new IdentityHashMap<>();

  private NestingCheck(EventPoll outer, EventPoll inner) {
    this.outer = outer;
    this.inner = inner;
  }

  /** Refuses the edge outer → inner with ELOOP if need be. {@link #TOPOLOGY} held. */
  static void require(EventPoll outer, EventPoll inner) {
    assert TOPOLOGY.isHeldByCurrentThread();
    NestingCheck check = new NestingCheck(outer, inner);
    int edges = check.edgesBelow(inner, 0) + 1 + check.edgesAbove(outer, 0);
    if (edges > MAX_EDGES) {
      throw new EventPollArgumentException(
          Errno.ELOOP,
          outer + " watching " + inner + " would put more than " + (MAX_EDGES + 1) + " in a row");
    }
  }

  private int edgesBelow(EventPoll poll, int depth) {
    if (poll == outer) {
      throw new EventPollArgumentException(
          Errno.ELOOP, inner + " watches " + outer + " already, directly or through others");
    }
    Integer known = below.get(poll);
    if (known != null) {
      return known;
    }
    int most = 0;
    if (depth <= MAX_EDGES) {
      for (EpItem item : poll.registry.tree.nested()) {
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
