package io.github.eventpoll.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** Producers that send so many messages as fast as they can, and the consumer. */
final class ManyToOne {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final Object MESSAGE = new Object();

  /** Messages per millisecond, and CPU time of all threads per message. */
  record Result(double perMilli, double cpuNanos) {}

  private ManyToOne() {}

  static Result run(Handover way, int producers, int messages) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    LongAdder cpu = new LongAdder();
    int each = messages / producers;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      Thread thread = new Thread(() -> cpu.add(produce(way, each, go)));
      threads.add(thread);
      thread.start();
    }
    int all = each * producers;
    long before = CPU.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    go.countDown();
    long[] sum = new long[1];
    for (int taken = 0; taken < all; ) {
      taken += way.take(message -> sum[0] += message.hashCode());
    }
    double took = System.nanoTime() - start;
    cpu.add(CPU.getCurrentThreadCpuTime() - before);
    for (Thread thread : threads) {
      thread.join();
    }
    Pairs.sink += sum[0];
    return new Result(all * 1e6 / took, cpu.sum() / (double) all);
  }

  private static long produce(Handover way, int messages, CountDownLatch go) {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    long before = CPU.getCurrentThreadCpuTime();
    for (int i = 0; i < messages; i++) {
      way.send(MESSAGE);
    }
    return CPU.getCurrentThreadCpuTime() - before;
  }
}
