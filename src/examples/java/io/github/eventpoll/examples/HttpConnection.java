package io.github.eventpoll.examples;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A client's connection, kept alive from request to request: as much of HTTP/1.1 as the job server
 * speaks. It costs the machine that the server shares less than a full client.
 */
final class HttpConnection implements AutoCloseable {
  private static final int CONNECT_MILLIS = 10_000;

  private final Socket socket = new Socket();
  private final InetSocketAddress server;

  private HttpConnection(InetSocketAddress server) {
    this.server = server;
  }

  static HttpConnection to(InetSocketAddress server) throws IOException {
    HttpConnection connection = new HttpConnection(server);
    try {
      connection.socket.connect(server, CONNECT_MILLIS);
      connection.socket.setTcpNoDelay(true);
      return connection;
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** Asks and waits for the answer: its status and its body. */
  Answer get(String path) throws IOException {
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: localhost:" + server.getPort() + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    // Nothing is read ahead of an answer, because nothing was asked: a new buffer loses nothing.
    InputStream in = new BufferedInputStream(socket.getInputStream(), 512);
    int status = Integer.parseInt(line(in).split(" ")[1]);
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String[] parts = header.toLowerCase(Locale.ROOT).split(":\\s*", 2);
      if (parts[0].equals("content-length")) {
        length = Integer.parseInt(parts[1]);
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the answer ends early");
    }
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        text.append((char) c);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }

  record Answer(int status, String body) {}
}
