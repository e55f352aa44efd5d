package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.eventpoll.EventPoll;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jctools.queues.MessagePassingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Virtual threads that wait for channels and lead; skipped where Java has none. */
class VirtualThreadsTest {
  @Test
  @DisplayName("NOTES 58, 59: nobody who waits for channels keeps the one carrier from the others")
  void oneCarrier(@TempDir Path directory) throws Exception {
    assumeTrue(
        Runtime.version().feature() >= 21, () -> "no virtual threads in " + Runtime.version());
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                placesOf(
                    OneCarrierOfChannels.class,
                    EventPoll.class,
                    LoggerFactory.class,
                    MessagePassingQueue.class),
                OneCarrierOfChannels.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = child.waitFor(120, TimeUnit.SECONDS);
      String said = Files.readString(output);
      assertThat(ended).as(said).isTrue();
      assertThat(child.exitValue()).as(said).isZero();
      assertThat(said.lines().filter(line -> line.endsWith(": done"))).hasSize(3);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private static String placesOf(Class<?>... classes) {
    return Stream.of(classes)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(URI.create(location.toString())).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
