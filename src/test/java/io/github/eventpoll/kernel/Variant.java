package io.github.eventpoll.kernel;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A make of polls: one combination of what the builder has to choose from, or all of them in turn,
 * so that polls of different makes watch each other.
 *
 * @param lock null for all in turn
 */
record Variant(@Nullable LockKind lock, boolean maskPreCheck, boolean notifiedFastPath) {
  private static final List<Variant> PURE = pure();

  static final Variant MIXED = new Variant(null, false, false);

  /** Every combination, and the mixture. */
  static final List<Variant> ALL = all();

  private static List<Variant> pure() {
    List<Variant> found = new ArrayList<>();
    for (LockKind lock : LockKind.values()) {
      for (int filters = 0; filters < 4; filters++) {
        found.add(new Variant(lock, (filters & 1) != 0, (filters & 2) != 0));
      }
    }
    return List.copyOf(found);
  }

  private static List<Variant> all() {
    List<Variant> found = new ArrayList<>(PURE);
    found.add(MIXED);
    return List.copyOf(found);
  }

  /** What makes the polls of one program. */
  Supplier<EventPoll> polls() {
    if (lock != null) {
      return this::poll;
    }
    AtomicInteger made = new AtomicInteger();
    return () -> PURE.get(made.getAndAdd(5) % PURE.size()).poll();
  }

  private EventPoll poll() {
    return EventPoll.builder()
        .lock(lock == null ? LockKind.SPIN : lock)
        .maskPreCheck(maskPreCheck)
        .notifiedFastPath(notifiedFastPath)
        .build();
  }

  /** As an expression. */
  String java() {
    return lock == null
        ? "Variant.MIXED"
        : "new Variant(LockKind.%s, %b, %b)".formatted(lock, maskPreCheck, notifiedFastPath);
  }

  @Override
  public String toString() {
    if (lock == null) {
      return "mixed";
    }
    return lock + (maskPreCheck ? "+preCheck" : "") + (notifiedFastPath ? "+fastPath" : "");
  }
}
