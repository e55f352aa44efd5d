package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import io.github.eventpoll.bench.EpollWait.Result;
import io.github.eventpoll.bench.EpollWait.Setup;
import java.util.Arrays;

/** {@code perf bench epoll wait}, with its options and what it prints. */
public final class EpollWaitShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape epoll-wait [options], as perf bench epoll wait:
        -t N         threads that wait (all CPUs but one)
        -r SECONDS   how long (8)
        -f N         counters per thread (64)
        -m           a poll for each thread
        -B           wait without blocking
        -N N         empty polls nested below each poll (0)
        -R           write in random order
        -S, -E       one-shot, edge-triggered
        -n           accepted: threads are never bound to CPUs
        -v           how the run is set up, and the CPU time it takes
        --pause NS   the writer's pause after each turn, 0 for none (500)
        --once       read once, even if another thread was faster
      """
          + Options.ON;

  private EpollWaitShape() {}

  /**
   * Runs it on everything that is named.
   *
   * @param args the options
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    Options options =
        new Options(USAGE, "-m -B -R -S -E -n -v --once", "-t -r -f -N --pause --on", args);
    int cpus = Runtime.getRuntime().availableProcessors();
    Setup setup =
        new Setup(
            options.number("-t", Math.max(1, cpus - 1)),
            options.number("-f", 64),
            options.seconds("-r", 8),
            options.has("-S") ? Events.ONESHOT : options.has("-E") ? Events.ET : 0,
            options.has("-m"),
            options.has("-B"),
            options.number("-N", 0),
            options.has("-R"),
            options.number("--pause", 500),
            !options.has("--once"));
    for (String name : options.engines("default,kernel")) {
      System.out.printf("%n# Running 'epoll/wait' shape on %s:%n", name);
      if (options.has("-v")) {
        System.out.println(setup);
      }
      System.out.printf(
          "Run summary: %d threads monitoring%s on %d counters for %d secs.%n%n",
          setup.threads(),
          setup.ownPolls() ? " their own polls" : "",
          setup.counters(),
          options.number("-r", 8));
      print(EpollWait.run(Engine.of(name), setup), options.has("-v"));
    }
  }

  private static void print(Result result, boolean verbose) {
    double seconds = result.nanos() / 1e9;
    double[] rates = Arrays.stream(result.operations()).mapToDouble(n -> n / seconds).toArray();
    for (int i = 0; i < rates.length; i++) {
      System.out.printf("[thread %2d] [ %04d ops/sec ]%n", i, Math.round(rates[i]));
    }
    Mean mean = Mean.of(rates);
    System.out.printf(
        "%nAveraged %s operations/sec %s, total secs = %d%n",
        mean, mean.spread(), Math.round(seconds));
    if (verbose) {
      System.out.printf(
          "written %d, taken %d, CPU %.0f ns per event%n",
          result.written(), result.taken(), result.cpuPerEvent());
    }
  }
}
