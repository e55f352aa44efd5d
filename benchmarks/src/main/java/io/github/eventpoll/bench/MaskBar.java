package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.source.EventFd;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * P2, the table of the mask pre-check patch: N threads share one poll, each writes and reads a
 * counter of its own that is registered for PRI only, so that every wake is unwanted; against the
 * same loop with nothing registered.
 */
final class MaskBar implements Bars.Bar {
  private static final int[] THREADS = {1, 2, 4, 12};
  private static final String BARE = "nothing registered";

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int rounds = quick ? 5 : 9;
    long nanos = quick ? 60_000_000L : 500_000_000L;
    for (int threads : THREADS) {
      measure(report, threads, Strategy.DEFAULT, null, rounds, nanos);
      for (LockKind lock : LockKind.values()) {
        Strategy with = new Strategy(lock, true, false);
        Strategy without = new Strategy(lock, false, false);
        measure(report, threads, with, without, rounds, nanos);
      }
    }
    for (Strategy strategy : Strategy.paths()) {
      report.atMost("P2", strategy + ", locks taken by unwanted events", locks(strategy), 0);
    }
  }

  private static void measure(
      Report report, int threads, Strategy with, @Nullable Strategy without, int times, long nanos)
      throws Exception {
    Rounds<Double> rounds =
        new Rounds<Double>()
            .add(BARE, () -> run(threads, null, nanos))
            .add(with.toString(), () -> run(threads, with, nanos));
    if (without != null) {
      rounds.add(without.toString(), () -> run(threads, without, nanos));
    }
    rounds.run(times);
    if (threads > 1) {
      rounds.printTrips(report, "P2");
    }
    String what = String.format(Locale.ROOT, "%2d threads, ", threads);
    report.info("P2", what + BARE, rounds.median(BARE, r -> r), "ops/ms");
    what += with + " / ";
    report.atLeast("P2", what + BARE, rounds.ratio(with.toString(), BARE, r -> r), 0.85);
    if (without != null) {
      Ratio ratio = rounds.ratio(with.toString(), without.toString(), r -> r);
      if (with.lock() != LockKind.LOCK_FREE && (threads == 2 || threads == 12)) {
        report.atLeast("P2", what + "without", ratio, 6);
      } else {
        report.info("P2", what + "without", ratio, "");
      }
    }
  }

  /** How often 1000 unwanted wakes take the path's lock. */
  private static long locks(Strategy strategy) {
    try (EventPoll poll = strategy.builder().countStats(true).build();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.PRI);
      for (int i = 0; i < 1000; i++) {
        fd.tryWrite(1);
        fd.tryRead();
      }
      return poll.stats().locksTaken();
    }
  }

  /** Operations per millisecond of all threads together; null for a poll without items. */
  static double run(int threads, @Nullable Strategy strategy, long nanos) throws Exception {
    try (EventPoll poll = strategy == null ? EventPoll.create() : strategy.poll()) {
      return Load.run(
          threads,
          nanos,
          () -> {
            EventFd fd = EventFd.create();
            if (strategy != null) {
              poll.add(fd, Events.PRI);
            }
            return rounds -> {
              long sum = 0;
              for (long i = 0; i < rounds; i++) {
                fd.tryWrite(1);
                sum += fd.tryRead();
              }
              return sum;
            };
          });
    }
  }
}
