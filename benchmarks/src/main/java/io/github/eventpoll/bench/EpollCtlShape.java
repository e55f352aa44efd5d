package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** {@code perf bench epoll ctl}, with its options and what it prints. */
public final class EpollCtlShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape epoll-ctl [options], as perf bench epoll ctl:
        -t N         threads (all CPUs)
        -r SECONDS   how long (8)
        -f N         counters per thread (64)
        -N N         empty polls nested below the poll (0)
        -R           random operations on random counters
        -n           accepted: threads are never bound to CPUs
        --pause NS   after each turn, 0 for none (250)
      """
          + Options.ON;

  private static final String[] NAMES = {"ADD", "MOD", "DEL"};

  private final Engine engine;
  private final Engine.Poll poll;
  private final Options options;
  private final CountDownLatch go = new CountDownLatch(1);
  private volatile boolean done;

  private EpollCtlShape(Engine engine, Options options) {
    this.engine = engine;
    this.options = options;
    poll = engine.poll();
    Engine.Poll above = poll;
    for (int i = options.number("-N", 0); i > 0; i--) {
      Engine.Poll inner = engine.poll();
      above.watch(inner, Events.HUP);
      above = inner;
    }
  }

  /**
   * Runs it on everything that is named.
   *
   * @param args the options
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    Options options = new Options(USAGE, "-R -n", "-t -r -f -N --pause --on", args);
    int threads = options.number("-t", Runtime.getRuntime().availableProcessors());
    for (String name : options.engines("default,kernel")) {
      System.out.printf("%n# Running 'epoll/ctl' shape on %s:%n", name);
      System.out.printf(
          "Run summary: %d threads doing epoll_ctl ops %d counters for %d secs.%n%n",
          threads, options.number("-f", 64), options.number("-r", 8));
      Engine engine = Engine.of(name);
      print(new EpollCtlShape(engine, options).run(threads));
      engine.close();
    }
  }

  /** How many operations of each kind each thread did. */
  private long[][] run(int threads) throws InterruptedException {
    long[][] operations = new long[threads][NAMES.length];
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Worker worker = new Worker(operations[i]);
      workers.add(new Thread(worker::run));
    }
    workers.forEach(Thread::start);
    go.countDown();
    long start = System.nanoTime();
    long nanos = options.seconds("-r", 8);
    for (long rest = nanos; rest > 0; rest = start + nanos - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
    done = true;
    for (Thread worker : workers) {
      worker.join();
    }
    return operations;
  }

  /** One thread with counters of its own. */
  private final class Worker {
    private final long[] operations;
    private final Engine.Counter[] counters = new Engine.Counter[options.number("-f", 64)];
    private final boolean[] added = new boolean[counters.length];
    private final SplittableRandom random = new SplittableRandom();

    Worker(long[] operations) {
      this.operations = operations;
      for (int i = 0; i < counters.length; i++) {
        counters[i] = engine.counter();
        if (options.has("-R") && i % 2 == 0) {
          added[i] = poll.add(counters[i], Events.IN);
        }
      }
    }

    void run() {
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      boolean atRandom = options.has("-R");
      long pause = options.number("--pause", 250);
      while (!done) {
        if (atRandom) {
          operate(random.nextInt(NAMES.length), random.nextInt(counters.length));
        } else {
          turn();
        }
        if (pause > 0) {
          LockSupport.parkNanos(pause);
        }
      }
    }

    private void turn() {
      for (int i = 0; i < counters.length; i++) {
        for (int kind = 0; kind < NAMES.length; kind++) {
          operate(kind, i);
        }
      }
    }

    /** Does it and counts it, unless it would fail: what a failure costs is not compared here. */
    private void operate(int kind, int index) {
      Engine.Counter counter = counters[index];
      if (added[index] == (kind == 0)) {
        return;
      }
      switch (kind) {
        case 0 -> added[index] = poll.add(counter, Events.IN);
        case 1 -> poll.modify(counter, Events.OUT);
        default -> {
          poll.remove(counter);
          added[index] = false;
        }
      }
      operations[kind]++;
    }
  }

  private static void print(long[][] operations) {
    for (int i = 0; i < operations.length; i++) {
      System.out.printf(
          "[thread %2d] [ add: %04d ops; mod: %04d ops; del: %04d ops ]%n",
          i, operations[i][0], operations[i][1], operations[i][2]);
    }
    System.out.println();
    for (int kind = 0; kind < NAMES.length; kind++) {
      double[] counts = new double[operations.length];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = operations[i][kind];
      }
      Mean mean = Mean.of(counts);
      System.out.printf("Averaged %s %s operations %s%n", mean, NAMES[kind], mean.spread());
    }
  }
}
