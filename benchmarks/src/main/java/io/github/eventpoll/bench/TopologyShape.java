package io.github.eventpoll.bench;

import io.github.eventpoll.Topology;
import java.util.List;
import java.util.Locale;

/**
 * The table of the patch for parallel additions: workers add and remove a source of their own in a
 * poll of their own, which an outer poll watches or, for comparison, does not; pairs per second.
 */
public final class TopologyShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape topology [options]
        -t N,N,...   numbers of workers (1,2,4)
        -r SECONDS   how long for each figure (5)
        --topology NAMES   global-mutex,shared,striped
      """;

  private TopologyShape() {}

  /**
   * Runs it with every kind of topology that is named.
   *
   * @param args the options
   * @throws Exception if a loop fails
   */
  public static void main(String[] args) throws Exception {
    Options options = new Options(USAGE, "", "-t -r --topology", args);
    List<String> names = options.names("--topology", "global-mutex,shared,striped");
    long nanos = options.seconds("-r", 5);
    System.out.printf("%n%7s  %-14s %14s %14s%n", "workers", "", "nested pairs/s", "flat pairs/s");
    for (int workers : options.numbers("-t", 1, 2, 4)) {
      for (String name : names) {
        Topology kind = Topology.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        double nested = TopologyBar.run(kind, workers, true, nanos);
        double flat = TopologyBar.run(kind, workers, false, nanos);
        System.out.printf("%7d  %-14s %14.0f %14.0f%n", workers, name, 1e3 * nested, 1e3 * flat);
      }
    }
  }
}
