package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example answers every request, and says so with its exit status when it does not. */
@Timeout(120)
class JobServerTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @Test
  void answersAllAndEndsItsThreads() throws Exception {
    assertThat(drive(600, 12, AMPLE, Job::sumOfSquares, job -> true)).isZero();

    assertThat(row("requests")).startsWith("600 ");
    assertThat(row("right answers")).isEqualTo("600");
    assertThat(row("lost or wrong")).isEqualTo("0");
    assertThat(row("announcements")).contains("requests 600, completions 600, timer ");
    assertThat(row("requests/s")).isNotBlank();
    assertThat(row("p50")).contains(" ms");
    assertThat(row("p99")).contains(" ms");
    assertThat(row("wake-ups sent")).isNotBlank();
    assertThat(row("wake-ups saved")).isNotBlank();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("jobserver-")) {
        thread.join(AMPLE.toMillis());
        assertThat(thread.isAlive()).as("%s lives", thread).isFalse();
      }
    }
  }

  @Test
  void aCompletionNobodyIsToldOfIsReportedAsLost() throws Exception {
    AtomicInteger seen = new AtomicInteger();
    Duration tooShortForNothing = Duration.ofSeconds(3);
    int status =
        drive(200, 5, tooShortForNothing, Job::sumOfSquares, job -> seen.incrementAndGet() != 100);

    assertThat(status).isEqualTo(1);
    assertThat(row("lost or wrong")).isNotEqualTo("0");
    assertThat(text()).contains("not all answers within 3 s", "no answer in time", "EventPoll#");
  }

  @Test
  void aWrongAnswerIsReported() throws Exception {
    LongUnaryOperator wrongOnce = n -> n == 7 ? 139 : Job.sumOfSquares(n);

    assertThat(drive(50, 5, AMPLE, wrongOnce, job -> true)).isEqualTo(1);
    assertThat(row("lost or wrong")).isEqualTo("1");
    assertThat(text()).contains("request 7: 200 sum of squares to 7: 139");
  }

  @Test
  void aFailedComputationIsAnsweredAndReported() throws Exception {
    LongUnaryOperator failsOnce =
        n -> {
          if (n == 7) {
            throw new ArithmeticException("planted");
          }
          return Job.sumOfSquares(n);
        };

    assertThat(drive(50, 5, AMPLE, failsOnce, job -> true)).isEqualTo(1);
    assertThat(row("right answers")).isEqualTo("49");
    assertThat(text()).contains("request 7: 500 java.lang.ArithmeticException: planted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--help", "--serve", "--serve x", "--serve -1", "--serve 65536", "--serve 1 2"})
  void badArgumentsGiveAUsageLine(String arguments) {
    assertThat(CommandLine.run(arguments.split(" "), out)).isEqualTo(2);
    assertThat(text()).isEqualTo("usage: JobServer [--serve PORT]" + System.lineSeparator());
  }

  @Test
  void aPortInUseIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      assertThat(CommandLine.run(new String[] {"--serve", port}, out)).isEqualTo(1);
      assertThat(text()).startsWith("cannot listen: ");
    }
  }

  @Test
  void servesAnyClientUntilInterrupted() throws Exception {
    PipedInputStream pipe = new PipedInputStream(1 << 16);
    PrintStream into = new PrintStream(new PipedOutputStream(pipe), true, StandardCharsets.UTF_8);
    CompletableFuture<Integer> status = new CompletableFuture<>();
    String[] arguments = {"--serve", "0"};
    Thread server = new Thread(() -> status.complete(CommandLine.run(arguments, into)));
    server.start();
    BufferedReader lines = new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8));
    Matcher url = Pattern.compile("http://localhost:\\d+/job\\?n=").matcher(lines.readLine());
    assertThat(url.find()).isTrue();

    assertThat(ask(url.group() + "10").body()).isEqualTo("sum of squares to 10: 385\n");
    assertThat(ask(url.group() + "ten").statusCode()).isEqualTo(400);

    server.interrupt();
    assertThat(status.join()).isZero();
    assertThat(lines.lines().filter(line -> line.startsWith("interrupted")).findFirst())
        .hasValue("interrupted: server closed"); // statistics may stand before it
  }

  private static HttpResponse<String> ask(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private int drive(
      int requests,
      int clients,
      Duration limit,
      LongUnaryOperator function,
      Predicate<Job> announces)
      throws Exception {
    JobServer server = new JobServer(0, out, function, announces);
    return CommandLine.drive(server, requests, clients, limit, out);
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
