package io.github.eventpoll.source;

import java.time.Duration;

/** Durations as nanoseconds. */
final class Durations {
  private Durations() {}

  /** The nanoseconds of a duration; what is too long or too short is the longest or shortest. */
  static long saturatedNanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /**
   * The same for a time span that must not be negative.
   *
   * @throws IllegalArgumentException if it is
   */
  static long requireNotNegative(Duration duration, String what) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + " is negative: " + duration);
    }
    return saturatedNanos(duration);
  }
}
