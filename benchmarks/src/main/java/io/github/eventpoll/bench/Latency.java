package io.github.eventpoll.bench;

import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * From the signal to the return of the wait: one thread signals and lets the other, which returns,
 * notes the time and sleeps again, come to rest before the next signal.
 */
final class Latency {
  private static final long LONGEST = 10_000_000_000L;

  /** How long the sleeper has to fall asleep; it needs a few microseconds. */
  private static final long REST = 30_000;

  private static final int SPINS = 20_000;
  private static final Object MESSAGE = new Object();

  private final Handover way;
  private volatile long sent;
  private volatile int taken;

  private Latency(Handover way) {
    this.way = way;
  }

  /** Adds so many times to the histogram, in nanoseconds. */
  static void measure(IntFunction<Handover> made, int signals, Histogram into)
      throws InterruptedException {
    try (Handover way = made.apply(1)) {
      new Latency(way).measure(signals, into);
    }
  }

  private void measure(int signals, Histogram into) throws InterruptedException {
    Thread sleeper = new Thread(() -> sleep(signals, into));
    sleeper.start();
    for (int i = 0; i < signals; i++) {
      rest();
      sent = System.nanoTime();
      way.send(MESSAGE);
      awaitTaken(i + 1);
    }
    sleeper.join();
  }

  private void sleep(int signals, Histogram into) {
    for (int i = 0; i < signals; ) {
      if (way.take(message -> {}) > 0) {
        into.recordValue(Math.min(LONGEST, System.nanoTime() - sent));
        taken = ++i;
      }
    }
  }

  /** Without giving the processor away: a signal comes from a thread that runs. */
  private static void rest() {
    long end = System.nanoTime() + REST;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private void awaitTaken(int count) {
    for (int spins = 0; taken < count; spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }
}
