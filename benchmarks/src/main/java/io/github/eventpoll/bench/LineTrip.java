package io.github.eventpoll.bench;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a cache line takes from one processor to another and back. On virtual machines this
 * changes by the minute, by a factor of six, and with it every figure of several threads.
 */
final class LineTrip {
  private static final int BATCHES = 20;
  private static final int TRIPS = 500;
  private static final double STEADY = 1.5;

  private LineTrip() {}

  /**
   * Nanoseconds there and back; the best of some batches, in none of which a thread was stopped.
   */
  static double nanos() {
    AtomicInteger ball = new AtomicInteger();
    Thread partner =
        new Thread(
            () -> {
              for (int i = 1; i < 2 * BATCHES * TRIPS; i += 2) {
                await(ball, i);
                ball.set(i + 1);
              }
            });
    partner.setDaemon(true);
    partner.start();
    double best = Double.MAX_VALUE;
    int at = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      long start = System.nanoTime();
      for (int i = 0; i < TRIPS; i++) {
        ball.set(at + 1);
        at += 2;
        await(ball, at);
      }
      best = Math.min(best, (System.nanoTime() - start) / (double) TRIPS);
    }
    return best;
  }

  private static void await(AtomicInteger ball, int value) {
    for (int spins = 0; ball.get() != value; spins++) {
      if (spins > 10_000) {
        Thread.yield();
      }
    }
  }

  /** Whether the two are so near that what was measured between them means something. */
  static boolean isSteady(double before, double after) {
    return Math.max(before, after) <= STEADY * Math.min(before, after);
  }
}
