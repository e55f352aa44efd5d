package io.github.eventpoll.bench;

import io.github.eventpoll.LockKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Pictures of what one run has measured: throughput against threads, and how long a wake takes:
 * {@code benchmarks/run plots [--quick]}.
 */
public final class Plots {
  static final Path IMAGES = Path.of("docs", "images", "benchmarks");
  private static final int[] THREADS = {1, 2, 4, 8, 16};
  private static final String BARE = "nothing registered";
  private static final long LONGEST = 10_000_000_000L;

  private final Report report = new Report();
  private final boolean quick;
  private final int times;
  private final long nanos;

  private Plots(boolean quick) {
    this.quick = quick;
    times = quick ? 3 : 7;
    nanos = quick ? 60_000_000L : 300_000_000L;
  }

  /**
   * Measures and draws everything.
   *
   * @param args {@code --quick} for about a minute
   * @throws Exception if a measurement cannot be made
   */
  public static void main(String[] args) throws Exception {
    boolean quick =
        new Options("usage: benchmarks/run plots [--quick]", "--quick", "", args).has("--quick");
    Machine.print();
    CallSites.pollute();
    Plots plots = new Plots(quick);
    plots.report.note("all", quick ? "quick" : "full");
    plots.unwanted();
    plots.delivered();
    plots.latency();
    plots.report.finish(Path.of("target", "plots.json"));
  }

  /** The loop of the mask pre-check, with it and without. */
  private void unwanted() throws Exception {
    Chart chart =
        new Chart(
            "Unwanted events: write and read, registered for something else",
            Axis.doubling("threads"),
            Axis.log("write + read per ms, all threads"));
    for (int threads : THREADS) {
      Rounds<Double> rounds = new Rounds<>();
      rounds.add(BARE, () -> MaskBar.run(threads, null, nanos));
      for (LockKind lock : LockKind.values()) {
        for (boolean mask : new boolean[] {true, false}) {
          Strategy strategy = new Strategy(lock, mask, false);
          rounds.add(strategy.toString(), () -> MaskBar.run(threads, strategy, nanos));
        }
      }
      rounds.run(times);
      rounds.names().forEach(name -> point(chart, "unwanted", name, threads, rounds));
    }
    chart.write(IMAGES, "unwanted");
  }

  /** As many readers as writers on one poll. */
  private void delivered() throws Exception {
    Chart chart =
        new Chart(
            "Delivered events: as many readers as writers on one poll",
            Axis.doubling("writers, and as many readers"),
            Axis.log("events read per ms"));
    for (int threads : THREADS) {
      Rounds<Double> rounds = new Rounds<>();
      for (String name : Scale.engines()) {
        rounds.add(
            name, () -> WritersReaders.run(Engine.of(name), threads, threads, nanos).reads());
      }
      rounds.run(times);
      rounds.names().forEach(name -> point(chart, "delivered", name, threads, rounds));
    }
    chart.write(IMAGES, "delivered");
  }

  private void point(Chart chart, String id, String name, int at, Rounds<Double> rounds) {
    Ratio rate = rounds.figure(name, value -> value);
    chart.point(name, at, rate);
    report.info(id, name + " at " + at + ", per ms", rate, "");
  }

  private void latency() throws InterruptedException {
    Map<String, IntFunction<Handover>> ways = new LinkedHashMap<>();
    for (Strategy strategy : Strategy.paths()) {
      ways.put(strategy.toString(), producers -> new Handovers.InPoll(strategy));
    }
    ways.put(
        "LinkedBlockingQueue", producers -> new Handovers.Blocking(new LinkedBlockingQueue<>()));
    ways.put("Selector.wakeup", producers -> new Handovers.Selected());
    if (KernelEngine.isAvailable()) {
      ways.put("eventfd + epoll", producers -> new Handovers.InKernel());
    }
    Map<String, Histogram> found = new LinkedHashMap<>();
    int signals = quick ? 2_000 : 20_000;
    for (int i = 0; i <= times; i++) {
      for (Map.Entry<String, IntFunction<Handover>> way : ways.entrySet()) {
        Histogram histogram = new Histogram(LONGEST, 3);
        Latency.measure(way.getValue(), signals, histogram);
        if (i > 0) { // the first is to warm up
          found.computeIfAbsent(way.getKey(), key -> new Histogram(LONGEST, 3)).add(histogram);
        }
      }
    }
    Chart chart =
        new Chart(
            "From the signal to the return of the wait, of a thread that sleeps",
            Axis.percentiles("percentile"),
            Axis.log("microseconds"));
    found.forEach((name, histogram) -> draw(chart, name, histogram));
    chart.write(IMAGES, "latency");
  }

  private void draw(Chart chart, String name, Histogram histogram) {
    for (HistogramIterationValue value : histogram.percentiles(10)) {
      double percentile = value.getPercentileLevelIteratedTo();
      if (percentile < 100 * (1 - 10.0 / histogram.getTotalCount())) { // ten values beyond it
        chart.point(name, percentile, value.getValueIteratedTo() / 1e3);
      }
    }
    for (double percentile : List.of(50.0, 99.0, 99.9)) {
      double micros = histogram.getValueAtPercentile(percentile) / 1e3;
      report.info("latency", name + " at p" + percentile, micros, "us");
    }
  }
}
