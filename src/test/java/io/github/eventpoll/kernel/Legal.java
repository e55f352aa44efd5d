package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.EXCLUSIVE;

import io.github.eventpoll.kernel.Op.Code;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out of a list of operations what cannot be played, as after others were left out, and what
 * would let the two worlds go different ways for good by a deviation that is documented and tested
 * elsewhere. So every part of a list is a program again, which is what shrinking needs.
 */
final class Legal {
  private static final Set<Code> TOGETHER = EnumSet.of(Code.SETTLE_TOGETHER, Code.SETTLE_COUNT);
  private static final Set<Code> SETTLES =
      EnumSet.of(Code.SETTLE, Code.SETTLE_TOGETHER, Code.SETTLE_COUNT);
  private static final Set<Code> COUNTERS = EnumSet.of(Code.COUNTER, Code.SEMAPHORE, Code.ALIAS);

  /** One exclusive item; behind an alias is another source. */
  private record Exclusive(int poll, int source, int behind) {}

  private final Map<Integer, Code> made = new HashMap<>();
  private final Map<Integer, Integer> behind = new HashMap<>();
  private final Set<Integer> writeEnds = new HashSet<>();
  private final Set<Integer> closed = new HashSet<>();
  private final Set<Integer> withWaiters = new HashSet<>();
  private final Set<Exclusive> exclusives = new HashSet<>();

  /** Threads that sleep, or ought to, may be awake since the last operation. */
  private boolean unsettled;

  private Legal() {}

  static List<Op> of(List<Op> ops) {
    Legal legal = new Legal();
    List<Op> kept = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      if (!legal.keep(op)) {
        continue;
      }
      boolean settles = SETTLES.contains(op.code());
      if (settles && !legal.unsettled) {
        continue;
      }
      if (legal.unsettled && !settles && !op.code().makes() && !isTogether(ops, i)) {
        kept.add(Op.of(Code.SETTLE, 0)); // or else it is a race who sees what
      }
      kept.add(op);
      legal.unsettled = !settles && !legal.withWaiters.isEmpty();
    }
    return List.copyOf(kept);
  }

  /** Whether an operation and the one before it are two writes that are compared as a whole. */
  private static boolean isTogether(List<Op> ops, int at) {
    return at > 0
        && at + 1 < ops.size()
        && ops.get(at - 1).code() == Code.WRITE
        && ops.get(at).code() == Code.WRITE
        && TOGETHER.contains(ops.get(at + 1).code());
  }

  private boolean keep(Op op) {
    return op.code().makes() ? make(op) : isPossible(op) && isComparable(op);
  }

  private boolean make(Op op) {
    if (made.containsKey(op.a())) {
      return false;
    }
    if (op.code() == Code.ALIAS) {
      Code of = made.get(op.b());
      if ((of != Code.COUNTER && of != Code.SEMAPHORE) || closed.contains(op.b())) {
        return false;
      }
      behind.put(op.a(), op.b());
    }
    if (op.code() == Code.PIPE) {
      made.put(op.b(), Code.PIPE);
      writeEnds.add(op.b());
    }
    made.put(op.a(), op.code());
    return true;
  }

  /** Whether the things exist, and are what the operation is for. */
  private boolean isPossible(Op op) {
    Code a = made.get(op.a());
    return switch (op.code()) {
      case ADD, MODIFY, REMOVE -> a == Code.POLL && made.containsKey(op.b());
      case ADD_UNKNOWN -> a == Code.POLL && COUNTERS.contains(orNone(made.get(op.b())));
      case INTERESTS, AWAIT -> a == Code.POLL;
      case WAITER, ASKER -> a == Code.POLL && !closed.contains(op.a());
      case WRITE -> COUNTERS.contains(orNone(a));
      case READ -> a == Code.TIMER || COUNTERS.contains(orNone(a));
      case PUT -> a == Code.PIPE && writeEnds.contains(op.a());
      case TAKE -> a == Code.PIPE && !writeEnds.contains(op.a());
      case SET, EXPIRE, SETTING -> a == Code.TIMER;
      case ASK, CLOSE -> a != null && a != Code.UNWATCHABLE;
      default -> true;
    };
  }

  private static Code orNone(@Nullable Code code) {
    return code == null ? Code.SETTLE : code;
  }

  private boolean isComparable(Op op) {
    switch (op.code()) {
      case ADD -> {
        if ((op.mask() & EXCLUSIVE) != 0) {
          exclusives.add(exclusive(op.a(), op.b()));
        }
      }
      case WAITER, ASKER -> withWaiters.add(op.a());
      case MODIFY -> {
        // A closed number is found first by the kernel, a wrong mask first by the library
        return (op.mask() & EXCLUSIVE) == 0 || !closed.contains(op.b());
      }
      case REMOVE -> {
        return mayEnd(exclusive(op.a(), op.b()));
      }
      case AWAIT -> {
        // A batch of no size or too much cannot be made, so nobody can wait with it in a closed
        // poll
        return (op.value() > 0 && op.value() < Integer.MAX_VALUE) || !closed.contains(op.a());
      }
      case ASK, INTERESTS -> {
        return !closed.contains(op.a());
      }
      case CLOSE -> {
        return mayClose(op.a());
      }
      default -> {}
    }
    return true;
  }

  private Exclusive exclusive(int poll, int source) {
    return new Exclusive(poll, source, behind.getOrDefault(source, source));
  }

  /**
   * The library gives the wake of an exclusive item that ends to the other exclusive ones: only
   * where there are none it does as the kernel.
   */
  private boolean mayEnd(Exclusive item) {
    boolean alone = exclusives.stream().noneMatch(e -> isRival(e, item));
    if (exclusives.contains(item) && !alone) {
      return false;
    }
    exclusives.remove(item);
    return true;
  }

  private static boolean isRival(Exclusive one, Exclusive other) {
    return one.behind == other.behind && !one.equals(other);
  }

  private boolean mayClose(int thing) {
    if (behind.containsKey(thing) || behind.containsValue(thing) || withWaiters.contains(thing)) {
      return false; // no duplicates of a source here; and closing a poll ends its waits
    }
    for (Exclusive item : exclusives) {
      if (item.poll == thing && exclusives.stream().anyMatch(e -> isRival(e, item))) {
        return false;
      }
    }
    exclusives.removeIf(e -> e.poll == thing || e.source == thing);
    closed.add(thing);
    return true;
  }
}
