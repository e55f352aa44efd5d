package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in the README is the one that is compiled, and it runs. */
@Timeout(60)
class QuickStartTest {
  private static final Path ROOT = Path.of(System.getProperty("eventpoll.basedir", "."));
  private static final Path SOURCE =
      ROOT.resolve("src/examples/java/io/github/eventpoll/examples/QuickStart.java");

  @Test
  void theReadmeShowsTheCompiledText() throws IOException {
    String compiled =
        only("(?s)// README begin\\R(.*?)\\R\\s*// README end", Files.readString(SOURCE));

    String shown = only("(?s)```java\\R(.*?)\\R```", Files.readString(ROOT.resolve("README.md")));

    assertThat(shown).isEqualTo(compiled.stripIndent());
  }

  @Test
  void itRuns() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      QuickStart.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .hasSize(3)
        .contains("order: tea")
        .anyMatch(line -> line.startsWith("guest: java.nio.channels.SocketChannel[connected"))
        .endsWith("Timer[ticks 1]");
  }

  /** The group of the one match. */
  private static String only(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in%n%s", pattern, text).isTrue();
    String group = matcher.group(1);
    assertThat(matcher.find()).as("a second %s", pattern).isFalse();
    return group;
  }
}
