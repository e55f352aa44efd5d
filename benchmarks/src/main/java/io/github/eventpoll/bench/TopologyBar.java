package io.github.eventpoll.bench;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Topology;
import io.github.eventpoll.source.EventFd;
import java.util.Locale;
import java.util.function.LongUnaryOperator;

/**
 * P5, the table of the patch for parallel additions: each worker has a poll of its own, which one
 * outer poll watches, and adds and removes a source of its own; with each topology, beside the same
 * without the outer poll.
 */
final class TopologyBar implements Bars.Bar {
  private static final int[] WORKERS = {1, 2, 4};

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int rounds = quick ? 5 : 11;
    long nanos = quick ? 150_000_000L : 1_000_000_000L;
    for (Topology kind : Topology.values()) { // every kind is warm before one is measured
      run(kind, 2, true, nanos);
      run(kind, 2, false, nanos);
    }
    for (int workers : WORKERS) {
      measure(report, workers, rounds, nanos);
    }
    locksOfFlatAdditions(report);
  }

  /** Rounds in which everything is measured once, one after the other. */
  private static void measure(Report report, int workers, int rounds, long nanos) throws Exception {
    double[][] nested = new double[Topology.values().length][rounds];
    double[][] flat = new double[Topology.values().length][rounds];
    double[] scaling = new double[rounds];
    double[] trips = new double[rounds];
    int repeats = 2 * rounds;
    for (int i = 0; i < rounds; i++) {
      double before = LineTrip.nanos();
      double alone = run(Topology.STRIPED, 1, true, nanos);
      for (Topology kind : Topology.values()) {
        nested[kind.ordinal()][i] = run(kind, workers, true, nanos);
        flat[kind.ordinal()][i] = run(kind, workers, false, nanos);
      }
      scaling[i] = nested[Topology.STRIPED.ordinal()][i] / alone;
      trips[i] = LineTrip.nanos();
      if (workers > 1 && !LineTrip.isSteady(before, trips[i]) && repeats-- > 0) {
        i--; // the machine has changed under it
      }
    }
    if (workers > 1) {
      report.info("P5", "cache line between processors, there and back", Ratio.of(trips), "ns");
    }
    report(report, workers, nested, flat, scaling);
  }

  private static void report(
      Report report, int workers, double[][] nested, double[][] flat, double[] scaling) {
    double[] mutex = nested[Topology.GLOBAL_MUTEX.ordinal()];
    for (Topology kind : Topology.values()) {
      String what = String.format(Locale.ROOT, "%d workers, %s", workers, kind);
      int k = kind.ordinal();
      report.info("P5", what + ", watched", Ratio.medianOf(nested[k]), "pairs/ms");
      report.info("P5", what + ", flat", Ratio.medianOf(flat[k]), "pairs/ms");
    }
    Ratio ours = ratio(nested[Topology.STRIPED.ordinal()], mutex);
    String striped = workers + " workers, striped / global mutex";
    switch (workers) {
      case 1 -> report.atLeast("P5", striped, ours, 0.95);
      case 2 -> {
        report.atLeast("P5", striped, ours, 4);
        report.atLeast("P5", "striped, 2 workers / 1 worker", Ratio.of(scaling), 1.75);
      }
      default -> report.info("P5", striped, ours, "");
    }
    report.info(
        "P5",
        workers + " workers, shared / global mutex",
        ratio(nested[Topology.SHARED.ordinal()], mutex),
        "");
    report.atLeast(
        "P5",
        workers + " workers, flat, striped / global mutex",
        ratio(flat[Topology.STRIPED.ordinal()], flat[Topology.GLOBAL_MUTEX.ordinal()]),
        0.95);
  }

  private static Ratio ratio(double[] mine, double[] base) {
    double[] ratios = new double[mine.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = mine[i] / base[i];
    }
    return Ratio.of(ratios);
  }

  /** Pairs per millisecond of all workers together. */
  private static double run(Topology kind, int workers, boolean watched, long nanos)
      throws Exception {
    try (EventPoll outer = EventPoll.builder().topology(kind).build()) {
      return Load.run(
          workers,
          nanos,
          () -> {
            EventPoll poll = EventPoll.builder().topology(kind).build();
            if (watched) {
              outer.add(poll, Events.IN);
            }
            return pairs(poll, EventFd.create());
          });
    }
  }

  private static LongUnaryOperator pairs(EventPoll poll, EventFd source) {
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        EpItem item = poll.add(source, Events.IN);
        sum += item.interest();
        item.remove();
      }
      return sum;
    };
  }

  private static void locksOfFlatAdditions(Report report) {
    long locks = 0;
    for (Topology kind : Topology.values()) {
      try (EventPoll poll = EventPoll.builder().topology(kind).countStats(true).build()) {
        Pairs.sink += pairs(poll, EventFd.create()).applyAsLong(10_000);
        locks += poll.stats().topologyLocksTaken();
      }
    }
    report.atMost("P5", "topology locks of 30 000 flat additions", locks, 0);
  }
}
