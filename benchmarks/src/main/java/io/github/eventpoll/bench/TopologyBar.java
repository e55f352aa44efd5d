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
  private static final String ALONE = "one worker";

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    for (int workers : WORKERS) {
      measure(report, workers, quick ? 5 : 11, quick ? 150_000_000L : 1_000_000_000L);
    }
    locksOfFlatAdditions(report);
  }

  private static void measure(Report report, int workers, int times, long nanos) throws Exception {
    Rounds<Double> rounds =
        new Rounds<Double>().add(ALONE, () -> run(Topology.STRIPED, 1, true, nanos));
    for (Topology kind : Topology.values()) {
      rounds.add(nested(kind), () -> run(kind, workers, true, nanos));
      rounds.add(flat(kind), () -> run(kind, workers, false, nanos));
    }
    rounds.run(times);
    if (workers > 1) {
      rounds.printTrips(report, "P5");
    }
    report(report, workers, rounds);
  }

  private static String nested(Topology kind) {
    return kind + ", watched";
  }

  private static String flat(Topology kind) {
    return kind + ", flat";
  }

  private static void report(Report report, int workers, Rounds<Double> rounds) {
    for (Topology kind : Topology.values()) {
      String what = String.format(Locale.ROOT, "%d workers, ", workers);
      report.info("P5", what + nested(kind), median(rounds, nested(kind)), "pairs/ms");
      report.info("P5", what + flat(kind), median(rounds, flat(kind)), "pairs/ms");
    }
    String mutex = nested(Topology.GLOBAL_MUTEX);
    Ratio ours = rounds.ratio(nested(Topology.STRIPED), mutex, r -> r);
    String striped = workers + " workers, striped / global mutex";
    switch (workers) {
      case 1 -> report.atLeast("P5", striped, ours, 0.95);
      case 2 -> {
        report.atLeast("P5", striped, ours, 4);
        Ratio scaling = rounds.ratio(nested(Topology.STRIPED), ALONE, r -> r);
        report.atLeast("P5", "striped, 2 workers / 1 worker", scaling, 1.75);
      }
      default -> report.info("P5", striped, ours, "");
    }
    report.info(
        "P5",
        workers + " workers, shared / global mutex",
        rounds.ratio(nested(Topology.SHARED), mutex, r -> r),
        "");
    report.atLeast(
        "P5",
        workers + " workers, flat, striped / global mutex",
        rounds.ratio(flat(Topology.STRIPED), flat(Topology.GLOBAL_MUTEX), r -> r),
        0.95);
  }

  private static double median(Rounds<Double> rounds, String name) {
    return rounds.median(name, r -> r);
  }

  /** Pairs per millisecond of all workers together. */
  static double run(Topology kind, int workers, boolean watched, long nanos) throws Exception {
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
