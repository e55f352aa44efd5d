package io.github.eventpoll.examples.migrating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server on a selector and the one on a poll do the same for the same client. */
@Timeout(60)
class MigratingTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private enum Version {
    SELECTOR,
    EVENT_POLL;

    EchoServer server(Duration idle) throws IOException {
      return this == SELECTOR ? new SelectorServer(idle) : new EventPollServer(idle);
    }
  }

  /** A client, blocking. */
  private static final class Client implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader in;

    Client(SocketAddress server) throws IOException {
      socket.setReceiveBufferSize(4096); // so that the server's writes meet would-block
      socket.setSoTimeout(30_000); // a fail-safe
      socket.connect(server);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    void send(String line) throws IOException {
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    String line() throws IOException {
      return in.readLine();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static FutureTask<Void> started(EchoServer server) {
    FutureTask<Void> running =
        new FutureTask<>(
            () -> {
              server.run();
              return null;
            });
    Thread thread = new Thread(running, "echo-server");
    thread.setDaemon(true);
    thread.start();
    return running;
  }

  @ParameterizedTest
  @EnumSource
  void echoesAnnouncesAndStops(Version version) throws Exception {
    EchoServer server = version.server(LONG);
    FutureTask<Void> running = started(server);
    try (Client one = new Client(server.address());
        Client two = new Client(server.address())) {
      one.send("tea");
      two.send("milk");
      assertThat(one.line()).isEqualTo("tea");
      assertThat(two.line()).isEqualTo("milk");

      server.announce("closing soon\n"); // both are known by now: they have been served
      assertThat(one.line()).isEqualTo("closing soon");
      assertThat(two.line()).isEqualTo("closing soon");

      server.stop();
      running.get(30, TimeUnit.SECONDS);
      assertThat(one.line()).isNull();
      assertThat(two.line()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatSendsMuchGetsEverything(Version version) throws Exception {
    EchoServer server = version.server(LONG);
    FutureTask<Void> running = started(server);
    String line = "x".repeat(1000);
    int lines = 2_000;
    try (Client busy = new Client(server.address())) {
      FutureTask<Void> writing =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < lines; i++) {
                  busy.send(line);
                }
                return null;
              });
      Thread writer = new Thread(writing, "busy-writer");
      writer.setDaemon(true);
      writer.start();
      for (int i = 0; i < lines; i++) {
        assertThat(busy.line()).hasSize(1000);
      }
      writing.get(30, TimeUnit.SECONDS);
    } finally {
      server.stop();
    }
    running.get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatGoesIsForgottenAndOthersAreServed(Version version) throws Exception {
    EchoServer server = version.server(LONG);
    FutureTask<Void> running = started(server);
    try (Client stays = new Client(server.address())) {
      for (int i = 0; i < 3; i++) {
        try (Client goes = new Client(server.address())) {
          goes.send("bye");
          assertThat(goes.line()).isEqualTo("bye");
        }
      }
      stays.send("still here");
      assertThat(stays.line()).isEqualTo("still here");
    } finally {
      server.stop();
    }
    running.get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void endsWhenNobodySaysAnything(Version version) throws Exception {
    EchoServer server = version.server(Duration.ofMillis(20));
    SocketAddress address = server.address();
    try (Client silent = new Client(address)) {
      started(server).get(30, TimeUnit.SECONDS);
      assertThatThrownBy(() -> new Client(address)).isInstanceOf(IOException.class);
      assertThat(silent.socket.isConnected()).isTrue();
    }
  }
}
