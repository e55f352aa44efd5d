package io.github.eventpoll.bench;

import io.github.eventpoll.EventPollBuilder;
import java.time.Duration;

/** Looking for events for a while before going to sleep. */
final class BusyPoll {
  static final boolean AVAILABLE = true;

  /** Long enough: a wake-up takes several microseconds. */
  static final long MICROS = 20;

  private BusyPoll() {}

  static EventPollBuilder apply(EventPollBuilder builder, long micros) {
    return builder.busyPoll(Duration.ofNanos(1000 * micros));
  }
}
