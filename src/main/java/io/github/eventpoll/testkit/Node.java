package io.github.eventpoll.testkit;

/** A place in the tree of schedules: who could go on there, and who has been tried. */
final class Node {
  final int enabled;

  /** Whom to try: bits of threads. */
  int backtrack;

  /** Who has been tried. */
  int done;

  /** Who need not be tried, because what would follow has been seen; with what they would do. */
  int asleep;

  /** What the next step of a thread does that was tried or is asleep. */
  final Footprint[] steps;

  int chosen;

  /** How often so far somebody was stopped who could have gone on. */
  int preemptions;

  /** Where the step that was made here ended, to see whether it does the same again. */
  Label reached = Label.START;

  Node(int enabled, int threads) {
    this.enabled = enabled;
    this.steps = new Footprint[threads];
  }

  int open() {
    return backtrack & ~done & ~asleep;
  }

  static int bit(int thread) {
    return 1 << thread;
  }
}
