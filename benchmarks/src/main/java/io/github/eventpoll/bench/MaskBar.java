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

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int pairs = quick ? 5 : 9;
    long nanos = quick ? 100_000_000L : 1_000_000_000L;
    for (LockKind lock : LockKind.values()) {
      for (int threads : THREADS) {
        measure(report, lock, threads, pairs, nanos);
      }
      report.atMost("P2", Strategy.filtered(lock) + " locks taken", locks(lock), 0);
    }
  }

  private static void measure(Report report, LockKind lock, int threads, int pairs, long nanos)
      throws Exception {
    Strategy with = new Strategy(lock, true, false);
    Strategy without = new Strategy(lock, false, false);
    double[] toBare = new double[pairs];
    double[] toWithout = new double[pairs];
    run(threads, with, nanos);
    for (int i = 0; i < pairs; i++) {
      double bare = run(threads, null, nanos);
      double checked = run(threads, with, nanos);
      toBare[i] = checked / bare;
      toWithout[i] = checked / run(threads, without, nanos);
    }
    String what = String.format(Locale.ROOT, "%s %2d threads, with pre-check / ", with, threads);
    report.atLeast("P2", what + "nothing registered", Ratio.of(toBare), 0.85);
    if (lock != LockKind.LOCK_FREE && (threads == 2 || threads == 12)) {
      report.atLeast("P2", what + "without", Ratio.of(toWithout), 6);
    } else {
      report.info("P2", what + "without", Ratio.of(toWithout), "");
    }
  }

  /** How often 1000 unwanted wakes take the path's lock. */
  private static long locks(LockKind lock) {
    try (EventPoll poll = Strategy.filtered(lock).builder().countStats(true).build();
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
  private static double run(int threads, @Nullable Strategy strategy, long nanos) throws Exception {
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
