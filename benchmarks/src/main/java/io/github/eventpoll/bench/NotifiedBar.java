package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Stats;
import io.github.eventpoll.bench.WritersReaders.Result;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * P3, the notified fast path: a write to a counter whose level-triggered item is queued already,
 * against one atomic read-modify-write; the patch's table of writers and readers, and its
 * ping-pong.
 */
final class NotifiedBar implements Bars.Bar {
  private static final int WRITES = 1000;
  private static final int[] PAIRS = {1, 8};

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    Pairs pairs = new Pairs(quick ? 5 : 15, quick ? 30_000_000L : 200_000_000L);
    LongUnaryOperator base = SignalBar.getAndAdd();
    report.atMost(
        "P3",
        "default queued write / getAndAdd",
        queued(pairs, Strategy.DEFAULT, false, base),
        1.5);
    report.atMost(
        "P3", "default locks and wakes per queued write", locksAndWakes(Strategy.DEFAULT), 0);
    for (LockKind lock : LockKind.values()) {
      queued(report, pairs, lock, base);
    }
    int rounds = quick ? 5 : 9;
    for (int size : PAIRS) {
      table(report, size, rounds, quick ? 100_000_000L : 1_000_000_000L);
    }
    PingPongBar.rounds("P3", report, rounds, quick ? 3_000 : 20_000, withAndWithout());
  }

  // ------------------------------------------------------------------------- a queued write

  private static void queued(Report report, Pairs pairs, LockKind lock, LongUnaryOperator base) {
    Strategy with = Strategy.filtered(lock);
    Strategy without = new Strategy(lock, true, false);
    report.atMost("P3", with + " queued write / getAndAdd", queued(pairs, with, false, base), 1.5);
    report.info(
        "P3", without + " queued write / getAndAdd", queued(pairs, without, false, base), "");
    report.info("P3", with + " queued write, counting", queued(pairs, with, true, base), "");
    report.atMost("P3", with + " locks and wakes per queued write", locksAndWakes(with), 0);
  }

  private static Ratio queued(
      Pairs pairs, Strategy strategy, boolean counting, LongUnaryOperator base) {
    try (EventPoll poll = strategy.builder().countStats(counting).build();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      fd.tryWrite(1);
      return pairs.timePerRound(writes(fd), base);
    }
  }

  private static LongUnaryOperator writes(EventFd fd) {
    return rounds -> {
      long written = 0;
      for (long i = 0; i < rounds; i++) {
        written += fd.tryWrite(1) ? 1 : 0;
      }
      return written;
    };
  }

  private static double locksAndWakes(Strategy strategy) {
    try (EventPoll poll = strategy.builder().countStats(true).build();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      fd.tryWrite(1);
      Stats stats = poll.stats();
      long before = stats.locksTaken() + stats.waitersWoken() + stats.watchersWoken();
      for (int i = 0; i < WRITES; i++) {
        fd.tryWrite(1);
      }
      long after = stats.locksTaken() + stats.waitersWoken() + stats.watchersWoken();
      return (after - before) / (double) WRITES;
    }
  }

  // ------------------------------------------------------------------------- writers and readers

  /** Every variant without the fast path and with it. */
  static List<Strategy> withAndWithout() {
    List<Strategy> all = new ArrayList<>();
    for (LockKind lock : LockKind.values()) {
      all.add(new Strategy(lock, true, false));
      all.add(Strategy.filtered(lock));
    }
    return all;
  }

  private static void table(Report report, int size, int times, long nanos) throws Exception {
    List<Strategy> strategies = withAndWithout();
    strategies.add(0, Strategy.DEFAULT);
    withAndWithout().forEach(strategy -> strategies.add(strategy.busy(Strategy.BUSY_MICROS)));
    Rounds<Result> rounds = new Rounds<>();
    for (Strategy strategy : strategies) {
      rounds.add(
          strategy.toString(),
          () -> WritersReaders.run(new LibraryEngine(strategy), size, size, nanos));
    }
    rounds.run(times);
    rounds.printTrips(report, "P3");
    String what = size + "/" + size + " ";
    for (Strategy strategy : strategies) {
      String name = strategy.toString();
      report.info("P3", what + name + ": writes/ms", rounds.figure(name, Result::writes), "");
      report.info("P3", what + name + ": reads/ms", rounds.figure(name, Result::reads), "");
    }
    for (LockKind lock : LockKind.values()) {
      ratios(report, rounds, lock, size);
    }
  }

  private static void ratios(Report report, Rounds<Result> rounds, LockKind lock, int size) {
    boolean bar = lock == LockKind.SPIN;
    ratio(report, rounds, lock, size, "writes", Result::writes, !bar ? 0 : size == 1 ? 1.4 : 3);
    ratio(report, rounds, lock, size, "reads", Result::reads, !bar || size == 1 ? 0 : 1.5);
  }

  /** With the fast path in relation to without; a bar of 0 is none. */
  private static void ratio(
      Report report,
      Rounds<Result> rounds,
      LockKind lock,
      int size,
      String figure,
      ToDoubleFunction<Result> get,
      double bar) {
    Strategy with = Strategy.filtered(lock);
    Strategy without = new Strategy(lock, true, false);
    Ratio ratio = rounds.ratio(with.toString(), without.toString(), get);
    String what = size + "/" + size + " " + with + " / without: " + figure;
    if (bar == 0) {
      report.info("P3", what, ratio, "");
    } else {
      report.atLeast("P3", what, ratio, bar);
    }
  }
}
