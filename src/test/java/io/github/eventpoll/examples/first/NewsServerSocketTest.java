package io.github.eventpoll.examples.first;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.Timer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The news server over a real socket. */
@Timeout(60)
class NewsServerSocketTest {
  @Test
  void aClientGetsTheNews() throws Exception {
    ServerSocketChannel socket = ServerSocketChannel.open();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    socket.configureBlocking(false);
    try (ChannelSource listener = ChannelSource.of(socket);
        Timer quiet = Timer.create();
        EventPoll poll = EventPoll.create();
        Socket client = new Socket()) {
      NewsServer server = new NewsServer(poll, quiet, listener, () -> NewsServer.accept(listener));
      client.setSoTimeout(30_000); // a fail-safe
      client.connect(socket.getLocalAddress());
      server.serveNow(); // accepts
      FutureTask<Void> running =
          new FutureTask<>(
              () -> {
                server.run();
                return null;
              });
      new Thread(running, "news-server").start();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));

      server.publish("tea is ready");
      assertThat(in.readLine()).isEqualTo("tea is ready");
      server.end();
      running.get(30, TimeUnit.SECONDS);
    }
  }
}
