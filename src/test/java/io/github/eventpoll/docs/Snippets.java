package io.github.eventpoll.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every Java block of the pages, and of the Javadoc of packages, that is not the text of a compiled
 * and tested file, as a list of sentences. A block says above itself where it comes from:
 *
 * <pre>
 * {@code <!-- snippet: src/examples/java/p/File.java#name -->}
 * </pre>
 *
 * <p>and there it stands between {@code // snippet: name} and {@code // end snippet}, indented or
 * not. A block that shall not be compiled says {@code <!-- not compiled: reason -->}.
 */
final class Snippets {
  private static final Pattern REFERENCE =
      Pattern.compile("<!-- snippet: (src/(?:examples|test)/java/\\S+\\.java)#([\\w-]+) -->");
  private static final Pattern WAIVED = Pattern.compile("<!-- not compiled: \\S.* -->");
  private static final Pattern TEST = Pattern.compile("@(?:\\w+)?Test\\b");
  private static final String END = "// end snippet";

  private final Path root;
  private final Map<Path, String> tests;
  private final List<String> broken = new ArrayList<>();

  private Snippets(Path root) {
    this.root = root;
    this.tests = new JavaSources(root).below("src/test/java");
    tests.replaceAll((path, text) -> JavaSources.code(text));
  }

  static List<String> brokenIn(Path root) throws IOException {
    Snippets snippets = new Snippets(root);
    for (Path page : pages(root)) {
      snippets.check(page);
    }
    return snippets.broken;
  }

  private static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    for (Path dir : List.of(root.resolve("docs"), root.resolve("src/main/java"))) {
      try (Stream<Path> files = Files.isDirectory(dir) ? Files.walk(dir) : Stream.empty()) {
        files
            .filter(p -> p.toString().endsWith(".md") || p.endsWith("package-info.java"))
            .sorted()
            .forEach(pages::add);
      }
    }
    return pages;
  }

  /** The lines of a page; of a package's Javadoc what it would be as a page. */
  private static List<String> lines(Path page) throws IOException {
    Stream<String> lines = Files.readAllLines(page).stream();
    if (page.endsWith("package-info.java")) {
      lines = lines.map(line -> line.replaceFirst("^ \\* ?", ""));
      lines = lines.map(line -> line.replace("<pre>{@code", "```java").replace("}</pre>", "```"));
    }
    return lines.toList();
  }

  private void check(Path page) throws IOException {
    List<String> lines = lines(page);
    String above = "";
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith("```java")) {
        int begin = i + 1;
        do {
          i++;
        } while (i < lines.size() && !lines.get(i).strip().equals("```"));
        String shown = String.join("\n", lines.subList(begin, i)).stripIndent();
        check(root.relativize(page) + ":" + begin, above, shown);
      }
      above = lines.get(i).isBlank() ? above : lines.get(i).strip();
    }
  }

  private void check(String place, String above, String shown) throws IOException {
    Matcher reference = REFERENCE.matcher(above);
    if (WAIVED.matcher(above).matches()) {
      return;
    }
    if (!reference.matches()) {
      broken.add(place + " has no line '<!-- snippet: FILE#NAME -->' above it");
      return;
    }
    String file = reference.group(1);
    String name = reference.group(2);
    Path source = root.resolve(file);
    if (!Files.exists(source)) {
      broken.add(place + " names " + file + ", which does not exist");
      return;
    }
    List<String> regions = regions(Files.readString(source), name);
    if (regions.size() != 1) {
      broken.add(place + ": " + file + " has " + regions.size() + " snippets '" + name + "'");
    } else if (!regions.get(0).equals(shown)) {
      broken.add(place + " differs from " + file + "#" + name + ":\n" + regions.get(0));
    }
    String type = source.getFileName().toString().replace(".java", "");
    if (!isTested(type)) {
      broken.add(place + ": no test names " + type);
    }
  }

  private static List<String> regions(String source, String name) {
    String begin = "(?m)^[ \\t]*// snippet: " + Pattern.quote(name) + "[ \\t]*\\R";
    return Arrays.stream(source.split(begin, -1))
        .skip(1)
        .map(text -> text.split("(?m)^[ \\t]*" + END + "[ \\t]*$", 2))
        .filter(parts -> parts.length == 2)
        .map(parts -> parts[0].stripTrailing().stripIndent())
        .collect(Collectors.toList());
  }

  /** Whether a test is called so, or speaks of it; comments do not count. */
  private boolean isTested(String type) {
    Pattern word = Pattern.compile("\\b" + type + "\\b");
    return tests.values().stream()
        .filter(code -> TEST.matcher(code).find())
        .anyMatch(code -> word.matcher(code).find());
  }
}
