package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The table of the patch for the mask pre-check: threads that share one poll write and read a
 * counter each that is registered for PRI only; operations per millisecond.
 */
public final class MaskShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape mask [options]
        -t N,N,...   numbers of threads (1,4,12)
        -r SECONDS   how long for each figure (5)
      """
          + Options.ON;

  private MaskShape() {}

  /**
   * Runs it on everything that is named.
   *
   * @param args the options
   * @throws Exception if a loop fails
   */
  public static void main(String[] args) throws Exception {
    Options options = new Options(USAGE, "", "-t -r --on", args);
    List<String> names = options.engines("spin,spin+mask,lock-free,lock-free+mask,kernel");
    System.out.printf("%noperations/ms%n%7s", "threads");
    names.forEach(name -> System.out.printf("  %18s", name));
    System.out.printf("  %18s%n", "nothing registered");
    for (int threads : options.numbers("-t", 1, 4, 12)) {
      System.out.printf("%7d", threads);
      for (String name : names) {
        System.out.printf("  %18.0f", run(threads, name, options.seconds("-r", 5)));
      }
      double bare = MaskBar.run(threads, null, options.seconds("-r", 5));
      System.out.printf("  %18.0f%n", bare);
    }
  }

  private static double run(int threads, String name, long nanos) throws Exception {
    if (!name.equals(Engine.KERNEL)) {
      return MaskBar.run(threads, Strategy.of(name), nanos);
    }
    Engine kernel = new KernelEngine();
    Engine.Poll poll = kernel.poll();
    double rate = Load.run(threads, nanos, () -> loop(kernel, poll));
    kernel.close();
    return rate;
  }

  private static LongUnaryOperator loop(Engine engine, Engine.Poll poll) {
    Engine.Counter counter = engine.counter();
    poll.add(counter, Events.PRI);
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        counter.write();
        sum += counter.read();
      }
      return sum;
    };
  }
}
