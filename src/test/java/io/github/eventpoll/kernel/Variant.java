package io.github.eventpoll.kernel;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Topology;
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
record Variant(
    @Nullable LockKind lock, boolean maskPreCheck, boolean notifiedFastPath, Topology topology) {
  private static final List<Variant> PURE = pure();

  static final Variant MIXED = new Variant(null, false, false, Topology.STRIPED);

  /** Every combination, and the mixture. */
  static final List<Variant> ALL = all();

  private static List<Variant> pure() {
    List<Variant> found = new ArrayList<>();
    for (Topology topology : Topology.values()) {
      for (LockKind lock : LockKind.values()) {
        for (int filters = 0; filters < 4; filters++) {
          found.add(new Variant(lock, (filters & 1) != 0, (filters & 2) != 0, topology));
        }
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
        .topology(topology)
        .build();
  }

  /** As an expression. */
  String java() {
    return lock == null
        ? "Variant.MIXED"
        : "new Variant(LockKind.%s, %b, %b, Topology.%s)"
            .formatted(lock, maskPreCheck, notifiedFastPath, topology);
  }

  @Override
  public String toString() {
    if (lock == null) {
      return "mixed";
    }
    String filters = (maskPreCheck ? "+preCheck" : "") + (notifiedFastPath ? "+fastPath" : "");
    return lock + filters + "/" + topology;
  }
}
