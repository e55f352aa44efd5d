package io.github.eventpoll.kernel;

import static io.github.eventpoll.kernel.Comparison.compare;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs drawn by lot, with fixed seeds: what nobody thought of writing down. */
@Tag("kernel")
class RandomProgramsTest {
  private static final int PROGRAMS = Integer.getInteger("kernel.programs", 100);
  private static final int FIRST = Integer.getInteger("kernel.seed", 1);
  private static final int LENGTH = 150;

  @Test
  void flat() throws Exception {
    run(false, false, false);
  }

  @Test
  void nested() throws Exception {
    run(true, false, false);
  }

  @Test
  void exclusive() throws Exception {
    run(true, true, false);
  }

  @Test
  void withWaiters() throws Exception {
    run(false, false, true);
  }

  @Test
  void nestedWithWaiters() throws Exception {
    run(true, false, true);
  }

  @Test
  void exclusiveWithWaiters() throws Exception {
    run(false, true, true);
  }

  private static void run(boolean nested, boolean exclusive, boolean waiters) throws Exception {
    int programs = waiters ? PROGRAMS / 25 : PROGRAMS; // threads take their time
    for (int seed = FIRST; seed < FIRST + programs; seed++) {
      try {
        compare(new RandomProgram(seed, LENGTH, nested, exclusive, waiters));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage());
      }
    }
  }
}
