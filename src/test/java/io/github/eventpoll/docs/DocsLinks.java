package io.github.eventpoll.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every link between docs and code that has gone stale, as a list of sentences. */
final class DocsLinks {
  private static final Pattern ID = Pattern.compile("\\bMO-[A-Z]+-\\d+\\b");
  private static final Pattern FIELD =
      Pattern.compile("(?ms)^- \\**([A-Z][A-Za-z ]+?):\\**[ \\t]*(.*?)(?=^- |^#|\\z)");
  private static final Pattern TICKED = Pattern.compile("`([A-Z]\\w*(?:\\.\\w+)*)(?:\\(\\))?`");
  private static final Pattern TICKED_TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|Stress)(?:\\.\\w+)*)(?:\\(\\))?`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final List<String> PROSE =
      List.of("Statement", "Breaks as", "Pattern", "Argument", "Rejected");
  private static final List<String> PATTERNS =
      List.of("publication", "store-load handshake", "single winner", "guard");
  private static final String STRESS = "jcstress-tests/src/main/java";

  private final Path root;
  private final JavaSources sources;
  private final List<String> broken = new ArrayList<>();

  private DocsLinks(Path root) {
    this.root = root;
    this.sources = new JavaSources(root);
  }

  static List<String> brokenIn(Path root) throws IOException {
    DocsLinks links = new DocsLinks(root);
    links.checkClaims();
    links.checkTestNames();
    links.checkRelativeLinks();
    return links.broken;
  }

  private void checkClaims() throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String section : text("docs/memory-ordering.md").split("(?m)(?=^## )")) {
      Matcher id = ID.matcher(section.lines().findFirst().orElse(""));
      if (section.startsWith("## ") && id.find()) {
        if (sections.put(id.group(), section) != null) {
          broken.add(id.group() + " has two sections in docs/memory-ordering.md");
        }
      }
    }
    Set<String> inMain = cited("src/main/java");
    Set<String> inStress = cited(STRESS);
    sections.forEach(
        (id, section) -> {
          Map<String, String> fields = fields(section);
          checkProse(id, fields);
          checkNames(id, fields);
          if (!inMain.contains(id)) {
            broken.add(id + " is cited nowhere in src/main");
          }
          if (!inStress.contains(id) && isBlank(fields, "Waived")) {
            broken.add(id + " is cited nowhere in jcstress-tests");
          }
        });
    for (String dir :
        List.of("src/main/java", "src/test/java", "src/examples/java", STRESS, "benchmarks")) {
      for (String id : cited(dir)) {
        if (!sections.containsKey(id)) {
          broken.add(
              id + " is cited in " + dir + ", docs/memory-ordering.md has no section for it");
        }
      }
    }
  }

  private void checkProse(String id, Map<String, String> fields) {
    for (String field : PROSE) {
      if (isBlank(fields, field)) {
        broken.add(id + " has no '" + field + ":'");
      }
    }
    String pattern = fields.getOrDefault("Pattern", "");
    if (!pattern.isBlank() && PATTERNS.stream().noneMatch(pattern::startsWith)) {
      broken.add(id + " rests on '" + pattern + "', which is none of " + PATTERNS);
    }
  }

  private void checkNames(String id, Map<String, String> fields) {
    List<String> needed = new ArrayList<>(List.of("Code"));
    if (isBlank(fields, "Waived")) {
      needed.addAll(List.of("Checked by", "Refuted twin"));
    }
    for (String field : needed) {
      if (!TICKED.matcher(fields.getOrDefault(field, "")).find()) {
        broken.add(id + " has no '" + field + ":' with a name in backticks");
      }
    }
    for (String field : List.of("Code", "Checked by", "Refuted twin")) {
      Matcher name = TICKED.matcher(fields.getOrDefault(field, ""));
      while (name.find()) {
        if (!sources.declares(name.group(1))) {
          broken.add(id + " '" + field + ":' names " + name.group(1) + ", which does not exist");
        }
      }
    }
  }

  private void checkTestNames() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher name = TICKED_TEST.matcher(text("docs/conformance.md"));
    while (name.find()) {
      names.add(name.group(1));
    }
    if (names.isEmpty()) {
      broken.add("docs/conformance.md names no test");
    }
    names.removeIf(sources::declares);
    names.forEach(n -> broken.add("docs/conformance.md names " + n + ", which does not exist"));
  }

  private void checkRelativeLinks() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    if (!Files.isDirectory(root.resolve("docs"))) {
      return; // Said already, by the name of each page that must be there.
    }
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    for (Path page : pages) {
      Matcher link = LINK.matcher(text(root.relativize(page).toString()));
      while (link.find()) {
        String target = link.group(1).replaceFirst("#.*", "");
        boolean elsewhere = target.isEmpty() || target.matches("[a-z]+:.*");
        if (!elsewhere && !Files.exists(page.resolveSibling(target))) {
          broken.add(root.relativize(page) + " links to " + target + ", which does not exist");
        } else if (link.group(1).matches("[^:]*#.*")) {
          Path other = target.isEmpty() ? page : page.resolveSibling(target);
          String heading = link.group(1).replaceFirst(".*#", "");
          if (!anchors(Files.readString(other)).contains(heading)) {
            broken.add(root.relativize(page) + " links to " + link.group(1) + ": no such heading");
          }
        }
      }
    }
  }

  /** What GitHub makes of the headings of a page. */
  private static Set<String> anchors(String page) {
    return page.lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\w -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static Map<String, String> fields(String section) {
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher field = FIELD.matcher(section);
    while (field.find()) {
      fields.put(field.group(1), field.group(2).strip());
    }
    return fields;
  }

  private static boolean isBlank(Map<String, String> fields, String name) {
    return fields.getOrDefault(name, "").isBlank();
  }

  /** Ids in Java text; the samples in this package's own test do not count. */
  private Set<String> cited(String dir) {
    Set<String> ids = new TreeSet<>();
    Path own = Path.of("src/test/java/io/github/eventpoll/docs");
    sources
        .below(dir)
        .forEach(
            (path, text) -> {
              Matcher id = ID.matcher(path.startsWith(own) ? "" : text);
              while (id.find()) {
                ids.add(id.group());
              }
            });
    return ids;
  }

  private String text(String file) throws IOException {
    Path path = root.resolve(file);
    if (!Files.exists(path)) {
      broken.add(file + " is missing");
      return "";
    }
    return Files.readString(path);
  }
}
