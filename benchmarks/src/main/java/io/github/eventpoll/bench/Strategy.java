package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A composition of the callback path. */
record Strategy(LockKind lock, boolean mask, boolean notified) {
  static Strategy filtered(LockKind lock) {
    return new Strategy(lock, true, true);
  }

  static List<Strategy> all() {
    List<Strategy> all = new ArrayList<>();
    for (LockKind lock : LockKind.values()) {
      for (int filters = 0; filters < 4; filters++) {
        all.add(new Strategy(lock, (filters & 1) != 0, (filters & 2) != 0));
      }
    }
    return all;
  }

  EventPollBuilder builder() {
    return EventPoll.builder().lock(lock).maskPreCheck(mask).notifiedFastPath(notified);
  }

  EventPoll poll() {
    return builder().build();
  }

  String kind() {
    return lock.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String toString() {
    return kind() + (mask ? "+mask" : "") + (notified ? "+notified" : "");
  }
}
