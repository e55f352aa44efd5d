package io.github.eventpoll.bench;

import java.util.List;

/**
 * The table of the patch for the notified fast path: writers with a counter each and readers of one
 * poll, successful reads per second; and the mean time of a ping-pong.
 */
public final class NotifiedShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape notified [options]
        -t N,N,...   numbers of writers, and of readers (1,8)
        -r SECONDS   how long for each figure (5)
        -p N         round trips of the ping-pong (100000)
      """
          + Options.ON;

  private NotifiedShape() {}

  /**
   * Runs it on everything that is named.
   *
   * @param args the options
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    Options options = new Options(USAGE, "", "-t -r -p --on", args);
    List<String> names =
        options.engines(
            "spin+mask,spin+mask+notified,lock-free+mask," + "lock-free+mask+notified,kernel");
    System.out.printf("%n%15s  %-24s %12s %12s%n", "writers/readers", "", "reads/s", "writes/s");
    for (int threads : options.numbers("-t", 1, 8)) {
      for (String name : names) {
        WritersReaders.Result result =
            WritersReaders.run(Engine.of(name), threads, threads, options.seconds("-r", 5));
        System.out.printf(
            "%15s  %-24s %12.0f %12.0f%n",
            threads + "/" + threads, name, 1e3 * result.reads(), 1e3 * result.writes());
      }
    }
    System.out.printf("%n%-24s %12s %12s %12s%n", "ping-pong", "mean us", "p50 us", "p99 us");
    for (String name : names) {
      PingPong.Result result = PingPong.through(Engine.of(name), options.number("-p", 100_000));
      System.out.printf(
          "%-24s %12.2f %12.2f %12.2f%n",
          name,
          result.nanos() / 1e3,
          result.histogram().getValueAtPercentile(50) / 1e3,
          result.histogram().getValueAtPercentile(99) / 1e3);
    }
  }
}
