package io.github.eventpoll.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Options of a command, in the manner of getopt: {@code -t 4 -B --on default,kernel}. */
final class Options {
  /** On what a shape runs; the last part of every usage. */
  static final String ON =
      "  --on NAMES   what to run on, separated by commas: default, kernel, or one of spin, rwlock,\n"
          + "               lock-free, followed by +mask, +notified or both for the filters";

  private final Map<String, String> given = new HashMap<>();

  /**
   * Reads them, or prints the usage and ends the program.
   *
   * @param flags options without a value, separated by blanks
   * @param valued options with one
   */
  Options(String usage, String flags, String valued, String[] args) {
    List<String> alone = Arrays.asList(flags.split(" "));
    List<String> withValue = Arrays.asList(valued.split(" "));
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (alone.contains(option)) {
        given.put(option, "");
      } else if (withValue.contains(option) && i + 1 < args.length) {
        given.put(option, args[++i]);
      } else {
        System.err.println("unknown: " + option + "\n" + usage);
        System.exit(2);
      }
    }
  }

  boolean has(String option) {
    return given.containsKey(option);
  }

  int number(String option, int otherwise) {
    return has(option) ? Integer.parseInt(given.get(option)) : otherwise;
  }

  long seconds(String option, int otherwise) {
    return number(option, otherwise) * 1_000_000_000L;
  }

  int[] numbers(String option, int... otherwise) {
    return has(option)
        ? Arrays.stream(given.get(option).split(",")).mapToInt(Integer::parseInt).toArray()
        : otherwise;
  }

  List<String> names(String option, String otherwise) {
    return Arrays.asList(given.getOrDefault(option, otherwise).split(","));
  }

  /** What to run on, without the kernel where Netty's native part is missing. */
  List<String> engines(String otherwise) {
    return names("--on", otherwise).stream().filter(Options::isAvailable).toList();
  }

  private static boolean isAvailable(String name) {
    boolean available = !name.equals(Engine.KERNEL) || KernelEngine.isAvailable();
    if (!available) {
      System.out.println("no native epoll here: the kernel is left out");
    }
    return available;
  }
}
