package io.github.eventpoll.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything at once on random polls and sources, in half of the rounds with channels, for 30
 * seconds or {@code -Dstress.seconds=N}, in rounds of about one second. Many times a round all
 * threads are stopped and the state is judged; a failure prints the seed of its round, which {@code
 * -Dstress.seed=N} draws again, the polls and the last steps of all threads.
 */
@Tag("stress")
class EngineStressTest {
  private static final int STOPS = 60;
  private static final long FAIL_SAFE_NANOS = 60_000_000_000L;

  @Test
  void nothingIsLostAndNobodySleepsBesideAnEvent() throws Exception {
    long seconds = Long.getLong("stress.seconds", 30);
    long seed = Long.getLong("stress.seed", 0);
    if (seed == 0) {
      seed = new Random().nextLong();
    }
    System.out.println("EngineStressTest: " + seconds + " s, seed " + seed);
    Random seeds = new Random(seed);
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    int rounds = 0;
    long delivered = 0;
    long asleep = 0;
    Resources resources = new Resources();
    for (long next = seed; System.nanoTime() - end < 0; next = seeds.nextLong()) {
      World world = new World(next);
      round(world);
      resources.requireFlat(next);
      rounds++;
      delivered += world.delivered.sum();
      asleep += world.seenAsleep;
    }
    System.out.printf(
        "EngineStressTest: %d rounds, %d events, %d times asleep at a stop%n",
        rounds, delivered, asleep);
  }

  private static void round(World world) throws InterruptedException {
    world.cast();
    for (Actor actor : world.actors) {
      actor.thread.start();
    }
    List<String> wrong = List.of();
    try {
      for (int i = 0; i < STOPS && wrong.isEmpty() && !world.ending(); i++) {
        LockSupport.parkNanos(world.random.nextInt(20_000_000));
        wrong = stop(world);
      }
    } finally {
      world.end();
      join(world);
    }
    if (wrong.isEmpty() && world.failure() == null) {
      wrong = Judge.of(world);
    }
    if (wrong.isEmpty() && world.failure() == null) {
      wrong = Judge.atTheEnd(world);
    }
    if (world.failure() != null) {
      throw new AssertionError("seed " + world.seed + "\n" + world.report(), world.failure());
    }
    assertThat(wrong).as("seed %d%n%s", world.seed, world.transcript()).isEmpty();
  }

  /** Stops everybody and judges. */
  private static List<String> stop(World world) {
    List<String> wrong =
        world.channels // a helper, or a thread that just returns from the selector, takes a moment
            ? world.safepoint.judge(world.actors, () -> judge(world), 50, 10_000_000)
            : world.safepoint.judge(world.actors, () -> judge(world), 3, 0);
    if (wrong.isEmpty()) {
      wrong = world.safepoint.judge(world.actors, () -> Judge.ofTime(world), 20, 10_000_000);
    }
    return wrong;
  }

  private static List<String> judge(World world) {
    world.seenAsleep += world.actors.stream().filter(actor -> !actor.paused).count();
    List<String> wrong = Judge.of(world);
    if (!wrong.isEmpty()) {
      world.keepReport();
    }
    return wrong;
  }

  /** Interrupts those who sleep until all have gone. */
  private static void join(World world) throws InterruptedException {
    long end = System.nanoTime() + FAIL_SAFE_NANOS;
    for (Actor actor : world.actors) {
      while (!actor.isDone()) {
        actor.thread.interrupt();
        actor.thread.join(1);
        if (System.nanoTime() - end > 0) {
          throw new AssertionError("left behind:\n" + Safepoint.stacks(world.actors));
        }
      }
      actor.thread.join(10_000);
    }
  }
}
