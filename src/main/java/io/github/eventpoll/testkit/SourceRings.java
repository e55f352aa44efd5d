package io.github.eventpoll.testkit;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.internal.Probe;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a source, each with what the source answered at that moment. It is asked by another
 * thread, for the one that rings may hold whatever locks the source has; no answer within a moment
 * is no answer, and held against nobody.
 */
final class SourceRings implements Probe {
  private static final int UNKNOWN = -1;
  private static final int MOMENT_MILLIS = 500;

  private record Ring(int key, int answer) {}

  private final Pollable source;
  private final List<Ring> rings = new CopyOnWriteArrayList<>();

  SourceRings(Pollable source) {
    this.source = source;
  }

  @Override
  public void at(Step step, Object who) {}

  @Override
  public void at(Step step, Object who, int bits) {
    if (step == Step.CALLBACK) {
      rings.add(new Ring(bits, answer()));
    }
  }

  private int answer() {
    AtomicInteger answer = new AtomicInteger(UNKNOWN);
    CountDownLatch answered = new CountDownLatch(1);
    Thread asker =
        new Thread(
            () -> {
              try {
                answer.set(source.readiness());
              } catch (RuntimeException e) {
                answer.set(0);
              } finally {
                answered.countDown();
              }
            },
            "source-contract-asker");
    asker.setDaemon(true);
    asker.start();
    boolean interrupted = Thread.interrupted();
    try {
      return answered.await(MOMENT_MILLIS, TimeUnit.MILLISECONDS) ? answer.get() : UNKNOWN;
    } catch (InterruptedException e) {
      interrupted = true;
      return UNKNOWN;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void forget() {
    rings.clear();
  }

  /** What is wrong with the rings since the last {@link #forget}; null if one was right. */
  @Nullable String fault(int bits) {
    String fault = "it did not ring its wait queue";
    for (Ring ring : rings) {
      boolean hears = ring.key == 0 || (ring.key & bits) != 0;
      boolean after = ring.answer == UNKNOWN || (ring.answer & bits) != 0;
      if (hears && after) {
        return null;
      }
      fault =
          hears
              ? "it rang before readiness() told of the change, and not after"
              : "it rang with the key "
                  + Events.toString(ring.key)
                  + ", which those who wait for this do not hear";
    }
    return fault;
  }
}
