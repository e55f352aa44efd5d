package io.github.eventpoll.nio;

/**
 * Counts the selects that came back with nothing, too early and without anybody's doing: a selector
 * that does so for ever burns a processor. Used by the holder of the turn.
 */
final class EmptyReturns {
  private static final int SUSPICIOUS = 16;
  private static final int BROKEN = 512;

  private int count;

  /** A count, for looking; written with the driver's turn. */
  private volatile long all;

  /** One more. True if something should be done about it. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the holder of the turn is the only writer
  boolean tooMany(OpenSelector selector) {
    if (!selector.cameEarly()) {
      count = 0;
      return false;
    }
    count++;
    all++;
    return count % SUSPICIOUS == 0;
  }

  boolean worthRebuilding() {
    return count >= BROKEN;
  }

  /** All that ever were. */
  long all() {
    return all;
  }

  void reset() {
    count = 0;
  }
}
