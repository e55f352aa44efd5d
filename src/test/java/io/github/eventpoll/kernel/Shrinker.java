package io.github.eventpoll.kernel;

import io.github.eventpoll.kernel.Op.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a program smaller as long as it shows what it showed: leaves operations out, in ever
 * smaller pieces, and then takes bits out of masks and makes numbers small. The same program always
 * ends up the same.
 */
final class Shrinker {
  private static final long[] SMALL = {0, 1, 2, 64};

  private final Predicate<Script> shows;
  private Script best;

  private Shrinker(Script script, Predicate<Script> shows) {
    this.best = script;
    this.shows = shows;
  }

  /** A part of a program that shows the same, from which nothing more can be taken. */
  static Script shrink(Script script, Predicate<Script> shows) {
    Shrinker shrinker = new Shrinker(script, shows);
    boolean smaller;
    do {
      smaller = shrinker.dropPieces();
      smaller |= shrinker.simplify();
    } while (smaller);
    return shrinker.best;
  }

  private boolean dropPieces() {
    boolean any = false;
    for (int size = Math.max(1, best.ops().size() / 2); size >= 1; size /= 2) {
      for (int at = best.ops().size() - size;
          at >= 0;
          at = Math.min(at, best.ops().size()) - size) {
        List<Op> fewer = new ArrayList<>(best.ops());
        fewer.subList(at, at + size).clear();
        any |= accept(fewer);
      }
    }
    return any;
  }

  private boolean simplify() {
    boolean any = false;
    for (int i = 0; i < best.ops().size(); i++) {
      any |= simplifyMask(i);
      any |= simplifyValue(i);
    }
    return any;
  }

  private boolean simplifyMask(int i) {
    boolean any = false;
    for (int bit = 31; bit >= 0; bit--) {
      Op op = best.ops().get(i);
      int without = op.mask() & ~(1 << bit);
      any |= without != op.mask() && replace(i, op.withMask(without));
    }
    return any;
  }

  private boolean simplifyValue(int i) {
    for (long small : SMALL) {
      Op op = best.ops().get(i);
      if (small == op.value()) {
        return false;
      }
      if ((small > 0 || !isBatch(op)) && replace(i, op.withValue(small))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBatch(Op op) {
    return op.code() == Code.AWAIT || op.code() == Code.WAITER || op.code() == Code.ASKER;
  }

  private boolean replace(int i, Op op) {
    List<Op> other = new ArrayList<>(best.ops());
    other.set(i, op);
    Script script = new Script(other);
    boolean kept = script.ops().size() == other.size() && shows.test(script);
    if (kept) {
      best = script;
    }
    return kept;
  }

  private boolean accept(List<Op> fewer) {
    Script script = new Script(fewer);
    boolean smaller = script.ops().size() < best.ops().size() && shows.test(script);
    if (smaller) {
      best = script;
    }
    return smaller;
  }
}
