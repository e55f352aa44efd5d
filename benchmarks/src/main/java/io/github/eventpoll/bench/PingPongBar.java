package io.github.eventpoll.bench;

import io.github.eventpoll.bench.PingPong.Result;
import java.util.ArrayList;
import java.util.List;

/** P6: two threads that wake each other in turn, through two polls and with bare LockSupport. */
final class PingPongBar implements Bars.Bar {
  private static final String BARE = "bare park and unpark";

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int trips = quick ? 6_000 : 40_000;
    Rounds<Result> rounds = rounds("P6", report, quick ? 9 : 15, trips, Strategy.paths());
    for (Strategy strategy : Strategy.paths()) {
      String name = strategy.toString();
      Ratio ratio = rounds.ratio(name, BARE, Result::nanos);
      if (strategy.lock() == null) {
        report.atMost("P6", name + " / " + BARE, ratio, 1.1);
      } else {
        report.info("P6", name + " / " + BARE, ratio, "");
      }
    }
    String busy = Strategy.DEFAULT.busy(Strategy.BUSY_MICROS).toString();
    report.atMost("P6", busy + " / " + BARE, rounds.ratio(busy, BARE, Result::nanos), 0.1);
  }

  /** Round trips through every variant, with busy polling too, and bare; prints the figures. */
  static Rounds<Result> rounds(
      String id, Report report, int times, int trips, List<Strategy> strategies) throws Exception {
    List<Strategy> all = new ArrayList<>(strategies);
    strategies.forEach(strategy -> all.add(strategy.busy(Strategy.BUSY_MICROS)));
    Rounds<Result> rounds = new Rounds<Result>().add(BARE, () -> PingPong.bare(trips));
    for (Strategy strategy : all) {
      rounds.add(strategy.toString(), () -> PingPong.through(new LibraryEngine(strategy), trips));
    }
    rounds.run(times);
    rounds.printTrips(report, id);
    print(id, report, rounds, BARE);
    all.forEach(strategy -> print(id, report, rounds, strategy.toString()));
    return rounds;
  }

  private static void print(String id, Report report, Rounds<Result> rounds, String name) {
    String what = "ping-pong, " + name + ": ";
    report.info(id, what + "round trip", rounds.median(name, Result::nanos) / 1e3, "us");
    report.info(id, what + "CPU of both", rounds.median(name, Result::cpuNanos) / 1e3, "us");
  }
}
