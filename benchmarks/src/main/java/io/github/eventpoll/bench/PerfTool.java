package io.github.eventpoll.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The original, a C program, where it is installed. */
final class PerfTool {
  private static final Pattern AVERAGE = Pattern.compile("Averaged (\\d+) operations/sec.*");

  private PerfTool() {}

  /** Runs {@code perf bench epoll wait} and reports the events of all its threads together. */
  static void report(Report report, String id, int threads, int counters, int seconds)
      throws InterruptedException {
    List<String> command =
        List.of(
            "perf",
            "bench",
            "epoll",
            "wait",
            "-t",
            threads + "",
            "-f",
            counters + "",
            "-r",
            seconds + "");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (BufferedReader output = process.inputReader()) {
        output
            .lines()
            .map(AVERAGE::matcher)
            .filter(Matcher::matches)
            .map(line -> Long.parseLong(line.group(1)) * threads / 1e3)
            .forEach(rate -> report.info(id, String.join(" ", command), rate, "events/ms"));
      }
      process.waitFor();
    } catch (IOException e) {
      report.note(id, "no perf here: the C program is left out");
    }
  }
}
