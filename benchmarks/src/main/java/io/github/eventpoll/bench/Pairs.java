package io.github.eventpoll.bench;

import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Times two loops in turns. A loop takes the number of rounds and returns anything it computed. */
final class Pairs {
  /** Swallows results, so that no loop is dropped as useless. */
  static volatile long sink;

  private static final int WARM_UPS = 4;

  private final int pairs;
  private final long nanosPerLoop;
  private final @Nullable Trips trips;

  /** Loops of one thread. */
  Pairs(int pairs, long nanosPerLoop) {
    this(pairs, nanosPerLoop, null);
  }

  /**
   * Loops in which several threads take part: pairs under which the machine changes are repeated.
   */
  Pairs(int pairs, long nanosPerLoop, @Nullable Trips trips) {
    this.pairs = pairs;
    this.nanosPerLoop = nanosPerLoop;
    this.trips = trips;
  }

  /** How many times as long one round of the first loop takes as one of the second. */
  Ratio timePerRound(LongUnaryOperator loop, LongUnaryOperator base) {
    long rounds = calibrate(loop);
    long baseRounds = calibrate(base);
    double[] ratios = new double[pairs];
    for (int i = 0; i < pairs; ) {
      if (trips != null) {
        trips.before();
      }
      double one = nanosPerRound(base, baseRounds);
      double mine = nanosPerRound(loop, rounds);
      double two = nanosPerRound(base, baseRounds);
      if (trips == null || trips.after(pairs)) {
        ratios[i++] = mine / ((one + two) / 2);
      }
    }
    return Ratio.of(ratios);
  }

  /** Median time of one round, in nanoseconds. */
  double nanos(LongUnaryOperator loop) {
    long rounds = calibrate(loop);
    double[] times = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      times[i] = nanosPerRound(loop, rounds);
    }
    return Ratio.medianOf(times);
  }

  /** Warms the loop up, and finds how many rounds fill the time. */
  private long calibrate(LongUnaryOperator loop) {
    for (long rounds = 64; ; rounds *= 2) {
      double nanos = nanosPerRound(loop, rounds);
      if (nanos * rounds > nanosPerLoop / 2) {
        nanos = Math.min(nanos, nanosPerRound(loop, rounds)); // it may have been stopped by others
      }
      if (nanos * rounds > nanosPerLoop / 2) {
        return warm(loop, nanos);
      }
    }
  }

  /** Runs it a few times in full, for the compiler, and takes the best time as what it needs. */
  private long warm(LongUnaryOperator loop, double nanosPerRound) {
    double best = nanosPerRound;
    for (int i = 0; i < WARM_UPS; i++) {
      best = Math.min(best, nanosPerRound(loop, Math.max(1, (long) (nanosPerLoop / best))));
    }
    return Math.max(1, (long) (nanosPerLoop / best));
  }

  private static double nanosPerRound(LongUnaryOperator loop, long rounds) {
    long start = System.nanoTime();
    sink += loop.applyAsLong(rounds);
    return (System.nanoTime() - start) / (double) rounds;
  }
}
