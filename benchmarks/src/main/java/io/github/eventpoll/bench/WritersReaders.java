package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The shape behind the patch for the notified fast path: writers write a counter each as fast as
 * they can, readers wait on the one poll for an event at a time and read its counter.
 */
final class WritersReaders {
  /** Per millisecond, of all threads together; a read that found nothing is none. */
  record Result(double writes, double reads) {}

  private final Engine engine;
  private final CountDownLatch go = new CountDownLatch(1);
  private final LongAdder writes = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private volatile boolean done;
  private volatile boolean over;

  private WritersReaders(Engine engine) {
    this.engine = engine;
  }

  static Result run(Engine engine, int writers, int readers, long nanos)
      throws InterruptedException {
    try {
      return new WritersReaders(engine).run(writers, readers, nanos);
    } finally {
      engine.close();
    }
  }

  private Result run(int writers, int readers, long nanos) throws InterruptedException {
    Engine.Poll poll = engine.poll();
    List<Thread> writing = new ArrayList<>();
    List<Thread> reading = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      Engine.Counter counter = engine.counter();
      poll.add(counter, Events.IN);
      writing.add(start(() -> write(counter)));
    }
    for (int i = 0; i < readers; i++) {
      reading.add(start(() -> read(poll.waiter(1))));
    }
    long start = System.nanoTime();
    go.countDown();
    for (long rest = nanos; rest > 0; rest = start + nanos - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
    double millis = (System.nanoTime() - start) / 1e6;
    done = true;
    for (Thread thread : reading) {
      thread.join();
    }
    over = true;
    for (Thread thread : writing) {
      thread.join();
    }
    return new Result(writes.sum() / millis, reads.sum() / millis);
  }

  private Thread start(Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              work.run();
            });
    thread.start();
    return thread;
  }

  /** Goes on when the time is over, for readers that sleep. */
  private void write(Engine.Counter counter) {
    long count = 0;
    for (; !done; count++) {
      counter.write();
    }
    writes.add(count);
    while (!over) {
      counter.write();
    }
  }

  private void read(Engine.Waiter waiter) {
    long count = 0;
    while (!done) {
      if (waiter.await(true) > 0 && waiter.counter(0).read() != 0) {
        count++;
      }
    }
    reads.add(count);
  }
}
