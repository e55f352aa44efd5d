package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.bench.EpollWait.Setup;
import io.github.eventpoll.source.EventFd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What more of everything costs: 1 k to 1 M items, 1 to 64 waiters, 1 to 64 writers: {@code
 * benchmarks/run scale [--quick]}.
 */
public final class Scale {
  private static final int[] ITEMS = {1_000, 10_000, 100_000, 1_000_000};
  private static final int[] THREADS = {1, 2, 4, 8, 16, 32, 64};
  private static final int COUNTERS = 64;

  private final Report report = new Report();
  private final boolean quick;
  private final int times;
  private final long nanos;

  private Scale(boolean quick) {
    this.quick = quick;
    times = quick ? 2 : 5;
    nanos = quick ? 50_000_000L : 300_000_000L;
  }

  /** Every path and, where it is there, the kernel. */
  static List<String> engines() {
    List<String> names = new ArrayList<>();
    Strategy.paths().forEach(strategy -> names.add(strategy.toString()));
    if (KernelEngine.isAvailable()) {
      names.add(Engine.KERNEL);
    }
    return names;
  }

  /**
   * Measures, prints and draws everything.
   *
   * @param args {@code --quick} for about a minute
   * @throws Exception if a measurement cannot be made
   */
  public static void main(String[] args) throws Exception {
    boolean quick =
        new Options("usage: benchmarks/run scale [--quick]", "--quick", "", args).has("--quick");
    Machine.print();
    CallSites.pollute();
    Scale scale = new Scale(quick);
    scale.report.note("all", quick ? "quick" : "full");
    scale.items();
    scale.waiters();
    scale.writers();
    scale.report.finish(Path.of("target", "scale.json"));
  }

  private void items() {
    Chart time = new Chart("Items in one poll", Axis.log("items"), Axis.linear("nanoseconds"));
    Chart heap =
        new Chart("Items in one poll: memory", Axis.log("items"), Axis.linear("bytes per item"));
    Pairs pairs = new Pairs(quick ? 5 : 15, quick ? 20_000_000L : 150_000_000L);
    for (int count : ITEMS) {
      EventFd[] sources = ScaleBar.sources(count);
      double[] adds = new double[quick ? 3 : 9];
      for (int i = 0; i < adds.length; i++) {
        adds[i] = addNanos(sources);
      }
      Ratio add = Ratio.of(adds);
      double bytes = ScaleBar.bytesPerItem(sources);
      double fixed;
      double random;
      try (EventPoll poll = ScaleBar.filled(sources, count)) {
        fixed = ScaleBar.fixedNanos(pairs, poll);
        random = ScaleBar.randomNanos(pairs, poll, sources);
      }
      time.point("add", count, add);
      time.point("one item, level", count, fixed);
      time.point("random item, drained", count, random);
      heap.point("heap, source excluded", count, bytes);
      report.info("items", "add at " + count + ", ns", add, "");
      report.info("items", "fixed at " + count, fixed, "ns");
      report.info("items", "random at " + count, random, "ns");
      report.info("items", "heap at " + count, bytes, "bytes");
    }
    time.write(Plots.IMAGES, "items-time");
    heap.write(Plots.IMAGES, "items-heap");
  }

  /** Per item; small polls are filled several times. */
  private static double addNanos(EventFd[] sources) {
    int fills = Math.max(1, 100_000 / sources.length);
    System.gc();
    long spent = 0;
    for (int i = 0; i < fills; i++) {
      long start = System.nanoTime();
      EventPoll poll = ScaleBar.filled(sources, sources.length);
      spent += System.nanoTime() - start;
      poll.close();
    }
    return spent / (double) fills / sources.length;
  }

  /** The same 64 counters, written without a pause, among more and more waiters. */
  private void waiters() throws Exception {
    Chart chart =
        new Chart(
            "Waiters of one poll: one writer, 64 counters, no pause",
            Axis.doubling("waiters"),
            Axis.log("events taken per ms"));
    for (int waiters : THREADS) {
      Setup setup = Setup.simple(waiters, COUNTERS / waiters, nanos, 0, false);
      Rounds<EpollWait.Result> rounds = new Rounds<>();
      for (String name : engines()) {
        rounds.add(name, () -> EpollWait.run(Engine.of(name), setup));
      }
      measure(chart, "waiters", waiters, rounds, EpollWait.Result::perMilli);
    }
    chart.write(Plots.IMAGES, "waiters");
  }

  /** One reader, and more and more writers with a counter each. */
  private void writers() throws Exception {
    Chart chart =
        new Chart(
            "Writers to one poll: a counter each, one reader",
            Axis.doubling("writers"),
            Axis.log("events read per ms"));
    for (int writers : THREADS) {
      Rounds<WritersReaders.Result> rounds = new Rounds<>();
      for (String name : engines()) {
        rounds.add(name, () -> WritersReaders.run(Engine.of(name), writers, 1, nanos));
      }
      measure(chart, "writers", writers, rounds, WritersReaders.Result::reads);
      for (String name : engines()) {
        double writes = rounds.median(name, WritersReaders.Result::writes);
        report.record("writes", name + " at " + writers, writes, "writes/ms");
      }
    }
    chart.write(Plots.IMAGES, "writers");
  }

  private <R> void measure(
      Chart chart, String id, int at, Rounds<R> rounds, ToDoubleFunction<R> figure)
      throws Exception {
    rounds.run(times);
    for (String name : rounds.names()) {
      Ratio rate = rounds.figure(name, figure);
      chart.point(name, at, rate);
      report.info(id, name + " at " + at + ", events/ms", rate, "");
    }
    rounds.printTrips(report, id);
  }
}
