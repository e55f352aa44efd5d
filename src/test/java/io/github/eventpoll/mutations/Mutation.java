package io.github.eventpoll.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One way of breaking the library: which text is to be replaced in which files, and the tests that
 * must notice. It is read from a file:
 *
 * <pre>
 * What is broken, in one line
 * test io.github.eventpoll.SomeTest#someMethod
 * file SpinPath.java
 * ----
 * the text as it stands
 * ----
 * the text instead
 * ----
 * </pre>
 *
 * <p>Several tests and several replacements may be given. Each test must notice by itself.
 */
record Mutation(String name, String what, List<String> tests, List<Replacement> replacements) {
  private static final String RULE = "----";

  /** One replacement; the text must stand in the file exactly once. */
  record Replacement(String file, String old, String with) {
    String applyTo(String source, String mutation) {
      int at = source.indexOf(old);
      if (at < 0 || source.indexOf(old, at + 1) >= 0) {
        throw new IllegalStateException(
            "%s: this text must stand once in %s, and stands there %s:%n%s"
                .formatted(mutation, file, at < 0 ? "nowhere" : "several times", old));
      }
      return source.substring(0, at) + with + source.substring(at + old.length());
    }
  }

  /** All mutations of a directory, by name. */
  static List<Mutation> all(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> sorted = files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
      List<Mutation> found = new ArrayList<>();
      for (Path file : sorted) {
        found.add(parse(file));
      }
      return found;
    }
  }

  private static Mutation parse(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> tests = new ArrayList<>();
    List<Replacement> replacements = new ArrayList<>();
    int at = 1;
    while (at < lines.size()) {
      String line = lines.get(at++);
      if (line.startsWith("test ")) {
        tests.add(line.substring(5).trim());
      } else if (line.startsWith("file ")) {
        List<String> parts = new ArrayList<>();
        at++; // the first rule
        for (int i = 0; i < 2; i++) {
          int end = lines.subList(at, lines.size()).indexOf(RULE) + at;
          parts.add(String.join("\n", lines.subList(at, end)));
          at = end + 1;
        }
        replacements.add(new Replacement(line.substring(5).trim(), parts.get(0), parts.get(1)));
      }
    }
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.txt$", "");
    if (tests.isEmpty() || replacements.isEmpty()) {
      throw new IllegalStateException(file + " names no test, or replaces nothing");
    }
    return new Mutation(name, lines.get(0), tests, replacements);
  }
}
