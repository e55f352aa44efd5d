package io.github.eventpoll.examples;

import java.io.PrintStream;
import java.util.Locale;

/** The table that an example prints at its end. */
final class Report {
  private final PrintStream out;

  Report(PrintStream out) {
    this.out = out;
  }

  void row(String name, String format, Object value, String note) {
    String text = String.format(Locale.ROOT, format, value);
    out.println(String.format(Locale.ROOT, "%-15s %12s  %s", name, text, note).stripTrailing());
  }

  /** A count, and a note made of a format and more counts. */
  void count(String name, long value, String note, Object... inNote) {
    row(name, "%,d", value, String.format(Locale.ROOT, note, inNote));
  }

  /** Two rows for latencies in nanoseconds, ascending. */
  void latencies(long[] ascending) {
    row("p50", "%.2f ms", quantile(ascending, 0.50) / 1e6, "as a client sees it");
    row("p99", "%.2f ms", quantile(ascending, 0.99) / 1e6, "");
  }

  private static long quantile(long[] ascending, double fraction) {
    if (ascending.length == 0) {
      return 0;
    }
    int index = (int) Math.ceil(fraction * ascending.length) - 1;
    return ascending[Math.max(0, index)];
  }
}
