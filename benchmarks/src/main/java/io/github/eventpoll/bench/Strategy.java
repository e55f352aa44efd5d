package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A composition of a poll.
 *
 * @param lock null for what a poll has if nobody chooses; then the other components mean nothing,
 *     but the last
 * @param busyPoll microseconds of looking for events before a thread sleeps; 0 as nobody chose
 */
record Strategy(
    @Nullable LockKind lock,
    boolean mask,
    boolean notified,
    @Nullable Topology topology,
    long busyPoll) {
  /** A budget for busy polling that is long enough: a wake-up takes several microseconds. */
  static final long BUSY_MICROS = 20;

  static final Strategy DEFAULT = new Strategy(null, true, true);

  Strategy(@Nullable LockKind lock, boolean mask, boolean notified) {
    this(lock, mask, notified, null, 0);
  }

  Strategy busy(long micros) {
    return new Strategy(lock, mask, notified, topology, micros);
  }

  static Strategy filtered(LockKind lock) {
    return new Strategy(lock, true, true);
  }

  /** The one whose text this is. */
  static Strategy of(String text) {
    List<String> parts = Arrays.asList(text.split("\\+"));
    String kind = parts.get(0).toUpperCase(Locale.ROOT).replace('-', '_');
    LockKind lock = kind.equals("DEFAULT") ? null : LockKind.valueOf(kind);
    Strategy named = new Strategy(lock, parts.contains("mask"), parts.contains("notified"));
    return parts.contains("busy") ? named.busy(BUSY_MICROS) : named;
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

  /** The default, then every variant with both filters. */
  static List<Strategy> paths() {
    List<Strategy> paths = new ArrayList<>();
    paths.add(DEFAULT);
    for (LockKind lock : LockKind.values()) {
      paths.add(filtered(lock));
    }
    return paths;
  }

  EventPollBuilder builder() {
    EventPollBuilder builder = EventPoll.builder();
    if (lock != null) {
      builder.lock(lock).maskPreCheck(mask).notifiedFastPath(notified);
    }
    if (topology != null) {
      builder.topology(topology);
    }
    return builder.busyPoll(Duration.ofNanos(1000 * busyPoll));
  }

  EventPoll poll() {
    return builder().build();
  }

  String kind() {
    return lock == null ? "default" : lock.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String toString() {
    String filters = lock == null ? "" : (mask ? "+mask" : "") + (notified ? "+notified" : "");
    return kind() + filters + (busyPoll == 0 ? "" : "+busy");
  }
}
