package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.source.EventFd;
import java.util.Locale;

/**
 * P2, the table of the mask pre-check patch: N threads share one poll, each writes and reads a
 * counter of its own that is registered for PRI only, so that every wake is unwanted; against the
 * same loop with nothing registered. The bars are about the pre-check; without it the ratio tells
 * what the patch can win.
 */
final class MaskBar implements Bars.Bar {
  private static final int[] THREADS = {1, 2, 4, 12};

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int pairs = quick ? 5 : 9;
    long nanos = quick ? 300_000_000L : 1_000_000_000L;
    for (int threads : THREADS) {
      double[] ratios = new double[pairs];
      double[] bare = new double[pairs];
      run(threads, true, nanos);
      for (int i = 0; i < pairs; i++) {
        bare[i] = run(threads, false, nanos);
        ratios[i] = run(threads, true, nanos) / bare[i];
      }
      report.info(
          "P2",
          String.format(
              Locale.ROOT,
              "%2d threads, PRI only, no pre-check / nothing registered (%.0f ops/ms)",
              threads,
              Ratio.medianOf(bare)),
          Ratio.of(ratios),
          "");
    }
  }

  /** Operations per millisecond of all threads together. */
  private static double run(int threads, boolean registered, long nanos) throws Exception {
    try (EventPoll poll = EventPoll.create()) {
      return Load.run(
          threads,
          nanos,
          () -> {
            EventFd fd = EventFd.create();
            if (registered) {
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
