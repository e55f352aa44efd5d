package io.github.eventpoll.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/seeing-inside.md print what the page says they print. */
@Timeout(60)
class InsideTest {
  private static final Path PAGE =
      Path.of(System.getProperty("eventpoll.basedir", ".")).resolve("docs/seeing-inside.md");

  private interface Example {
    void run(PrintStream out) throws Exception;
  }

  /** What an example prints, with its polls numbered from 1. */
  private static List<String> printedBy(Example example) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      example.run(out);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    TreeSet<Integer> numbers = new TreeSet<>();
    Matcher poll = Pattern.compile("EventPoll#(\\d+)").matcher(text);
    while (poll.find()) {
      numbers.add(Integer.valueOf(poll.group(1)));
    }
    for (Integer number : numbers) {
      int from1 = numbers.headSet(number).size() + 1;
      text = text.replaceAll("EventPoll#" + number + "\\b", "EventPoll#" + from1);
    }
    return text.lines().toList();
  }

  /** The lines that the page shows as printed: indented, outside of code blocks. */
  private static List<String> shown() throws IOException {
    String withoutBlocks = Files.readString(PAGE).replaceAll("(?s)```.*?```", "");
    return withoutBlocks
        .lines()
        .filter(l -> l.startsWith("    "))
        .map(l -> l.substring(4))
        .toList();
  }

  @Test
  void dump() throws Exception {
    List<String> printed = printedBy(Inside::dump);
    assertThat(printed).hasSize(6);
    assertThat(shown()).containsSequence(printed);
  }

  @Test
  void stats() throws Exception {
    List<String> printed = printedBy(Inside::stats);
    assertThat(printed).hasSize(2);
    assertThat(shown()).containsSequence(printed);
  }

  @Test
  void record() throws Exception {
    assertThat(printedBy(Inside::record)).containsOnly("Wait, chosen: false").isNotEmpty();
    assertThat(shown()).contains("Wait, chosen: false");
  }

  @Test
  void stalls() throws Exception {
    List<String> printed = printedBy(Inside::stalls);
    assertThat(printed).hasSize(1);
    assertThat(shown()).containsSequence(printed);
  }

  @Test
  void watched() {
    EventPoll poll = Inside.watched();
    assertThat(poll.checkStalls()).isEmpty();
    poll.close();
  }
}
