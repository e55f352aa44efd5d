package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jctools.queues.MessagePassingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Ten thousand virtual threads on one carrier, in a Java of their own if there is one for them. */
class ManyVirtualThreadsTest {
  private static final int PARTS = 3 * LockKind.values().length + 1;

  @Test
  @DisplayName("10 000 virtual threads on polls of their own and on shared ones all get on")
  void tenThousandOnOneCarrier(@TempDir Path directory) throws Exception {
    Optional<JavaWithVirtualThreads> java = JavaWithVirtualThreads.find();
    assumeTrue(
        java.isPresent(),
        () -> "no virtual threads in Java " + Runtime.version() + ", and no newer one beside it");
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(java.get().oneCarrier(classPath(), ManyVirtualThreads.class))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = child.waitFor(3 * Waiters.FAIL_SAFE.toSeconds(), TimeUnit.SECONDS);
      String said = Files.readString(output);
      assertThat(ended).as(said).isTrue();
      assertThat(child.exitValue()).as(said).isZero();
      assertThat(said.lines().filter(line -> line.endsWith(": done"))).hasSize(PARTS);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  /** The runner of this test may have its own kind of class path. */
  private static String classPath() {
    return Stream.of(
            ManyVirtualThreads.class,
            EventPoll.class,
            LoggerFactory.class,
            MessagePassingQueue.class)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(URI.create(location.toString())).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
