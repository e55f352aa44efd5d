package io.github.eventpoll.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Where figures come from; without it they mean nothing. */
final class Machine {
  private Machine() {}

  /** What belongs above any table, in order. */
  static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    facts.put("cpu", cpu());
    facts.put("cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return facts;
  }

  static void print() {
    Map<String, String> facts = facts();
    System.out.printf(
        "%s, %s%n%s x %s, %s, %s%n",
        facts.get("jdk"),
        facts.get("flags"),
        facts.get("cpus"),
        facts.get("cpu"),
        facts.get("os"),
        facts.get("date"));
  }

  private static String cpu() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // not Linux
    }
  }
}
