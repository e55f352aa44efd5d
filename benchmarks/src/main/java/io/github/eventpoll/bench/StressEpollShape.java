package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code stress-epoll}: producers write a counter each a million times as fast as they can, one
 * thread waits for as many events as there are producers and reads until it has the sum.
 */
public final class StressEpollShape {
  private static final String USAGE =
      """
      usage: benchmarks/run shape stress-epoll [options]
        -t N,N,...   numbers of producers (8,16,32,64,128)
        -w N         writes of each (1000000)
      """
          + Options.ON;

  private final Engine engine;
  private final long writes;
  private volatile boolean go;

  private StressEpollShape(Engine engine, long writes) {
    this.engine = engine;
    this.writes = writes;
  }

  /**
   * Runs it on everything that is named.
   *
   * @param args the options
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    Options options = new Options(USAGE, "", "-t -w --on", args);
    long writes = options.number("-w", 1_000_000);
    for (String name : options.engines("default,kernel")) {
      System.out.printf("%n# stress-epoll on %s%n%s%n", name, "threads  events/ms  run-time ms");
      for (int threads : options.numbers("-t", 8, 16, 32, 64, 128)) {
        Engine engine = Engine.of(name);
        double millis = new StressEpollShape(engine, writes).run(threads);
        engine.close();
        System.out.printf("%7d  %9.0f  %11.0f%n", threads, threads * writes / millis, millis);
      }
    }
  }

  private double run(int threads) throws InterruptedException {
    Engine.Poll poll = engine.poll();
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Engine.Counter counter = engine.counter();
      poll.add(counter, Events.IN);
      producers.add(new Thread(() -> produce(counter)));
    }
    producers.forEach(Thread::start);
    Engine.Waiter waiter = poll.waiter(threads);
    long start = System.nanoTime();
    go = true;
    for (long sum = 0; sum < threads * writes; ) {
      int events = waiter.await(true);
      for (int i = 0; i < events; i++) {
        sum += waiter.counter(i).read();
      }
    }
    double millis = (System.nanoTime() - start) / 1e6;
    for (Thread producer : producers) {
      producer.join();
    }
    return millis;
  }

  private void produce(Engine.Counter counter) {
    while (!go) {
      Thread.onSpinWait();
    }
    for (long i = 0; i < writes; i++) {
      counter.write();
    }
  }
}
