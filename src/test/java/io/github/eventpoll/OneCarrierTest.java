package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.eventpoll.Polls.Combination;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Virtual threads that share one carrier, in a Java of their own; skipped where there are none. */
class OneCarrierTest {
  @ParameterizedTest
  @EnumSource
  @DisplayName("no wait pins its carrier: a program on a single one comes to its end")
  void oneCarrier(LockKind lock, @TempDir Path directory) throws Exception {
    assumeTrue(VirtualThreads.exist(), () -> "no virtual threads in Java " + Runtime.version());
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                placesOf(OneCarrier.class, EventPoll.class, LoggerFactory.class),
                OneCarrier.class.getName(),
                new Combination(lock, false, false).toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = child.waitFor(2 * Waiters.FAIL_SAFE.toSeconds(), TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as(said).isTrue();
      assertThat(child.exitValue()).as(said).isZero();
      assertThat(said.lines().filter(line -> line.endsWith(": done"))).hasSize(5);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  /** A class path with these classes: the runner of this test may have its own kind of one. */
  private static String placesOf(Class<?>... classes) {
    return Stream.of(classes)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(URI.create(location.toString())).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
