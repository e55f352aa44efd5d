package io.github.eventpoll.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the bars: {@code benchmarks/run [--quick] [P1 P2 ...]}. */
public final class Bars {
  /** One bar, or a family of them. */
  interface Bar {
    void measure(Report report, boolean quick) throws Exception;
  }

  private static final Map<String, Bar> ALL = new LinkedHashMap<>();

  static {
    ALL.put("P1", new SignalBar());
    ALL.put("P2", new MaskBar());
    ALL.put("P3", new NotifiedBar());
    ALL.put("P4", new WaitBar());
    ALL.put("P5", new TopologyBar());
    ALL.put("P6", new PingPongBar());
    ALL.put("P7", new EchoBar());
    ALL.put("P8", new ScaleBar());
    ALL.put("P9", new AllocationBar());
  }

  private Bars() {}

  /**
   * Runs the bars that are named, or all.
   *
   * @param args {@code --quick} for less than a minute each, and ids
   * @throws Exception if a measurement cannot be made
   */
  public static void main(String[] args) throws Exception {
    boolean quick = false;
    List<String> ids = new ArrayList<>();
    for (String arg : args) {
      if (arg.equals("--quick")) {
        quick = true;
      } else if (ALL.containsKey(arg)) {
        ids.add(arg);
      } else {
        System.err.println("unknown: " + arg + "; usage: benchmarks/run [--quick] " + ALL.keySet());
        System.exit(2);
      }
    }
    if (ids.isEmpty()) {
      ids.addAll(ALL.keySet());
    }
    Machine.print();

    CallSites.pollute();
    Report report = new Report();
    report.note("all", quick ? "quick" : "full");
    for (String id : ids) {
      long start = System.nanoTime();
      try {
        ALL.get(id).measure(report, quick);
      } catch (Exception | LinkageError | AssertionError e) {
        e.printStackTrace();
        report.failed(id, e);
      }
      report.info(id, "time this took", (System.nanoTime() - start) / 1e9, "s");
    }
    boolean pass = report.finish(Path.of("target", "benchmarks.json"));
    System.exit(pass ? 0 : 1);
  }
}
