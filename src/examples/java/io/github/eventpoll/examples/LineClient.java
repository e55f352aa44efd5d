package io.github.eventpoll.examples;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of the line server: a blocking socket, and what came over it. One thread uses it. */
final class LineClient implements AutoCloseable {
  private static final int CONNECT_MILLIS = 30_000;

  private final Socket socket = new Socket();
  private final BufferedReader in;
  private final Consumer<String> complaints;
  private final Set<String> heard = new HashSet<>();
  private long[] latencies = new long[64];
  private int echoes;

  private LineClient(InetSocketAddress server, int receiveBuffer, Consumer<String> complaints)
      throws IOException {
    this.complaints = complaints;
    try {
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      socket.connect(server, CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static LineClient to(InetSocketAddress server, Consumer<String> complaints) throws IOException {
    return new LineClient(server, 0, complaints);
  }

  /** One for which TCP keeps little that it has not read. */
  static LineClient withSmallBuffer(InetSocketAddress server, Consumer<String> complaints)
      throws IOException {
    return new LineClient(server, 1 << 12, complaints);
  }

  void send(String lines) throws IOException {
    socket.getOutputStream().write((lines + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The next line, null at the end. */
  @Nullable String read() throws IOException {
    return in.readLine();
  }

  /** Sends a line and waits until it comes back. */
  void ask(String line) throws IOException {
    long start = System.nanoTime();
    send(line);
    expect(line);
    latencies = echoes == latencies.length ? Arrays.copyOf(latencies, 2 * echoes) : latencies;
    latencies[echoes++] = System.nanoTime() - start;
  }

  /** Reads until a line comes; others may only be announcements, and new ones. */
  void expect(String line) throws IOException {
    for (String next = next(); !next.equals(line); next = next()) {
      take(next);
    }
  }

  /** Reads announcements until there are so many of them. */
  void hear(int announcements) throws IOException {
    while (heard.size() < announcements) {
      take(next());
    }
  }

  private void take(String line) {
    if (!line.startsWith("* ")) {
      complaints.accept("not asked for: " + line);
    } else if (!heard.add(line.substring(2))) {
      complaints.accept("a second time: " + line);
    }
  }

  private String next() throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("the server has closed the connection");
    }
    return line;
  }

  /** Says that nothing more will come, and reads to the end: only announcements may be left. */
  void end() throws IOException {
    socket.shutdownOutput();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      take(line);
    }
  }

  Set<String> heard() {
    return heard;
  }

  /** Nanoseconds for each line that came back. */
  long[] latencies() {
    return Arrays.copyOf(latencies, echoes);
  }

  /** Any thread; whoever reads or writes fails. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
