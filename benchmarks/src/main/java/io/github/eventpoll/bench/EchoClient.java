package io.github.eventpoll.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The one client of all servers: sends a message on each connection, then collects the answers. */
final class EchoClient implements AutoCloseable {
  private static final int MESSAGE = 64;

  private final SocketChannel[] connections;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE);

  EchoClient(EchoServer server, int count) throws Exception {
    connections = new SocketChannel[count];
    for (int i = 0; i < count; i++) {
      connections[i] = server.connect();
      connections[i].setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  /** Exchanges a message on each connection, a number of times. */
  long exchange(long rounds) {
    try {
      for (long round = 0; round < rounds; round++) {
        for (SocketChannel connection : connections) {
          buffer.clear();
          while (buffer.hasRemaining()) {
            connection.write(buffer);
          }
        }
        for (SocketChannel connection : connections) {
          buffer.clear();
          while (buffer.hasRemaining()) {
            if (connection.read(buffer) < 0) {
              throw new IllegalStateException("the server has hung up");
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rounds;
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
