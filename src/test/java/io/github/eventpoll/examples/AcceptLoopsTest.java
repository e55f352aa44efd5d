package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three loops on one listener share the connections. */
@Timeout(120)
class AcceptLoopsTest {
  private static final int CONNECTIONS = 60;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @Test
  @DisplayName("KR-36: a connection is accepted once, and wakes about one of the loops")
  void oneWakeForEachConnection() throws Exception {
    assertThat(AcceptLoops.run(new String[0], CONNECTIONS, out)).isZero();

    String text = printed.toString(StandardCharsets.UTF_8);
    Matcher row = Pattern.compile("(?m)^wakes +(\\d+\\.\\d\\d)  for each connection").matcher(text);
    assertThat(row.find()).as(text).isTrue();
    assertThat(Double.parseDouble(row.group(1))).isBetween(1.0, 1.1);
    assertThat(text).containsPattern("connections +60  accepted 60, welcome 60");
  }

  @Test
  void argumentsGiveAUsageLine() throws Exception {
    assertThat(AcceptLoops.run(new String[] {"--help"}, CONNECTIONS, out)).isEqualTo(2);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .isEqualTo("usage: AcceptLoops" + System.lineSeparator());
  }
}
