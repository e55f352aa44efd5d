package io.github.eventpoll.mutations;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Breaks a copy of the library in each way that a directory names, runs the tests that must notice,
 * and prints which of them did. Fails if a text to be replaced is not there, if a broken library
 * does not compile, if a test fails without any of this, and if one does not notice.
 */
final class Mutations {
  private static final Path BASE = Path.of(System.getProperty("eventpoll.basedir", "."));
  private static final Path WORK = BASE.resolve("target/mutations");

  /** For a test that hangs instead of failing. */
  private static final int SECONDS = 60;

  private final String testClassPath = System.getProperty("java.class.path");
  private int missed;

  private Mutations() {}

  /** Arguments: the names of some mutations; all without any. */
  public static void main(String[] names) throws Exception {
    List<Mutation> all = Mutation.all(BASE.resolve("src/test/mutations"));
    List<String> wanted = Arrays.asList(names);
    List<Mutation> chosen =
        all.stream().filter(m -> wanted.isEmpty() || wanted.contains(m.name())).toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException("none of " + all.stream().map(Mutation::name).toList());
    }
    Mutations run = new Mutations();
    run.requireGreen(chosen);
    System.out.println("| broken on purpose | caught by | how |\n|---|---|---|");
    for (Mutation mutation : chosen) {
      run.apply(mutation);
    }
    System.out.println(chosen.size() + " mutations, " + run.missed + " not caught by a test named");
    System.exit(run.missed == 0 ? 0 : 1);
  }

  private void requireGreen(List<Mutation> chosen) throws Exception {
    List<String> tests = chosen.stream().flatMap(m -> m.tests().stream()).distinct().toList();
    String outcome = run("unchanged", List.of(), tests);
    if (!outcome.isEmpty()) {
      throw new IllegalStateException("fails without any mutation: " + outcome);
    }
  }

  private void apply(Mutation mutation) throws Exception {
    Path classes = compile(mutation);
    for (String test : mutation.tests()) {
      String outcome = run(mutation.name(), List.of(classes.toString()), List.of(test));
      missed += outcome.isEmpty() ? 1 : 0;
      System.out.printf(
          "| %s (%s) | `%s` | %s |%n",
          mutation.what(),
          mutation.name(),
          test.replaceFirst("^io\\.github\\.eventpoll\\.", "").replace('#', '.'),
          outcome.isEmpty() ? "**NOT CAUGHT**" : outcome);
    }
  }

  private static Path compile(Mutation mutation) throws IOException {
    Path work = WORK.resolve(mutation.name());
    Path sources = Files.createDirectories(work.resolve("src"));
    Path classes = Files.createDirectories(work.resolve("classes"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-nowarn", "-proc:none", "--release", "17"));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.addAll(List.of("-d", classes.toString()));
    int applied = 0;
    for (Path file : javaFiles(BASE.resolve("src/main/java"))) {
      String text = Files.readString(file);
      for (Mutation.Replacement replacement : mutation.replacements()) {
        if (file.endsWith(replacement.file())) {
          text = replacement.applyTo(text, mutation.name());
          applied++;
        }
      }
      Path copy = sources.resolve(BASE.resolve("src/main/java").relativize(file));
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, text);
      arguments.add(copy.toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled = compiler.run(null, null, null, arguments.toArray(String[]::new)) == 0;
    if (!compiled || applied != mutation.replacements().size()) {
      throw new IllegalStateException(mutation.name() + " does not compile, or names no file");
    }
    return classes;
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(f -> f.toString().endsWith(".java"))
          .filter(f -> !f.endsWith("module-info.java"))
          .sorted()
          .toList();
    }
  }

  /** Empty if all tests pass, else the first that failed. */
  private String run(String name, List<String> before, List<String> tests) throws Exception {
    List<String> path = new ArrayList<>(before);
    path.add(testClassPath);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx1g", "-Deventpoll.basedir=" + BASE));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
    command.addAll(List.of("-Dkernel.seed=1", "-Dkernel.programs=1500"));
    command.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
    command.add(SomeTests.class.getName());
    command.addAll(tests);
    Path log = Files.createDirectories(WORK).resolve(name + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor((long) SECONDS * tests.size(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "hangs";
    }
    List<String> said = Files.readAllLines(log, StandardCharsets.UTF_8);
    return switch (process.exitValue()) {
      case 0 -> "";
      case SomeTests.FAILED -> said.get(said.size() - 1);
      default -> throw new IllegalStateException("see " + log);
    };
  }
}
