package io.github.eventpoll.bench;

import io.github.eventpoll.EventPollBuilder;

/** Looking for events for a while before going to sleep, as far as polls can do it. */
final class BusyPoll {
  /** Whether the builder has such a setting: not yet. */
  static final boolean AVAILABLE = false;

  /** Long enough: a wake-up takes several microseconds. */
  static final long MICROS = 20;

  private BusyPoll() {}

  static EventPollBuilder apply(EventPollBuilder builder, long micros) {
    if (micros != 0) {
      throw new UnsupportedOperationException("no budget of " + micros + " us for " + builder);
    }
    return builder;
  }
}
