package io.github.eventpoll.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jctools.queues.atomic.MpscLinkedAtomicQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The library needs no {@code jdk.jfr} and uses it where it is: each in a Java of its own. */
class JfrModuleTest {
  private static final String LIBRARY =
      placesOf(EventPoll.class, MpscLinkedAtomicQueue.class, LoggerFactory.class);
  private static final String PROGRAM = placesOf(JfrProgram.class);

  @TempDir Path directory;

  @Test
  void onTheClassPathWithoutJfr() throws Exception {
    assertThat(
            run(
                List.of("--limit-modules=java.base", "-cp", LIBRARY + File.pathSeparator + PROGRAM),
                List.of()))
        .endsWith("done\n");
  }

  @Test
  void asAModuleWithoutJfr() throws Exception {
    assertThat(
            run(
                List.of(
                    "--limit-modules=java.base,io.github.eventpoll",
                    "--add-modules=io.github.eventpoll",
                    "--module-path=" + LIBRARY,
                    "-cp",
                    PROGRAM),
                List.of()))
        .endsWith("done\n");
  }

  @Test
  void asAModuleWithJfr() throws Exception {
    assertThat(
            run(
                List.of(
                    "--add-modules=io.github.eventpoll,jdk.jfr",
                    "--module-path=" + LIBRARY,
                    "-cp",
                    PROGRAM),
                List.of("record")))
        .endsWith("kinds [Loop Check, Pass, Wait, Wake]\n");
  }

  private String run(List<String> options, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Djava.io.tmpdir=" + directory));
    command.addAll(options);
    command.add(JfrProgram.class.getName());
    command.addAll(arguments);
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = child.waitFor(120, TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as(said).isTrue();
      assertThat(child.exitValue()).as(said).isZero();
      return said.replace("\r\n", "\n");
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  /** A path with these classes: the runner of this test may have its own kind of one. */
  private static String placesOf(Class<?>... classes) {
    return Stream.of(classes)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(URI.create(location.toString())).toString())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }
}
