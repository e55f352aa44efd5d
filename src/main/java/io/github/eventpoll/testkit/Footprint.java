package io.github.eventpoll.testkit;

/**
 * What a step may read and write, as bits of things; immutable. Two steps of different threads can
 * change places if neither writes what the other reads or writes.
 */
record Footprint(long reads, long writes) {
  /** Anything: what is assumed of code that nothing is known about. */
  static final Footprint ALL = new Footprint(-1, -1);

  static final Footprint NOTHING = new Footprint(0, 0);

  static Footprint reading(long things) {
    return new Footprint(things, 0);
  }

  static Footprint changing(long things) {
    return new Footprint(things, things);
  }

  Footprint and(Footprint other) {
    return new Footprint(reads | other.reads, writes | other.writes);
  }

  Footprint without(long things) {
    return new Footprint(reads & ~things, writes & ~things);
  }

  /** True if the order of the two matters. */
  boolean conflicts(Footprint other) {
    return (writes & (other.reads | other.writes)) != 0 || (other.writes & reads) != 0;
  }
}
