package io.github.eventpoll.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongUnaryOperator;

/** Runs one loop in several threads for a time and counts their rounds. */
final class Load {
  private static final int ROUNDS_PER_LOOK = 1000;

  private Load() {}

  /** Rounds per millisecond of all threads together. */
  static double run(int threads, long nanos, Callable<LongUnaryOperator> loops) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch ready = new CountDownLatch(threads);
      CountDownLatch go = new CountDownLatch(1);
      List<Future<Double>> rates = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        LongUnaryOperator loop = loops.call();
        rates.add(
            pool.submit(
                () -> {
                  ready.countDown();
                  go.await();
                  return rate(loop, nanos);
                }));
      }
      ready.await();
      go.countDown();
      double sum = 0;
      for (Future<Double> rate : rates) {
        sum += rate.get();
      }
      return sum;
    } finally {
      pool.shutdown();
    }
  }

  private static double rate(LongUnaryOperator loop, long nanos) {
    long start = System.nanoTime();
    long rounds = 0;
    long took;
    do {
      Pairs.sink += loop.applyAsLong(ROUNDS_PER_LOOK);
      rounds += ROUNDS_PER_LOOK;
      took = System.nanoTime() - start;
    } while (took < nanos);
    return rounds * 1e6 / took;
  }
}
