package io.github.eventpoll.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Compares programs drawn by lot, one seed after the other. To run for minutes: {@code mvn
 * test-compile surefire:test@kernel -Dtest=RandomProgramsTest -Dkernel.minutes=N}.
 */
final class Campaign {
  /** More differences than this are not explained: they are probably the same ones. */
  private static final int EXPLAINED = 3;

  private final Tally tally = new Tally();
  private final List<String> differences = new ArrayList<>();
  private final long first;
  private long next;

  Campaign(long firstSeed) {
    this.first = firstSeed;
    this.next = firstSeed;
  }

  List<String> differences() {
    return differences;
  }

  void run(BooleanSupplier goOn) {
    while (goOn.getAsBoolean()) {
      seed(next++);
    }
  }

  long programs() {
    return tally.programs();
  }

  private void seed(long seed) {
    Script script = Draw.script(seed);
    Trial trial = new Trial(script);
    tally.program(Draw.shape(seed), trial.kernel());
    List<Variant> all = Variant.ALL;
    int variants = script.hasThreads() ? 1 : VARIANTS;
    for (int i = 0; i < variants; i++) {
      Variant variant = all.get((int) Math.floorMod(seed * variants + i, (long) all.size()));
      tally.comparison();
      String difference = trial.difference(variant);
      if (difference != null) {
        note(seed, script, variant, difference);
      }
    }
  }

  /** With how many makes of polls a program without threads is compared. */
  private static final int VARIANTS = Integer.getInteger("kernel.variants", 3);

  private void note(long seed, Script script, Variant variant, String difference) {
    String what = "seed " + seed + " (" + Draw.shape(seed) + ") differs with polls " + variant;
    if (differences.size() < EXPLAINED) {
      what += ":\n" + difference + "\nthe least that differs:\n" + Trial.explain(script, variant);
    }
    differences.add(what);
  }

  String summary() {
    return "seeds "
        + first
        + " to "
        + (next - 1)
        + ": "
        + tally.programs()
        + " programs "
        + tally.shapes()
        + ", "
        + tally.comparisons()
        + " comparisons with "
        + Variant.ALL.size()
        + " makes of polls, "
        + differences.size()
        + " unexplained differences\n"
        + tally.table();
  }
}
