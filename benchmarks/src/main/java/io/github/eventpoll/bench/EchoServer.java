package io.github.eventpoll.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Sends back whatever its connections bring, with threads of its own. */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
abstract class EchoServer implements AutoCloseable {
  /** Room of the one buffer that each thread reads into. */
  static final int ROOM = 4096;

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private final List<Thread> threads = new ArrayList<>();

  /** Makes a connection to this server; its blocking end is returned. */
  SocketChannel connect() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(loopback, 0));
      SocketChannel client = SocketChannel.open(listener.getLocalAddress());
      SocketChannel accepted = listener.accept();
      accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
      accepted.configureBlocking(false);
      serve(accepted);
      return client;
    }
  }

  /** Takes over a connection. */
  abstract void serve(SocketChannel accepted) throws Exception;

  @Override
  public abstract void close() throws Exception;

  /** Starts a thread of the server; it ends with the process at the latest. */
  final Thread start(String name, Body body) {
    Thread thread = daemon(name, body);
    threads.add(thread);
    return thread;
  }

  static Thread daemon(String name, Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Exception e) {
                e.printStackTrace();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** CPU time that the server's own threads have used. */
  final long cpuNanos() {
    long sum = 0;
    for (Thread thread : threads) {
      sum += CPU.getThreadCpuTime(thread.getId());
    }
    return sum;
  }

  /** What a thread does. */
  interface Body {
    void run() throws Exception;
  }

  /** One read and its answer; false at the end of the connection. */
  static boolean echo(SocketChannel channel, ByteBuffer buffer) throws IOException {
    buffer.clear();
    if (channel.read(buffer) < 0) {
      return false;
    }
    buffer.flip();
    while (buffer.hasRemaining()) { // messages are small: the first write takes all
      channel.write(buffer);
    }
    return true;
  }
}
