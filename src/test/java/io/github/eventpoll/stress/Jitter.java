package io.github.eventpoll.stress;

import io.github.eventpoll.internal.Probe;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Makes threads stop for a moment at the steps of the engine, now and then. */
final class Jitter implements Probe {
  private final int seldom;

  /** One of {@code seldom} steps is delayed. */
  Jitter(int seldom) {
    this.seldom = seldom;
  }

  @Override
  public void at(Step step, Object who) {
    ThreadLocalRandom dice = ThreadLocalRandom.current();
    if (dice.nextInt(seldom) > 0) {
      return;
    }
    switch (dice.nextInt(4)) {
      case 0 -> LockSupport.parkNanos(dice.nextInt(100_000)); // uses up a permit as well
      case 1 -> {
        for (int i = dice.nextInt(200); i > 0; i--) {
          Thread.onSpinWait();
        }
      }
      default -> Thread.yield();
    }
  }
}
