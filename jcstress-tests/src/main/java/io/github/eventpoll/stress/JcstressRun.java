package io.github.eventpoll.stress;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;

/**
 * One run of jcstress in a JVM of its own. Its exit code is not used: it is 0 when nothing ran, and
 * it knows nothing of twins. The result file is read instead.
 */
final class JcstressRun {
  private static final Pattern SPACES = Pattern.compile(" ");

  /**
   * How long and in which JVMs. Start-up dominates, so the time per test buys little; what matters
   * is that these flags were measured to expose broken handshakes, which jcstress's own short modes
   * do not.
   *
   * @param name for the table
   * @param options for jcstress
   * @param jvmArgs one entry for each JVM that every test runs in
   */
  record Profile(String name, String options, List<String> jvmArgs) {
    private static final String AS_IS = "-XX:+UseSerialGC";

    /** Without tiers, and with a different order of instructions in each JVM. */
    private static final String SHUFFLED =
        "-XX:+UseSerialGC -XX:-TieredCompilation"
            + " -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM";

    static final Profile GATE =
        new Profile("gate", "-m quick -f 1 -time 80 -iters 3 -sc false -hs 96", List.of(AS_IS));

    /** Second chance for a twin that stayed silent: bad luck in one second is no proof. */
    static final Profile AGAIN =
        new Profile("again", "-m quick -f 1 -time 1000 -iters 5 -sc false", List.of(AS_IS));

    static final Profile THOROUGH =
        new Profile(
            "thorough",
            "-m quick -f 1 -time 250 -iters 3 -sc false -hs 128",
            List.of(AS_IS, SHUFFLED));
  }

  /** What one test showed, over all configurations. */
  static final class Tally {
    long samples;
    long forbidden;
    long interesting;
    int configurations;
    final List<String> errors = new ArrayList<>();

    void add(TestResult result) {
      configurations++;
      if (result.status() != Status.NORMAL) {
        errors.add(result.status() + " " + result.getMessages() + result.getVmErr());
      }
      samples += result.getTotalCount();
      for (GradingResult grade : result.grading().gradingResults.values()) {
        // UNKNOWN is an outcome that the test does not list: as wrong as a forbidden one.
        if (grade.expect == Expect.FORBIDDEN || grade.expect == Expect.UNKNOWN) {
          forbidden += grade.count;
        } else if (grade.expect == Expect.ACCEPTABLE_INTERESTING) {
          interesting += grade.count;
        }
      }
    }
  }

  private final Path directory;

  /** Runs and leaves log, result file and HTML report in the directory. */
  JcstressRun(Path directory) {
    this.directory = directory;
  }

  Path log() {
    return directory.resolve("jcstress.log");
  }

  /** Runs the tests and answers what they showed, by name; a test that did not run is absent. */
  Map<String, Tally> run(List<ClaimCase> tests, Profile profile)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Files.deleteIfExists(log());
    for (Path old : resultFiles()) {
      Files.delete(old);
    }
    for (String jvmArgs : profile.jvmArgs()) {
      runOne(tests, profile.options(), jvmArgs);
    }
    return read();
  }

  private void runOne(List<ClaimCase> tests, String options, String jvmArgs)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 24) {
      // jcstress pins its threads through JNA; without the flag each JVM prints a warning.
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", absoluteClassPath(), JcstressMain.class.getName()));
    command.addAll(List.of(SPACES.split(options)));
    command.addAll(List.of("-jvmArgs", jvmArgs));
    command.addAll(List.of("-r", "report", "-t", pattern(tests)));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log().toFile()))
            .start();
    Thread killer = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(killer);
    process.waitFor();
    Runtime.getRuntime().removeShutdownHook(killer);
  }

  private Map<String, Tally> read() throws IOException {
    Map<String, Tally> tallies = new HashMap<>();
    for (Path file : resultFiles()) {
      InProcessCollector collector = new InProcessCollector();
      DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
      try {
        reader.dump();
      } catch (ClassNotFoundException e) {
        throw new IOException(file + " was written by another version of jcstress", e);
      } finally {
        reader.close();
      }
      for (TestResult result : collector.getTestResults()) {
        tallies.computeIfAbsent(result.getName(), k -> new Tally()).add(result);
      }
    }
    return tallies;
  }

  private List<Path> resultFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(p -> p.toString().endsWith(".bin.gz")).toList();
    }
  }

  private static String pattern(List<ClaimCase> tests) {
    return tests.stream()
        .map(t -> t.test().replace(".", "\\.").replace("$", "\\$"))
        .collect(Collectors.joining("|", "^(", ")$"));
  }

  /** jcstress runs in another directory than we do. */
  private static String absoluteClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(p -> Path.of(p).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
