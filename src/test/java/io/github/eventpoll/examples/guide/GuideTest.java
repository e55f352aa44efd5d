package io.github.eventpoll.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/guide.md print what the page says they print. */
@Timeout(60)
class GuideTest {
  private static final Path PAGE =
      Path.of(System.getProperty("eventpoll.basedir", ".")).resolve("docs/guide.md");

  @Test
  void level() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Level::run, 4));
  }

  @Test
  void edge() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Edge::run, 6));
  }

  @Test
  void oneShot() throws Exception {
    assertThat(shown()).containsSequence(printedBy(OneShot::run, 4));
  }

  @Test
  void exclusive() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Exclusive::run, 1));
  }

  @Test
  void nested() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Nested::run, 2));
  }

  @Test
  void endings() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Endings::run, 5));
  }

  @Test
  void failures() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Failures::run, 4));
  }

  @Test
  void workers() throws Exception {
    assertThat(shown()).containsSequence(printedBy(Workers::run, 3));
  }

  /** The lines of the page that are shown as printed: indented, outside of Java. */
  private static List<String> shown() throws IOException {
    String withoutJava = Files.readString(PAGE).replaceAll("(?s)```java.*?```", "");
    return withoutJava.lines().filter(l -> l.startsWith("    ")).map(String::strip).toList();
  }

  private interface Example {
    void run(PrintStream out) throws Exception;
  }

  private static List<String> printedBy(Example example, int lines) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      example.run(out);
    }
    List<String> found = printed.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(found).hasSize(lines);
    return found;
  }
}
