package io.github.eventpoll.source;

import java.time.Duration;

/** What is left of a timeout. */
final class Remaining {
  private final long start = System.nanoTime();
  private final long nanos;

  Remaining(Duration timeout) {
    nanos = Math.max(0, Durations.saturatedNanos(timeout));
  }

  Duration get() {
    return Duration.ofNanos(nanos - (System.nanoTime() - start));
  }
}
