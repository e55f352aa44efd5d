package io.github.eventpoll.bench;

import io.github.eventpoll.bench.Recorded.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills the tables of {@code docs/benchmarks.md} from the runs that are kept: {@code benchmarks/run
 * page}. Of several runs of one thing on one JDK the last counts, but a short one only where there
 * is no full one.
 */
public final class Page {
  /** Where every run leaves a copy of its results. */
  static final Path RUNS = Path.of("target", "benchmark-runs");

  private static final Path DOCUMENT = Path.of("docs", "benchmarks.md");
  private static final Pattern MARKED =
      Pattern.compile("(<!-- table: (\\S+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);
  private static final Pattern AT = Pattern.compile("(.+) at (\\S+?)(, .+)?");
  private static final List<String> HAND_OVER =
      List.of("ping-pong", "1 to 1", "2 to 1", "4 to 1", "8 to 1");

  /** By id, then by release of the JDK. */
  private final Map<String, TreeMap<Integer, Recorded>> runs = new LinkedHashMap<>();

  private Page(List<Recorded> recorded) {
    for (Recorded run : recorded) {
      for (String id : run.lines().keySet()) {
        runs.computeIfAbsent(id, key -> new TreeMap<>())
            .merge(run.release(), run, (old, next) -> old.isFull() && !next.isFull() ? old : next);
      }
    }
  }

  /** The name under which a run is kept: names sort by date. */
  static String nameOf(Path file) {
    return Instant.now().toEpochMilli() + "-" + file.getFileName();
  }

  /**
   * Rewrites the document.
   *
   * @param args none
   * @throws IOException if it cannot
   */
  public static void main(String[] args) throws IOException {
    Page page = new Page(Recorded.all(RUNS));
    String text = Files.readString(DOCUMENT);
    Matcher marked = MARKED.matcher(text);
    Files.writeString(DOCUMENT, marked.replaceAll(page::filled));
    System.out.println("written: " + DOCUMENT);
  }

  private String filled(MatchResult marked) {
    String name = marked.group(2);
    String body = "";
    if (name.equals("machine")) {
      body = machine();
    } else if (name.equals("slower")) {
      body = slower();
    } else if (name.equals("bars")) {
      body =
          figures(line -> !line.verdict().equals("info"), "P1 P2 P3 P4 P5 P6 P7 P8 P9".split(" "));
    } else if (name.startsWith("figures-")) {
      body = figures(line -> line.verdict().equals("info"), name.substring("figures-".length()));
    } else if (name.equals("peers")) {
      body = peers();
    } else if (name.startsWith("at-")) {
      body = at(name.substring("at-".length()));
    } else if (name.startsWith("plot-")) {
      body = plot(name.substring("plot-".length()));
    }
    return Matcher.quoteReplacement(marked.group(1) + body + marked.group(3));
  }

  private String machine() {
    Set<String> rows = new LinkedHashSet<>();
    for (Map.Entry<String, TreeMap<Integer, Recorded>> of : runs.entrySet()) {
      for (Recorded run : of.getValue().values()) {
        Map<String, String> facts = run.facts();
        rows.add(
            row(
                facts.get("date"),
                facts.getOrDefault("mode", ""),
                facts.get("jdk"),
                facts.get("flags"),
                facts.get("cpus") + " x " + facts.get("cpu"),
                facts.get("os")));
      }
    }
    List<String> sorted = new ArrayList<>(rows);
    sorted.sort(null);
    return head("date", "run", "JVM", "flags", "processors", "system") + String.join("", sorted);
  }

  /** What a user of a peer would lose, and bars that were missed. */
  private String slower() {
    StringBuilder out = new StringBuilder();
    runs.forEach(
        (id, byRelease) ->
            byRelease.forEach(
                (release, run) -> {
                  for (Line line : run.lines().get(id)) {
                    if (isSlower(id, line)) {
                      out.append(row(id, line.what(), "" + release, value(line), line.bar()));
                    }
                  }
                }));
    return head("id", "ratio", "JDK", "measured", "bar") + out;
  }

  private static boolean isSlower(String id, Line line) {
    if (line.verdict().equals("short")) {
      return true;
    }
    boolean compared =
        HAND_OVER.contains(id)
            ? line.what().startsWith("default / ")
            : line.what().startsWith("default") && line.what().endsWith("rate / kernel")
                || line.what().contains("/ Netty")
                || line.what().contains("/ Selector loop");
    boolean smallIsGood = id.equals("ping-pong");
    return compared && (smallIsGood ? line.low() > 1 : line.high() < 1);
  }

  /** One row for each figure, with a column for each JDK. */
  private String figures(Predicate<Line> wanted, String... ids) {
    Set<Integer> releases = releases(ids);
    StringBuilder out = new StringBuilder();
    for (String id : ids) {
      Map<String, Map<Integer, Line>> rows = new LinkedHashMap<>();
      runs.getOrDefault(id, new TreeMap<>())
          .forEach(
              (release, run) -> {
                for (Line line : run.lines().get(id)) {
                  if (wanted.test(line) && !line.what().startsWith("time this took")) {
                    rows.computeIfAbsent(line.what(), key -> new TreeMap<>()).put(release, line);
                  }
                }
              });
      rows.forEach((what, byRelease) -> out.append(figure(id, what, byRelease, releases)));
    }
    List<String> columns = new ArrayList<>(List.of("id", "what", "bar"));
    releases.forEach(release -> columns.add("JDK " + release));
    return head(columns.toArray(new String[0])) + out;
  }

  private static String figure(
      String id, String what, Map<Integer, Line> byRelease, Set<Integer> releases) {
    List<String> cells = new ArrayList<>(List.of(id, what));
    cells.add(byRelease.values().iterator().next().bar());
    for (int release : releases) {
      Line line = byRelease.get(release);
      String verdict = line == null || line.verdict().equals("info") ? "" : " " + line.verdict();
      cells.add(line == null ? "" : value(line) + verdict);
    }
    return row(cells.toArray(new String[0]));
  }

  private Set<Integer> releases(String... ids) {
    Set<Integer> releases = new TreeSet<>();
    for (String id : ids) {
      releases.addAll(runs.getOrDefault(id, new TreeMap<>()).keySet());
    }
    return releases;
  }

  /** One row for each way of handing over, with a column for each figure; a table for each JDK. */
  private String peers() {
    return grids(
        HAND_OVER,
        (id, what) -> {
          int comma = what.lastIndexOf(", ");
          boolean ratio = what.contains(" / ") && !what.endsWith("/ms");
          return ratio || comma < 0
              ? null
              : new String[] {what.substring(0, comma), id + what.substring(comma)};
        });
  }

  /** What was measured at several sizes: a column for each. */
  private String at(String id) {
    return grids(
        List.of(id),
        (ignored, what) -> {
          Matcher at = AT.matcher(what);
          return at.matches() ? new String[] {at.group(1) + unit(at.group(3)), at.group(2)} : null;
        });
  }

  private static String unit(String text) {
    return text == null ? "" : text;
  }

  /** Where a figure stands: row and column, null for nowhere. */
  private interface Cell {
    String[] of(String id, String what);
  }

  private String grids(List<String> ids, Cell cell) {
    StringBuilder out = new StringBuilder();
    for (int release : releases(ids.toArray(new String[0]))) {
      Map<String, Map<String, String>> rows = new LinkedHashMap<>();
      Set<String> columns = new LinkedHashSet<>();
      for (String id : ids) {
        Recorded run = runs.getOrDefault(id, new TreeMap<>()).get(release);
        for (Line line : run == null ? List.<Line>of() : run.lines().get(id)) {
          String[] place = cell.of(id, line.what());
          if (place != null) {
            columns.add(place[1]);
            rows.computeIfAbsent(place[0], key -> new LinkedHashMap<>())
                .put(place[1], number(line.value()));
          }
        }
      }
      out.append(grid(release, rows, columns));
    }
    return out.toString();
  }

  private static String grid(
      int release, Map<String, Map<String, String>> rows, Set<String> columns) {
    List<String> head = new ArrayList<>(List.of("JDK " + release));
    head.addAll(columns);
    StringBuilder out = new StringBuilder("\n" + head(head.toArray(new String[0])));
    rows.forEach(
        (name, row) -> {
          List<String> cells = new ArrayList<>(List.of(name));
          columns.forEach(column -> cells.add(row.getOrDefault(column, "")));
          out.append(row(cells.toArray(new String[0])));
        });
    return out.append('\n').toString();
  }

  /** Links only to what is there. */
  private static String plot(String name) {
    StringBuilder out = new StringBuilder();
    for (int release : new int[] {17, 25}) {
      String file = name + "-jdk" + release + ".svg";
      if (Files.exists(Plots.IMAGES.resolve(file))) {
        out.append("![" + name + ", JDK " + release + "](images/benchmarks/" + file + ")\n");
      }
    }
    return out.toString();
  }

  private static String value(Line line) {
    return line.low() == line.high()
        ? number(line.value())
        : number(line.value()) + " [" + number(line.low()) + ", " + number(line.high()) + "]";
  }

  private static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 1000 ? "%.0f" : size >= 10 ? "%.1f" : size == 0 ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  private static String head(String... columns) {
    return row(columns) + "|---".repeat(columns.length) + "|\n";
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
