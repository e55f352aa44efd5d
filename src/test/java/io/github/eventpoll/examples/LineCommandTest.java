package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of the line server. */
@Timeout(120)
class LineCommandTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @ParameterizedTest
  @ValueSource(
      strings = {"--help", "--serve", "--serve x", "--serve -1", "--serve 65536", "--serve 1 2"})
  void badArgumentsGiveAUsageLine(String arguments) {
    assertThat(LineCommand.run(arguments.split(" "), InputStream.nullInputStream(), out))
        .isEqualTo(2);
    assertThat(text()).isEqualTo("usage: LineServer [--serve PORT]" + System.lineSeparator());
  }

  @Test
  void aPortInUseIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] arguments = {"--serve", String.valueOf(taken.getLocalPort())};
      assertThat(LineCommand.run(arguments, InputStream.nullInputStream(), out)).isEqualTo(1);
      assertThat(text()).startsWith("cannot listen: ");
    }
  }

  @Test
  void servesRealClientsUntilInterrupted() throws Exception {
    PipedInputStream pipe = new PipedInputStream(1 << 16);
    PrintStream into = new PrintStream(new PipedOutputStream(pipe), true, StandardCharsets.UTF_8);
    PipedOutputStream keyboard = new PipedOutputStream();
    PipedInputStream typed = new PipedInputStream(keyboard);
    CompletableFuture<Integer> status = new CompletableFuture<>();
    String[] arguments = {"--serve", "0"};
    Thread server = new Thread(() -> status.complete(LineCommand.run(arguments, typed, into)));
    server.start();
    BufferedReader lines = new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8));
    Matcher port = Pattern.compile("localhost:(\\d+) ").matcher(lines.readLine());
    assertThat(port.find()).isTrue();
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));

    Queue<String> complaints = new ConcurrentLinkedQueue<>();
    try (LineClient client = LineClient.to(address, complaints::add)) {
      client.ask("hello");
      client.send("/all good morning");
      assertThat(client.read()).isEqualTo("* good morning");
      keyboard.write("typed\n".getBytes(StandardCharsets.US_ASCII));
      keyboard.flush();
      assertThat(client.read()).isEqualTo("* typed");

      server.interrupt();
      assertThat(status.join()).isZero();
      assertThat(client.read()).isNull();
    }
    assertThat(complaints).isEmpty();
    assertThat(lines.readLine()).startsWith("/all TEXT");
    assertThat(lines.readLine()).isEqualTo("interrupted: server closed");
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
