package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.testkit.VirtualTime;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A probe that holds the first threads that come to one step of a poll until it is opened, so that
 * a test can put something in between.
 */
final class Gate implements Probe {
  private final Step step;
  private final int holds;
  private final CountDownLatch opened = new CountDownLatch(1);
  private int arrivals;

  private Gate(Step step, int holds) {
    this.step = step;
    this.holds = holds;
  }

  /** A gate for so many threads; the later ones pass. */
  static Gate at(Step step, int threads) {
    return new Gate(step, threads);
  }

  /** A poll on the system's clock with this gate in it. */
  EventPoll poll() {
    return poll(Clock.system(), this);
  }

  /** A poll on virtual time with this gate in it. */
  EventPoll poll(VirtualTime time) {
    return poll(time.poll().clock, this);
  }

  /** A poll with a clock and a probe. */
  static EventPoll poll(Clock clock, @Nullable Probe probe) {
    EventPollBuilder settings = Polls.builder();
    settings.seams(clock, probe);
    return settings.build();
  }

  @Override
  public void at(Step reached, Object who) {
    if (reached != step) {
      return;
    }
    synchronized (this) {
      if (arrivals == holds) {
        return;
      }
      arrivals++;
    }
    boolean interrupted = false;
    while (opened.getCount() > 0) {
      try {
        opened.await();
      } catch (InterruptedException e) {
        interrupted = true; // an interrupt of the held thread is for the engine to see
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns once so many threads are held, or have been. */
  void awaitArrivals(int threads) {
    Waiters.until(() -> arrivals() == threads, () -> threads + " at " + step);
  }

  private synchronized int arrivals() {
    return arrivals;
  }

  /** Lets everybody pass from now on. */
  void open() {
    opened.countDown();
  }
}
