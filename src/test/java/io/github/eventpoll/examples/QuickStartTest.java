package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first example of the README runs. */
@Timeout(60)
class QuickStartTest {
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
}
