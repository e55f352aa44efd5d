package io.github.eventpoll.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the tree of schedules, depth first, each time from the start. With the reduction on,
 * of all schedules that differ only in the order of neighbouring steps that do not conflict at
 * least one is run to its end: races that a finished run shows are turned round (dynamic partial
 * order reduction with source sets, after Abdulla, Aronis, Jonsson and Sagonas, 2014), and a thread
 * sleeps at a node while what it would do has been seen there (Godefroid's sleep sets).
 */
final class Explorer implements Run.Chooser {
  private final int threads;
  private final boolean reduces;
  private final int maxPreemptions;
  private final List<Node> path = new ArrayList<>();

  /** Where the present run is in the path. */
  private int depth;

  /** The present run was given up because everything that could follow has been seen. */
  boolean seenBefore;

  /** A run that followed the same schedule did other things than the one before. */
  @Nullable String surprise;

  /** Some schedule was left out because of the bound of preemptions. */
  boolean leftOut;

  Explorer(int threads, boolean reduces, int maxPreemptions) {
    this.threads = threads;
    this.reduces = reduces;
    this.maxPreemptions = maxPreemptions;
  }

  /** Before each run. */
  void begin() {
    depth = 0;
    seenBefore = false;
  }

  @Override
  public int choose(Run run, int enabled) {
    if (depth > 0) {
      compare(run.events.get(depth - 1));
    }
    if (surprise != null) {
      return PAUSE;
    }
    if (depth < path.size()) {
      Node node = path.get(depth++);
      if (node.enabled != enabled) {
        surprise = "step " + depth + ": other threads can run than the last time";
        return PAUSE;
      }
      return node.chosen;
    }
    Node node = newNode(run, enabled);
    int open = enabled & ~node.asleep;
    if (open == 0) {
      seenBefore = true;
      return PAUSE;
    }
    node.chosen = pick(open, run.last);
    if (reduces) {
      node.backtrack = Node.bit(node.chosen);
    }
    path.add(node);
    depth++;
    return node.chosen;
  }

  /** The last step of a run has no choice after it. */
  void finish(Run run) {
    if (surprise == null && depth > 0 && run.events.size() == depth) {
      compare(run.events.get(depth - 1));
    }
  }

  private void compare(Event event) {
    Node before = path.get(depth - 1);
    if ((before.done & Node.bit(before.chosen)) == 0 && before.reached == Label.START) {
      before.reached = event.to();
      before.steps[before.chosen] = event.footprint();
    } else if (!before.reached.isLike(event.to())) {
      surprise =
          "step " + depth + ": came to " + event.to().name() + ", not " + before.reached.name();
    }
  }

  private Node newNode(Run run, int enabled) {
    Node node = new Node(enabled, threads);
    if (depth == 0) {
      node.backtrack = enabled;
      return node;
    }
    Node parent = path.get(depth - 1);
    if (reduces) {
      Footprint made = run.events.get(depth - 1).footprint();
      int candidates = (parent.asleep | parent.done) & ~Node.bit(parent.chosen);
      for (int q = 0; q < threads; q++) {
        Footprint step = parent.steps[q];
        if ((candidates & Node.bit(q)) != 0 && step != null && !step.conflicts(made)) {
          node.asleep |= Node.bit(q);
          node.steps[q] = step;
        }
      }
      return node;
    }
    boolean canGoOn = run.last >= 0 && (enabled & Node.bit(run.last)) != 0;
    boolean parentCouldGoOn = depth > 1 && wasPreempted(parent, path.get(depth - 2));
    node.preemptions = parent.preemptions + (parentCouldGoOn ? 1 : 0);
    if (canGoOn && node.preemptions >= maxPreemptions) {
      leftOut |= enabled != Node.bit(run.last);
      node.backtrack = Node.bit(run.last);
    } else {
      node.backtrack = enabled;
    }
    return node;
  }

  /** Whether at a node somebody was chosen though the one before could have gone on. */
  private static boolean wasPreempted(Node node, Node before) {
    return before.chosen != node.chosen && (node.enabled & Node.bit(before.chosen)) != 0;
  }

  private static int pick(int open, int last) {
    return last >= 0 && (open & Node.bit(last)) != 0 ? last : Integer.numberOfTrailingZeros(open);
  }

  /**
   * After a run: prepares the next.
   *
   * @return false if there is none
   */
  boolean advance(List<Event> events) {
    if (reduces) {
      new Races(threads, events, path).turnRound();
    }
    while (!path.isEmpty()) {
      Node node = path.get(path.size() - 1);
      node.done |= Node.bit(node.chosen);
      int open = node.open();
      if (open != 0) {
        node.chosen = Integer.numberOfTrailingZeros(open);
        node.reached = Label.START;
        return true;
      }
      path.remove(path.size() - 1);
    }
    return false;
  }
}
