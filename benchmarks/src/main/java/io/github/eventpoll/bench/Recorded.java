package io.github.eventpoll.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What one run has written by {@link Report#finish}.
 *
 * @param facts about the machine, and whether the run was short
 * @param lines by the id of what they belong to
 */
record Recorded(Map<String, String> facts, Map<String, List<Line>> lines) {
  /** One measurement. */
  record Line(String what, double value, double low, double high, String bar, String verdict) {}

  private static final Pattern FACT = Pattern.compile("\\{?\"(\\w+)\":\"(.*)\",");
  private static final Pattern NOTE =
      Pattern.compile("\\{\"id\":\"([^\"]*)\",\"note\":\"(.*)\"},?");
  private static final Pattern LINE =
      Pattern.compile(
          "\\{\"id\":\"([^\"]*)\",\"what\":\"(.*)\",\"value\":(\\S+),\"low\":(\\S+),"
              + "\"high\":(\\S+),\"bar\":\"(.*)\",\"verdict\":\"(\\w+)\"},?");

  /** Every run that is kept, the oldest first. */
  static List<Recorded> all(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      List<Recorded> all = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        all.add(read(Files.readAllLines(file)));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException("there are no runs to make a page of", e);
    }
  }

  static Recorded read(List<String> text) {
    Recorded run = new Recorded(new LinkedHashMap<>(), new LinkedHashMap<>());
    for (String line : text) {
      Matcher fact = FACT.matcher(line);
      Matcher note = NOTE.matcher(line);
      Matcher figure = LINE.matcher(line);
      if (figure.matches()) {
        run.lines.computeIfAbsent(figure.group(1), id -> new ArrayList<>()).add(line(figure));
      } else if (note.matches()) {
        if (note.group(1).equals("all")) {
          run.facts.put("mode", note.group(2));
        }
      } else if (fact.matches()) {
        run.facts.put(fact.group(1), fact.group(2));
      }
    }
    return run;
  }

  private static Line line(Matcher figure) {
    return new Line(
        figure.group(2).replace("\\\"", "\"").replace("\\\\", "\\"),
        number(figure.group(3)),
        number(figure.group(4)),
        number(figure.group(5)),
        figure.group(6),
        figure.group(7));
  }

  private static double number(String text) {
    return text.equals("null") ? Double.NaN : Double.parseDouble(text);
  }

  boolean isFull() {
    return !"quick".equals(facts.get("mode"));
  }

  /** The feature release: 17 of "OpenJDK 64-Bit Server VM 17.0.15+6". */
  int release() {
    Matcher version = Pattern.compile(" (\\d+)[.+\\-\\w]*$").matcher(facts.getOrDefault("jdk", ""));
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }
}
