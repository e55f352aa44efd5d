package io.github.eventpoll.testkit;

import java.util.Arrays;
import java.util.List;

/**
 * Finds in a finished run the pairs of conflicting steps between which nothing lies that orders
 * them, and notes at the node before the first of them that another thread should be tried there.
 */
final class Races {
  private final int threads;
  private final List<Event> events;
  private final List<Node> path;

  /**
   * For each step and thread: how many steps of the run, counted to that thread's last, precede.
   */
  private final int[][] clocks;

  private final int[][] ofThreads;

  Races(int threads, List<Event> events, List<Node> path) {
    this.threads = threads;
    this.events = events;
    this.path = path;
    clocks = new int[events.size()][];
    ofThreads = new int[threads][threads];
  }

  void turnRound() {
    for (int j = 0; j < events.size(); j++) {
      Event event = events.get(j);
      int[] clock = ofThreads[event.thread()].clone();
      for (int i = 0; i < event.after(); i++) { // time moved by itself: nothing could come earlier
        join(clock, clocks[i]);
      }
      for (int i = j - 1; i >= event.after(); i--) {
        Event other = events.get(i);
        boolean ordered = clock[other.thread()] > i;
        if (!ordered && other.footprint().conflicts(event.footprint())) {
          turnRound(i, j, clock);
          join(clock, clocks[i]);
        }
      }
      clock[event.thread()] = j + 1;
      clocks[j] = clock;
      ofThreads[event.thread()] = clock;
    }
  }

  private static void join(int[] into, int[] other) {
    for (int q = 0; q < into.length; q++) {
      into[q] = Math.max(into[q], other[q]);
    }
  }

  /** Step i races with step j, whose clock knows of all that follows i. */
  private void turnRound(int i, int j, int[] clockOfJ) {
    int first = initials(i, j, clockOfJ);
    Node node = path.get(i);
    if ((first & (node.backtrack | node.asleep)) != 0) {
      return;
    }
    int possible = first & node.enabled;
    int own = Node.bit(events.get(j).thread());
    if ((possible & own) != 0) {
      node.backtrack |= own;
    } else if (possible != 0) {
      node.backtrack |= Integer.lowestOneBit(possible);
    } else {
      node.backtrack |= node.enabled;
    }
  }

  /** The threads that can begin what follows i without depending on it, up to j. */
  private int initials(int i, int j, int[] clockOfJ) {
    int raced = events.get(i).thread();
    int[] rest = new int[j - i];
    int size = 0;
    int met = 0;
    int first = 0;
    for (int k = i + 1; k <= j; k++) {
      int[] clock = k == j ? clockOfJ : clocks[k];
      int thread = events.get(k).thread();
      if (k < j && clock[raced] > i) {
        continue; // after i
      }
      if ((met & Node.bit(thread)) == 0) {
        met |= Node.bit(thread);
        if (!dependsOn(clock, Arrays.copyOf(rest, size))) {
          first |= Node.bit(thread);
        }
      }
      rest[size++] = k;
    }
    assert met < 1 << threads;
    return first;
  }

  private boolean dependsOn(int[] clock, int[] steps) {
    for (int m : steps) {
      if (clock[events.get(m).thread()] > m) {
        return true;
      }
    }
    return false;
  }
}
