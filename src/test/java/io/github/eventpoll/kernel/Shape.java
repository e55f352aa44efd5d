package io.github.eventpoll.kernel;

/** What a program that is drawn is about. */
enum Shape {
  /** Sources of all kinds, polls beside each other. */
  FLAT(true),
  /** Polls watch polls, in chains, trees, diamonds and, refused, in circles. */
  NESTED(true),
  /** Layers of polls that watch many of the next layer: paths multiply, up to their limits. */
  LATTICE(true),
  /** Many items are EXCLUSIVE. */
  EXCLUSIVE(true),
  /** Threads sleep in polls beside each other. */
  THREADS(false),
  /** Threads sleep in a poll of polls; every source is watched once, so that nothing is a race. */
  THREADS_ABOVE(false),
  /** Threads sleep in polls whose items are exclusive. */
  THREADS_EXCLUSIVE(false),
  /** Two threads sleep, and two things happen at the same time. */
  PAIR(false);

  final boolean alone;

  Shape(boolean alone) {
    this.alone = alone;
  }

  boolean nests() {
    return this == NESTED || this == LATTICE || this == EXCLUSIVE || this == THREADS_ABOVE;
  }

  boolean excludes() {
    return this == EXCLUSIVE || this == THREADS_EXCLUSIVE;
  }
}
