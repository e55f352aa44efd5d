package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Prints a program as Java that can be pasted into a test of this package. */
final class JavaText {
  private final Map<Integer, String> names = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private int waiters;

  private JavaText() {}

  static String of(Script script, Variant variant) {
    JavaText java = new JavaText();
    java.text.append("compare(\n    ").append(variant.java()).append(",\n    r -> {\n");
    for (Op op : script.ops()) {
      java.line(op);
    }
    return java.text.append("    });\n").toString();
  }

  private void line(Op op) {
    text.append("      ").append(op.code().makes() ? make(op) : call(op)).append(";\n");
  }

  private String make(Op op) {
    String name = Script.name(op);
    names.put(op.a(), name);
    String make = op.code().name().toLowerCase(Locale.ROOT);
    return switch (op.code()) {
      case COUNTER, SEMAPHORE ->
          "Handle %s = r.%s(\"%s\", %d)".formatted(name, make, name, op.value());
      case ALIAS -> "Handle %s = r.alias(\"%s\", %s)".formatted(name, name, names.get(op.b()));
      case PIPE -> pipe(name, op);
      default -> "Handle %s = r.%s(\"%s\")".formatted(name, make, name);
    };
  }

  private String pipe(String name, Op op) {
    String other = Script.secondName(op);
    names.put(op.a(), "ends" + op.a() + "[0]");
    names.put(op.b(), "ends" + op.a() + "[1]");
    return "Handle[] ends%d = r.pipe(\"%s\", \"%s\")".formatted(op.a(), name, other);
  }

  private String call(Op op) {
    String a = names.get(op.a());
    String b = names.get(op.b());
    String value = op.value() + (op.value() == (int) op.value() ? "" : "L");
    return switch (op.code()) {
      case ADD, MODIFY -> control(op, a, b) + (op.value() == 0 ? ")" : ", " + value + ")");
      case ADD_UNKNOWN -> "r.addUnknown(%s, %s, %s)".formatted(a, b, mask(op.mask()));
      case REMOVE -> "r.remove(%s, %s)".formatted(a, b);
      case SET -> "r.setTimer(%s, Script.HOUR, %s)".formatted(a, period(op));
      case EXPIRE -> "r.expire(%s, %s)".formatted(a, period(op));
      case SETTING -> "r.timer(%s, Script.HOUR)".formatted(a);
      case ASK -> "r.ask(%s, %s)".formatted(a, mask(op.mask()));
      case WRITE, PUT, TAKE, AWAIT ->
          "r.%s(%s, %s)".formatted(op.code().name().toLowerCase(Locale.ROOT), a, value);
      case WAITER, ASKER ->
          "r.%s(\"W%d\", %s, %s)"
              .formatted(op.code().name().toLowerCase(Locale.ROOT), waiters++, a, value);
      case SETTLE -> "r.settle()";
      case SETTLE_TOGETHER -> "r.settleTogether()";
      case SETTLE_COUNT -> "r.settleCount()";
      default -> "r.%s(%s)".formatted(op.code().name().toLowerCase(Locale.ROOT), a);
    };
  }

  private static String control(Op op, String a, String b) {
    String name = op.code().name().toLowerCase(Locale.ROOT);
    return "r.%s(%s, %s, %s".formatted(name, a, b, mask(op.mask()));
  }

  private static String period(Op op) {
    return op.value() == 0 ? "0" : "Script.HOUR";
  }

  private static String mask(int mask) {
    return Events.toString(mask).replace("|", " | ");
  }
}
