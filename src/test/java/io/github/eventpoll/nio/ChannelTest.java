package io.github.eventpoll.nio;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** What tests of channels share: real loopback channels, closed at the end. */
abstract class ChannelTest {
  static final Duration LONG = Duration.ofSeconds(30);

  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  final EventPoll poll = closedLater(Polls.create());
  final ReadyEvents ready = new ReadyEvents(16);

  @AfterEach
  final void closeAll() throws Exception {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }

  final <T extends AutoCloseable> T closedLater(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Two connected sockets: ours is non-blocking, the peer's blocks. */
  static final class Link {
    final SocketChannel ours;
    final SocketChannel peer;

    Link(SocketChannel ours, SocketChannel peer) {
      this.ours = ours;
      this.peer = peer;
    }

    void send(int bytes) throws IOException {
      ByteBuffer data = ByteBuffer.allocate(bytes);
      while (data.hasRemaining()) {
        peer.write(data);
      }
    }

    /** Ends the connection with RST. */
    void reset() throws IOException {
      peer.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
      peer.close();
    }
  }

  final Link link() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(loopback());
      SocketChannel ours = closedLater(SocketChannel.open(listener.getLocalAddress()));
      SocketChannel peer = closedLater(listener.accept());
      ours.configureBlocking(false);
      return new Link(ours, peer);
    }
  }

  final ServerSocketChannel listener() throws IOException {
    ServerSocketChannel listener = closedLater(ServerSocketChannel.open());
    listener.bind(loopback(), 512);
    return nonBlocking(listener);
  }

  final DatagramChannel datagram() throws IOException {
    return nonBlocking(closedLater(DatagramChannel.open()).bind(loopback()));
  }

  final Pipe pipe() throws IOException {
    Pipe pipe = openPipe();
    closedLater(pipe.source());
    closedLater(pipe.sink());
    return pipe;
  }

  /** A pipe that the caller closes. */
  static Pipe openPipe() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    pipe.sink().configureBlocking(false);
    return pipe;
  }

  final SocketChannel connected(ServerSocketChannel listener) throws IOException {
    return closedLater(SocketChannel.open(listener.getLocalAddress()));
  }

  static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static <C extends SelectableChannel> C nonBlocking(C channel) throws IOException {
    channel.configureBlocking(false);
    return channel;
  }

  /** Waits for events of this test's poll; fails after a long time. */
  final List<String> await() throws InterruptedException {
    return await(poll);
  }

  final List<String> await(EventPoll from) throws InterruptedException {
    if (from.await(ready, LONG) == 0) {
      throw new AssertionError("no events: " + from.dump());
    }
    return Sleeper.taken(ready);
  }

  /** What is ready now. */
  final List<String> now() {
    return now(poll);
  }

  final List<String> now(EventPoll from) {
    from.awaitNow(ready);
    return Sleeper.taken(ready);
  }

  /** Reads at most that many bytes through the source. */
  static int read(ChannelSource source, int bytes) throws IOException {
    return source.read(ByteBuffer.allocate(bytes));
  }
}
