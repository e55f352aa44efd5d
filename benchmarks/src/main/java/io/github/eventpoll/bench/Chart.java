package io.github.eventpoll.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lines over an axis, written as one SVG file that is readable on light and on dark. A point may
 * carry its interval.
 */
final class Chart {
  private static final int WIDTH = 760;
  private static final int LEFT = 70;
  private static final int TOP = 62;
  private static final int PLOT_WIDTH = 450;
  private static final int PLOT_HEIGHT = 300;

  /** One colour for each line; distinct for the colour-blind, and seen on white and on black. */
  private static final String[] COLOURS = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"
  };

  private record Point(double x, Ratio y) {}

  private final String title;
  private final Axis across;
  private final Axis up;
  private final Map<String, List<Point>> lines = new LinkedHashMap<>();

  Chart(String title, Axis across, Axis up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  void point(String line, double x, double y) {
    point(line, x, new Ratio(y, y, y));
  }

  /** Leaves out what has no place on the axes, such as 0 on a logarithmic one. */
  void point(String line, double x, Ratio y) {
    if (up.holds(y.median())) {
      lines.computeIfAbsent(line, key -> new ArrayList<>()).add(new Point(x, y));
    }
  }

  /** Writes {@code DIRECTORY/NAME-jdkN.svg}; nothing without a point. */
  void write(Path directory, String name) {
    if (lines.isEmpty()) {
      return;
    }
    Path file = directory.resolve(name + "-jdk" + Runtime.version().feature() + ".svg");
    try {
      Files.createDirectories(directory);
      Files.writeString(file, svg());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println("written: " + file);
  }

  String svg() {
    lines.values().forEach(line -> line.forEach(this::include));
    int height = TOP + PLOT_HEIGHT + 60;
    StringBuilder out = new StringBuilder();
    out.append(String.format(Locale.ROOT, HEAD, WIDTH, height, WIDTH, height, escaped(title)));
    text(out, "title", LEFT, 24, "start", title);
    text(out, "quiet", LEFT, 44, "start", subtitle());
    grid(out);
    int index = 0;
    for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
      line(out, index++, line.getKey(), line.getValue());
    }
    return out.append("</svg>\n").toString();
  }

  private void include(Point point) {
    across.include(point.x);
    up.include(point.y.median());
    up.include(point.y.low());
    up.include(point.y.high());
  }

  private static String subtitle() {
    Map<String, String> facts = Machine.facts();
    return String.format(
        "JDK %s, %s x %s, %s",
        Runtime.version().feature(),
        facts.get("cpus"),
        facts.get("cpu"),
        facts.get("date").substring(0, 10));
  }

  private void grid(StringBuilder out) {
    double bottom = TOP + PLOT_HEIGHT;
    for (Axis.Tick tick : up.ticks()) {
      double y = y(tick.at());
      stroke(out, "grid", LEFT, y, LEFT + PLOT_WIDTH, y);
      text(out, "", LEFT - 8, y + 4, "end", tick.label());
    }
    for (Axis.Tick tick : across.ticks()) {
      double x = x(tick.at());
      stroke(out, "grid", x, TOP, x, bottom);
      text(out, "", x, bottom + 18, "middle", tick.label());
    }
    stroke(out, "axis", LEFT, TOP, LEFT, bottom);
    stroke(out, "axis", LEFT, bottom, LEFT + PLOT_WIDTH, bottom);
    text(out, "quiet", LEFT + PLOT_WIDTH / 2.0, bottom + 42, "middle", across.label());
    out.append(
        String.format(
            Locale.ROOT,
            "  <text class=\"quiet\" transform=\"translate(16 %.1f) rotate(-90)\""
                + " text-anchor=\"middle\">%s</text>%n",
            TOP + PLOT_HEIGHT / 2.0,
            escaped(up.label())));
  }

  private void line(StringBuilder out, int index, String name, List<Point> points) {
    String paint = "stroke=\"" + COLOURS[index % COLOURS.length] + "\"";
    String dashes = index >= COLOURS.length ? " stroke-dasharray=\"5 4\"" : "";
    StringBuilder path = new StringBuilder();
    out.append("  <g ").append(paint).append(dashes).append(">\n");
    for (Point point : points) {
      double x = x(point.x);
      double y = y(point.y.median());
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", x, y));
      if (point.y.low() < point.y.high() && up.holds(point.y.low())) {
        stroke(out, "interval", x, y(point.y.low()), x, y(point.y.high()));
      }
      if (points.size() <= 20) {
        String dot = "    <circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>%n";
        out.append(String.format(Locale.ROOT, dot, x, y));
      }
    }
    out.append("    <path class=\"line\" d=\"").append(path).append("\"/>\n");
    double legend = TOP + 10 + 22.0 * index;
    double from = LEFT + PLOT_WIDTH + 20;
    stroke(out, "line", from, legend, from + 22, legend);
    out.append("  </g>\n");
    text(out, "", from + 30, legend + 4, "start", name);
  }

  private double x(double value) {
    return LEFT + PLOT_WIDTH * across.place(value);
  }

  private double y(double value) {
    return TOP + PLOT_HEIGHT * (1 - up.place(value));
  }

  private static void stroke(
      StringBuilder out, String kind, double x1, double y1, double x2, double y2) {
    String line = "  <line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n";
    out.append(String.format(Locale.ROOT, line, kind, x1, y1, x2, y2));
  }

  private static void text(
      StringBuilder out, String kind, double x, double y, String anchor, String text) {
    String element = "  <text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n";
    out.append(String.format(Locale.ROOT, element, kind, x, y, anchor, escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
        <title>%s</title>
        <style>
          svg { background: #ffffff }
          text { font: 12px sans-serif; fill: #24292f }
          .title { font-size: 15px; font-weight: bold }
          .quiet { fill: #57606a }
          .grid { stroke: #d8dee4; stroke-width: 1 }
          .axis { stroke: #57606a; stroke-width: 1 }
          .line { fill: none; stroke-width: 2 }
          .interval { stroke-width: 1; opacity: 0.6 }
          .dot { fill: currentColor; stroke-width: 2; color: #ffffff }
          @media (prefers-color-scheme: dark) {
            svg { background: #0d1117 }
            text { fill: #e6edf3 }
            .quiet { fill: #9198a1 }
            .grid { stroke: #30363d }
            .axis { stroke: #9198a1 }
            .dot { color: #0d1117 }
          }
        </style>
      """;
}
