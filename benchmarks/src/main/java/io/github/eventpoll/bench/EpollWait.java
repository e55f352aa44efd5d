package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The shape of {@code perf bench epoll wait}: threads that wait for one event at a time and read
 * its counter until they got something, and one more that writes all counters in turn and pauses
 * after each turn.
 */
final class EpollWait {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /**
   * How it is run.
   *
   * @param flags ET or ONESHOT, or 0
   * @param ownPolls a poll for each thread, not one for all
   * @param nested how many empty polls hang below each poll
   * @param pauseNanos the writer's pause; 0 for none
   * @param insist whether a waiter whose counter another one has read tries again until the next
   *     write, as in the original
   */
  record Setup(
      int threads,
      int counters,
      long nanos,
      int flags,
      boolean ownPolls,
      boolean nonBlocking,
      int nested,
      boolean random,
      long pauseNanos,
      boolean insist) {
    static Setup simple(int threads, int counters, long nanos, long pauseNanos, boolean insist) {
      return new Setup(threads, counters, nanos, 0, false, false, 0, false, pauseNanos, insist);
    }
  }

  /**
   * What came of it.
   *
   * @param operations events taken by each thread
   * @param written events written, a write to a counter that was not read yet is one
   * @param cpuNanos of all threads together
   */
  record Result(long[] operations, long written, long nanos, long cpuNanos) {
    long taken() {
      return Arrays.stream(operations).sum();
    }

    double perMilli() {
      return taken() * 1e6 / nanos;
    }

    double cpuPerEvent() {
      return cpuNanos / (double) taken();
    }

    double delivered() {
      return taken() / (double) written;
    }
  }

  private final Engine engine;
  private final Setup setup;
  private final CountDownLatch ready;
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch left;
  private final long[] operations;
  private final long[] cpu;
  private long written;
  private volatile boolean done;

  private EpollWait(Engine engine, Setup setup) {
    this.engine = engine;
    this.setup = setup;
    ready = new CountDownLatch(setup.threads + 1);
    left = new CountDownLatch(setup.threads);
    operations = new long[setup.threads];
    cpu = new long[setup.threads + 1];
  }

  static Result run(Engine engine, Setup setup) throws InterruptedException {
    try {
      return new EpollWait(engine, setup).run();
    } finally {
      engine.close();
    }
  }

  private Result run() throws InterruptedException {
    List<Engine.Counter> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    Engine.Poll shared = setup.ownPolls ? null : newPoll();
    for (int i = 0; i < setup.threads; i++) {
      Engine.Poll poll = shared == null ? newPoll() : shared;
      for (int j = 0; j < setup.counters; j++) {
        Engine.Counter counter = engine.counter();
        poll.add(counter, Events.IN | setup.flags);
        all.add(counter);
      }
      int index = i;
      threads.add(new Thread(() -> measured(index, () -> work(index, poll))));
    }
    if (setup.random) {
      Collections.shuffle(all);
    }
    Engine.Counter[] counters = all.toArray(new Engine.Counter[0]);
    threads.add(new Thread(() -> measured(setup.threads, () -> write(counters))));
    threads.forEach(Thread::start);
    ready.await();
    long start = System.nanoTime();
    go.countDown();
    long end = start + setup.nanos;
    for (long rest = setup.nanos; rest > 0; rest = end - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
    long nanos = System.nanoTime() - start;
    done = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return new Result(operations, written, nanos, Arrays.stream(cpu).sum());
  }

  private Engine.Poll newPoll() {
    Engine.Poll poll = engine.poll();
    Engine.Poll above = poll;
    for (int i = 0; i < setup.nested; i++) {
      Engine.Poll inner = engine.poll();
      above.watch(inner, Events.HUP);
      above = inner;
    }
    return poll;
  }

  private void measured(int index, Runnable work) {
    ready.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    long before = CPU.getCurrentThreadCpuTime();
    work.run();
    cpu[index] = CPU.getCurrentThreadCpuTime() - before;
  }

  private void work(int index, Engine.Poll poll) {
    Engine.Waiter waiter = poll.waiter(1);
    long taken = 0;
    while (!done) {
      if (waiter.await(!setup.nonBlocking) == 0) {
        continue;
      }
      Engine.Counter counter = waiter.counter(0);
      if (!read(counter)) {
        continue; // somebody else was faster
      }
      if (setup.flags == Events.ET) {
        poll.add(counter, Events.IN | Events.ET); // fails, as in the original
      } else if (setup.flags != 0) {
        poll.modify(counter, Events.IN | setup.flags);
      }
      taken++;
    }
    operations[index] = taken;
    left.countDown();
  }

  /** Reads a counter, as the original does until there is something, and as a program does once. */
  private boolean read(Engine.Counter counter) {
    while (counter.read() == 0) {
      if (!setup.insist || done) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /** Goes on until all others have seen the end: a blocked one needs an event for that. */
  private void write(Engine.Counter[] counters) {
    long writes = 0;
    while (left.getCount() > 0) {
      for (Engine.Counter counter : counters) {
        counter.write();
      }
      if (!done) {
        writes += counters.length;
      }
      if (setup.pauseNanos > 0) {
        LockSupport.parkNanos(setup.pauseNanos);
      }
    }
    written = writes;
  }
}
