package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Two threads that wake each other in turn. */
final class PingPong {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final long LONGEST = 10_000_000_000L;

  /**
   * Of the round trips.
   *
   * @param nanos the mean
   * @param cpuNanos CPU time of both threads for one
   */
  record Result(double nanos, double cpuNanos, Histogram histogram) {}

  /** What one of the two sleeps on. */
  interface Bell {
    /** Says who will await, before anybody rings. */
    default void belongsTo(Thread thread) {}

    void ring();

    /** Waits until it rang. */
    void await();
  }

  private PingPong() {}

  /** Through two polls with a counter each. */
  static Result through(Engine engine, int rounds) throws InterruptedException {
    try {
      return run(new PollBell(engine), new PollBell(engine), rounds);
    } finally {
      engine.close();
    }
  }

  /** With a flag each and {@link LockSupport}: less cannot be. */
  static Result bare(int rounds) throws InterruptedException {
    return run(new Flag(), new Flag(), rounds);
  }

  static Result run(Bell ping, Bell pong, int rounds) throws InterruptedException {
    long[] otherCpu = new long[1];
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                pong.await();
                ping.ring();
              }
              otherCpu[0] = CPU.getCurrentThreadCpuTime();
            });
    ping.belongsTo(Thread.currentThread());
    pong.belongsTo(other);
    other.start();
    Histogram histogram = new Histogram(LONGEST, 3);
    long cpu = CPU.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    long last = start;
    for (int i = 0; i < rounds; i++) {
      pong.ring();
      ping.await();
      long now = System.nanoTime();
      histogram.recordValue(Math.min(LONGEST, now - last));
      last = now;
    }
    cpu = CPU.getCurrentThreadCpuTime() - cpu;
    other.join();
    double all = rounds;
    return new Result((last - start) / all, (cpu + otherCpu[0]) / all, histogram);
  }

  private static final class PollBell implements Bell {
    private final Engine.Counter counter;
    private final Engine.Waiter waiter;

    PollBell(Engine engine) {
      Engine.Poll poll = engine.poll();
      counter = engine.counter();
      waiter = poll.waiter(1);
      poll.add(counter, Events.IN);
    }

    @Override
    public void ring() {
      counter.write();
    }

    @Override
    public void await() {
      waiter.await(true);
      counter.read();
    }
  }

  private static final class Flag implements Bell {
    private Thread owner;
    private volatile boolean up;

    @Override
    public void belongsTo(Thread thread) {
      owner = thread;
    }

    @Override
    public void ring() {
      up = true;
      LockSupport.unpark(owner);
    }

    @Override
    public void await() {
      while (!up) {
        LockSupport.park(this);
      }
      up = false;
    }
  }
}
