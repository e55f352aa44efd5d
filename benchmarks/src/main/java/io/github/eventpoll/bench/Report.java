package io.github.eventpoll.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One line per measurement: id, what, ratio with its interval, bar, verdict. A bar is missed only
 * if the interval excludes it; a line without a bar is for information.
 */
final class Report {
  private final List<String> json = new ArrayList<>();
  private boolean allPass = true;

  /** A ratio that must not be larger than its bar. */
  void atMost(String id, String what, Ratio ratio, double bar) {
    line(id, what, ratio, "<= " + number(bar), ratio.low() <= bar);
  }

  /** A ratio that must not be smaller than its bar. */
  void atLeast(String id, String what, Ratio ratio, double bar) {
    line(id, what, ratio, ">= " + number(bar), ratio.high() >= bar);
  }

  /** A count that must not be larger than its bar; it has no interval. */
  void atMost(String id, String what, double value, double bar) {
    atMost(id, what, new Ratio(value, value, value), bar);
  }

  /** A figure for information. */
  void info(String id, String what, double value, String unit) {
    System.out.printf(Locale.ROOT, "%-3s %-58s %9s %s%n", id, what, number(value), unit);
    record(id, what, value, unit);
  }

  /** A figure that is not printed. */
  void record(String id, String what, double value, String unit) {
    record(id, what + (unit.isEmpty() ? "" : ", " + unit), value, value, value, "", "info");
  }

  /** A ratio for information, where what its bar is about is not there yet. */
  void info(String id, String what, Ratio ratio, String remark) {
    print(id, what, ratio, remark, "info");
  }

  /** Something that is no figure. */
  void note(String id, String text) {
    System.out.printf("%-3s %s%n", id, text);
    json.add("{\"id\":" + quoted(id) + ",\"note\":" + quoted(text) + "}");
  }

  /** What could not be measured counts as missed. */
  void failed(String id, Throwable why) {
    allPass = false;
    note(id, "failed: " + why);
  }

  private void line(String id, String what, Ratio ratio, String bar, boolean pass) {
    allPass &= pass;
    print(id, what, ratio, bar, pass ? "pass" : "short");
  }

  private void print(String id, String what, Ratio ratio, String bar, String verdict) {
    System.out.printf(
        Locale.ROOT,
        "%-3s %-58s %9s [%s, %s]  %-10s %s%n",
        id,
        what,
        number(ratio.median()),
        number(ratio.low()),
        number(ratio.high()),
        bar,
        verdict);
    record(id, what, ratio.median(), ratio.low(), ratio.high(), bar, verdict);
  }

  private void record(
      String id, String what, double value, double low, double high, String bar, String verdict) {
    json.add(
        String.format(
            Locale.ROOT,
            "{\"id\":%s,\"what\":%s,\"value\":%s,\"low\":%s,\"high\":%s,\"bar\":%s,\"verdict\":%s}",
            quoted(id),
            quoted(what),
            finite(value),
            finite(low),
            finite(high),
            quoted(bar),
            quoted(verdict)));
  }

  /** JSON knows no infinity. */
  private static String finite(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "null";
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String number(double value) {
    double size = Math.abs(value);
    return String.format(
        Locale.ROOT,
        size >= 1000 ? "%.0f" : size >= 10 ? "%.1f" : size == 0 ? "%.0f" : "%.2f",
        value);
  }

  /**
   * Writes everything as JSON, and once more where {@link Page} finds it; true if no bar was
   * missed.
   */
  boolean finish(Path file) {
    String head =
        Machine.facts().entrySet().stream()
            .map(fact -> quoted(fact.getKey()) + ":" + quoted(fact.getValue()))
            .collect(Collectors.joining(",\n", "{", ",\n\"results\":[\n"));
    try {
      Files.createDirectories(Page.RUNS);
      for (Path to : List.of(file, Page.RUNS.resolve(Page.nameOf(file)))) {
        Files.writeString(to, head + String.join(",\n", json) + "\n]}\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return allPass;
  }
}
