package io.github.eventpoll.bench;

import io.github.eventpoll.LockKind;
import io.github.eventpoll.bench.EpollWait.Result;
import io.github.eventpoll.bench.EpollWait.Setup;
import java.util.Map;

/**
 * P4: the shape of {@code perf bench epoll wait}, 4 waiters and 64 counters for each, with the
 * original pause of the writer and without; against the kernel in the same run.
 */
final class WaitBar implements Bars.Bar {
  private static final int WAITERS = 4;
  private static final int COUNTERS = 64;
  private static final long PAUSE = 500;
  private static final String KERNEL = Engine.KERNEL;

  /** How many times as many events without a pause. */
  private static final Map<LockKind, Double> FLOOD =
      Map.of(LockKind.LOCK_FREE, 20.0, LockKind.SPIN, 11.0, LockKind.RWLOCK, 6.0);

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    if (!KernelEngine.isAvailable()) {
      System.out.println("P4  no native epoll here: there is nothing to compare with");
      return;
    }
    int rounds = quick ? 5 : 11;
    long nanos = quick ? 250_000_000L : 1_000_000_000L;
    paused(report, rounds(Setup.simple(WAITERS, COUNTERS, nanos, PAUSE, false), rounds));
    flooded(report, rounds(Setup.simple(WAITERS, COUNTERS, nanos, 0, false), rounds));
    insisting(report, rounds(Setup.simple(WAITERS, COUNTERS, nanos, PAUSE, true), rounds));
    PerfTool.report(report, "P4", WAITERS, COUNTERS, quick ? 2 : 8);
  }

  private static Rounds<Result> rounds(Setup setup, int rounds) throws Exception {
    Rounds<Result> measured = new Rounds<>();
    measured.add(KERNEL, () -> EpollWait.run(new KernelEngine(), setup));
    for (Strategy strategy : Strategy.paths()) {
      measured.add(strategy.toString(), () -> EpollWait.run(new LibraryEngine(strategy), setup));
    }
    return measured.run(rounds);
  }

  private static void paused(Report report, Rounds<Result> measured) {
    measured.printTrips(report, "P4");
    report.info("P4", "kernel, pause of 500 ns", rate(measured, KERNEL), "events/ms");
    for (Strategy strategy : Strategy.paths()) {
      String name = strategy.toString();
      String what = name + ", pause of 500 ns: ";
      report.info("P4", what + "rate", rate(measured, name), "events/ms");
      report.atLeast(
          "P4", what + "taken / written", measured.figure(name, Result::delivered), 0.95);
      report.atLeast(
          "P4", what + "rate / kernel", measured.ratio(name, KERNEL, Result::perMilli), 5.5);
      report.atMost(
          "P4",
          what + "CPU per event / kernel",
          measured.ratio(name, KERNEL, Result::cpuPerEvent),
          strategy.lock() == LockKind.SPIN ? 1 / 5.0 : 1 / 8.0);
    }
    spinOverRwlock(report, measured, "pause of 500 ns");
  }

  private static void flooded(Report report, Rounds<Result> measured) {
    measured.printTrips(report, "P4");
    report.info("P4", "kernel, no pause", rate(measured, KERNEL), "events/ms");
    for (Strategy strategy : Strategy.paths()) {
      String name = strategy.toString();
      report.info("P4", name + ", no pause: rate", rate(measured, name), "events/ms");
      String what = name + ", no pause: rate / kernel";
      Ratio ratio = measured.ratio(name, KERNEL, Result::perMilli);
      if (strategy.lock() == null) {
        report.info("P4", what, ratio, "");
      } else {
        report.atLeast("P4", what, ratio, FLOOD.get(strategy.lock()));
      }
    }
    spinOverRwlock(report, measured, "no pause");
  }

  /**
   * The original's waiters read a counter that another one was faster with until the next write.
   */
  private static void insisting(Report report, Rounds<Result> measured) {
    for (Strategy strategy : Strategy.paths()) {
      String name = strategy.toString();
      report.info(
          "P4",
          name + ", pause, insisting readers: rate / kernel",
          measured.ratio(name, KERNEL, Result::perMilli),
          "");
    }
  }

  /** What replacing the one by the other brought the kernel: 8.9 % (`-t 4 -r 10`, 2 CPUs). */
  private static void spinOverRwlock(Report report, Rounds<Result> measured, String where) {
    String spin = Strategy.filtered(LockKind.SPIN).toString();
    String rwlock = Strategy.filtered(LockKind.RWLOCK).toString();
    report.info(
        "P4",
        "spin / rwlock, " + where,
        measured.ratio(spin, rwlock, Result::perMilli),
        "kernel 1.09");
  }

  private static double rate(Rounds<Result> measured, String name) {
    return measured.median(name, Result::perMilli);
  }
}
