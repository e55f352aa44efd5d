package io.github.eventpoll.kernel;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How many operations of each kind were compared, and what came of them. */
final class Tally {
  private final Map<String, TreeMap<String, Long>> counts = new TreeMap<>();
  private final Map<String, Long> shapes = new TreeMap<>();
  private long programs;
  private long comparisons;

  void program(Shape shape, List<Step> steps) {
    programs++;
    shapes.merge(shape.name(), 1L, Long::sum);
    for (Step step : steps) {
      counts
          .computeIfAbsent(step.kind().name(), k -> new TreeMap<>())
          .merge(outcome(step), 1L, Long::sum);
    }
  }

  void comparison() {
    comparisons++;
  }

  long programs() {
    return programs;
  }

  long comparisons() {
    return comparisons;
  }

  /** The error, or whether there was anything. */
  private static String outcome(Step step) {
    String result = step.result();
    if (result.matches("E[A-Z]{3,}")) {
      return result;
    }
    return switch (result) {
      case "[]", "0", "nobody", "asleep" -> "nothing";
      default -> "done";
    };
  }

  /** A table in Markdown: one line for each kind of operation. */
  String table() {
    StringBuilder text = new StringBuilder("| operation | number | of which |\n|---|---:|---|\n");
    counts.forEach(
        (kind, outcomes) -> {
          long all = outcomes.values().stream().mapToLong(n -> n).sum();
          text.append("| ").append(kind.toLowerCase(Locale.ROOT)).append(" | ");
          text.append(all).append(" | ");
          String sep = "";
          for (Map.Entry<String, Long> outcome : outcomes.entrySet()) {
            text.append(sep).append(outcome.getKey()).append(' ').append(outcome.getValue());
            sep = ", ";
          }
          text.append(" |\n");
        });
    return text.toString();
  }

  String shapes() {
    return shapes.toString();
  }
}
