package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.examples.LineClients.Plan;
import io.github.eventpoll.nio.ChannelSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server under many clients, and what it does about the odd ones. */
@Timeout(120)
class LineServerTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final Duration BRIEF = Duration.ofMillis(500);
  private static final LineSettings PATIENT = LineSettings.idleAfter(Duration.ofHours(1));

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

  @Test
  void everyMessageComesBackExactlyOnceAndTheThreadsEnd() throws Exception {
    LineSettings settings = PATIENT.acceptingBy(LineSettings.shortOfFiles(10, 2));
    int status = drive(settings, new Plan(20, 0, 1, BRIEF), AMPLE);

    assertThat(status).as(text()).isZero();
    assertThat(row("connections")).isEqualTo("21  20 talk, 0 are silent, 1 reads late");
    assertThat(row("messages")).containsPattern("echoes .*; 2\\d announcements to 20 each");
    assertThat(row("lost")).isEqualTo("0");
    assertThat(row("accept failures")).startsWith("2 ");
    assertThat(row("held back")).doesNotStartWith("0 ");
    for (String name :
        new String[] {"messages/s", "p50", "p99", "passes", "wake-ups sent", "wake-ups saved"}) {
      assertThat(row(name)).isNotBlank();
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("lineserver-")) {
        thread.join(AMPLE.toMillis());
        assertThat(thread.isAlive()).as("%s lives", thread).isFalse();
      }
    }
  }

  @Test
  void aLineThatDoesNotComeBackIsReportedAsLost() throws Exception {
    Duration tooShortForNothing = Duration.ofSeconds(3);
    ToIntFunction<String> lossy = line -> line.equals("3:2") ? 0 : 1;
    int status = drive(PATIENT.echoing(lossy), new Plan(5, 0, 0, BRIEF), tooShortForNothing);

    assertThat(status).isEqualTo(1);
    assertThat(row("lost")).isNotEqualTo("0");
    assertThat(text())
        .contains("not all came back within 3 s", "EventPoll#", "talker 3: not all came in time");
  }

  @Test
  void aLineThatComesBackTwiceIsReported() throws Exception {
    ToIntFunction<String> twice = line -> line.equals("3:2") ? 2 : 1;
    int status = drive(PATIENT.echoing(twice), new Plan(5, 0, 0, BRIEF), AMPLE);

    assertThat(status).isEqualTo(1);
    assertThat(text()).contains("talker 3: not asked for: 3:2").endsWith(lines("FAILED"));
  }

  @Test
  void aSilentConnectionIsClosed() throws Exception {
    LineSettings hasty = LineSettings.idleAfter(Duration.ofMillis(100));
    try (LineServer server = new LineServer(0, out, hasty);
        LineClient client = LineClient.to(server.address(), complaints::add)) {
      assertThat(client.read()).isNull();
      until(() -> server.tally().idleClosed() == 1, "the count");
    }
  }

  @Test
  void afterAFailureToAcceptTheListenerIsNotArmedAtOnce() throws Exception {
    LineSettings settings =
        new LineSettings(
            Duration.ofHours(1),
            Duration.ofHours(1),
            LineSettings.shortOfFiles(1, Integer.MAX_VALUE),
            line -> 1);
    try (LineServer server = new LineServer(0, out, settings);
        LineClient first = LineClient.to(server.address(), complaints::add)) {
      first.ask("is there anybody?");
      try (Socket second = socket(server)) {
        second.getOutputStream().write(Lines.bytes("waits in the backlog\n"));
        until(() -> server.tally().acceptFailures() == 1, "the failure");
        for (int i = 0; i < 100; i++) {
          first.ask("the others are served " + i);
        }
        assertThat(server.tally().acceptFailures()).isEqualTo(1);
        assertThat(server.tally().accepted()).isEqualTo(1);
      }
    }
    assertThat(complaints).isEmpty();
  }

  @Test
  void aTimerArmsTheListenerAgain() throws Exception {
    LineSettings settings = PATIENT.acceptingBy(LineSettings.shortOfFiles(0, 3));
    try (LineServer server = new LineServer(0, out, settings);
        LineClient client = LineClient.to(server.address(), complaints::add)) {
      client.ask("after the fourth attempt");
      assertThat(server.tally().acceptFailures()).isEqualTo(3);
      assertThat(server.tally().accepted()).isEqualTo(1);
    }
  }

  @Test
  void aFailureOfOneConnectionDoesNotStopTheListener() throws Exception {
    LineSettings.Acceptor closesTheFirst =
        new LineSettings.Acceptor() {
          private boolean done;

          @Override
          public SocketChannel accept(ChannelSource listener) throws IOException {
            SocketChannel channel = listener.accept();
            if (channel != null && !done) {
              done = true;
              channel.close();
            }
            return channel;
          }
        };
    try (LineServer server = new LineServer(0, out, PATIENT.acceptingBy(closesTheFirst));
        Socket first = socket(server);
        LineClient second = LineClient.to(server.address(), complaints::add)) {
      assertThat(first.getInputStream().read()).isEqualTo(-1);
      second.ask("still there");
      assertThat(text()).contains("ClosedChannelException");
    }
  }

  @Test
  void everybodyGetsTheAnnouncementsInTheSameOrder() throws Exception {
    try (LineServer server = new LineServer(0, out, PATIENT);
        LineClient one = LineClient.to(server.address(), complaints::add);
        LineClient two = LineClient.to(server.address(), complaints::add)) {
      one.ask("one is there");
      two.ask("two is there");
      one.send("/all from a client");
      assertThat(one.read()).isEqualTo("* from a client");
      assertThat(two.read()).isEqualTo("* from a client");
      for (int i = 0; i < 100; i++) {
        assertThat(server.announce("Nº " + i)).isTrue();
      }
      for (int i = 0; i < 100; i++) {
        assertThat(one.read()).isEqualTo("* Nº " + i);
        assertThat(two.read()).isEqualTo("* Nº " + i);
      }
    }
  }

  @Test
  void bytesComeBackAsTheyAreAlsoAfterTheEndOfInput() throws Exception {
    try (LineServer server = new LineServer(0, out, PATIENT);
        Socket client = socket(server)) {
      byte[] sent = {(byte) 0xff, 'a', 0, '\n', '\n', 'b', '\n', 'n', 'o', ' ', 'e', 'n', 'd'};
      client.getOutputStream().write(sent);
      client.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes())
          .containsExactly(0xff, 'a', 0, '\n', '\n', 'b', '\n');
    }
  }

  @Test
  void aLineWithoutEndClosesItsConnection() throws Exception {
    try (LineServer server = new LineServer(0, out, PATIENT);
        Socket client = socket(server)) {
      client.getOutputStream().write(new byte[8193]);
      assertThat(ended(client.getInputStream())).isTrue();
    }
  }

  @Test
  void whoDoesNotReadAnnouncementsIsClosed() throws Exception {
    try (LineServer server = new LineServer(0, out, PATIENT);
        LineClient client = LineClient.withSmallBuffer(server.address(), complaints::add)) {
      client.ask("is there anybody?");
      for (int i = 0; i < 30; i++) {
        server.announce("x".repeat(100_000));
      }
      until(() -> server.counts.tooSlow.sum() == 1, "the slow reader to be closed");
      until(() -> server.dump().contains(": 5 items"), "its item to be gone");
    }
  }

  private static boolean ended(InputStream in) {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      return true; // reset, because of what the server has not read
    }
  }

  private static Socket socket(LineServer server) throws IOException {
    return new Socket(server.address().getAddress(), server.address().getPort());
  }

  /** For what happens soon; the time-out of the test is the limit. */
  private static void until(BooleanSupplier condition, String what) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("waited for " + what);
      }
      Thread.onSpinWait();
    }
  }

  private int drive(LineSettings settings, Plan plan, Duration limit) throws Exception {
    return LineCommand.drive(new LineServer(0, out, settings), plan, limit, out);
  }

  private static String lines(String line) {
    return line + System.lineSeparator();
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** What stands behind a name in the table. */
  private String row(String name) {
    Matcher row = Pattern.compile("(?m)^" + name + "  +(.*)$").matcher(text());
    assertThat(row.find()).as("row %s in%n%s", name, text()).isTrue();
    return row.group(1);
  }
}
