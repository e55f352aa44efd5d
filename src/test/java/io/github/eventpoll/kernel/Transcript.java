package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import io.github.eventpoll.kernel.Step.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What came of each operation of a program, in the order of the operations. */
abstract class Transcript {
  private final List<Step> steps = new ArrayList<>();
  private final Map<Long, String> names = new HashMap<>();

  List<Step> steps() {
    return List.copyOf(steps);
  }

  void step(Kind kind, String operation, int mask, Supplier<?> call) {
    String result;
    try {
      result = String.valueOf(call.get());
    } catch (Refused refused) {
      result = refused.errno();
    }
    steps.add(new Step(kind, operation, mask, result));
  }

  void step(Kind kind, String operation, int mask, Runnable call) {
    step(
        kind,
        operation,
        mask,
        () -> {
          call.run();
          return "ok";
        });
  }

  /** A line of the program's own, for what it has worked out. */
  void note(String what, Object value) {
    step(Kind.NOTE, what, 0, () -> value);
  }

  Handle named(String name, int number) {
    Handle handle = new Handle(name, names.size() + 1, number);
    names.put(handle.data(), name);
    return handle;
  }

  List<String> events(List<World.Event> events) {
    return events.stream().map(e -> name(e.data()) + ":" + Events.toString(e.bits())).toList();
  }

  String name(long data) {
    return names.getOrDefault(data, "#" + data);
  }

  static String control(String what, Handle poll, Handle source, int mask, long data) {
    String call = what + "(" + poll + ", " + source + ", " + Events.toString(mask);
    return call + (data == source.data() ? ")" : ", data " + data + ")");
  }
}
