package io.github.eventpoll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Java that has virtual threads, to run a program on: the one that runs the tests, or else the
 * newest of those installed beside it.
 */
record JavaWithVirtualThreads(Path home, int version) {
  private static final int FIRST = 21;

  /** One, if there is any. */
  static Optional<JavaWithVirtualThreads> find() {
    Path home = Path.of(System.getProperty("java.home"));
    if (VirtualThreads.exist()) {
      return Optional.of(new JavaWithVirtualThreads(home, Runtime.version().feature()));
    }
    Path beside = home.getParent();
    if (beside == null) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(beside)) {
      return homes
          .flatMap(each -> at(each).stream())
          .filter(java -> java.version >= FIRST)
          .max(Comparator.comparingInt(JavaWithVirtualThreads::version));
    } catch (IOException e) {
      return Optional.empty(); // nothing that this user may see
    }
  }

  /** What the file {@code release} in the home of a Java says, if it is one. */
  private static Optional<JavaWithVirtualThreads> at(Path home) {
    Path release = home.resolve("release");
    if (!Files.isReadable(release) || !Files.isExecutable(home.resolve("bin/java"))) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(release)) {
      return lines
          .filter(line -> line.startsWith("JAVA_VERSION="))
          .map(line -> Runtime.Version.parse(line.split("\"")[1]))
          .map(version -> new JavaWithVirtualThreads(home, version.feature()))
          .findFirst();
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty(); // not written as a Java of today writes it
    }
  }

  /** The command that runs a program with a single carrier thread. */
  List<String> oneCarrier(String classPath, Class<?> program) {
    return List.of(
        home.resolve("bin/java").toString(),
        "-ea",
        "-Djdk.virtualThreadScheduler.parallelism=1",
        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
        "-cp",
        classPath,
        program.getName());
  }
}
