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
  private static final int OVER = -1;

  /** Where other programs want the processors too, fewer batches must do. */
  private static final long ENOUGH = 50_000_000;

  private LineTrip() {}

  /**
   * Nanoseconds there and back; the best of some batches, in none of which a thread was stopped.
   */
  static double nanos() {
    AtomicInteger ball = new AtomicInteger();
    Thread partner = new Thread(() -> giveBack(ball));
    partner.setDaemon(true);
    partner.start();
    double best = Double.MAX_VALUE;
    long begin = System.nanoTime();
    int at = 0;
    for (int batch = 0; batch < BATCHES && System.nanoTime() - begin < ENOUGH; batch++) {
      long start = System.nanoTime();
      for (int i = 0; i < TRIPS; i++) {
        ball.set(at + 1);
        at += 2;
        await(ball, at);
      }
      best = Math.min(best, (System.nanoTime() - start) / (double) TRIPS);
    }
    ball.set(OVER);
    return best;
  }

  private static void giveBack(AtomicInteger ball) {
    for (int i = 1; await(ball, i); i += 2) {
      ball.set(i + 1);
    }
  }

  /** False if it is over before. */
  private static boolean await(AtomicInteger ball, int value) {
    for (int spins = 0; ; spins++) {
      int seen = ball.get();
      if (seen == value || seen == OVER) {
        return seen == value;
      }
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
