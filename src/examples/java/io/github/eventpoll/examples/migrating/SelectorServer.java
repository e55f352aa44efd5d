package io.github.eventpoll.examples.migrating;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Before: a selector, and beside it a queue, a flag and a deadline. */
final class SelectorServer implements EchoServer {
  private static final int ROOM = 4096;

  // snippet: state
  private final Selector selector = Selector.open();
  private final ServerSocketChannel door = ServerSocketChannel.open();
  private final Queue<String> announcements = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;
  private final Duration idle;
  private long deadline;

  SelectorServer(Duration idle) throws IOException {
    this.idle = idle;
    door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    door.configureBlocking(false);
    door.register(selector, SelectionKey.OP_ACCEPT);
  }

  // end snippet

  @Override
  public SocketAddress address() throws IOException {
    return door.getLocalAddress();
  }

  // snippet: signals
  @Override
  public void announce(String text) {
    announcements.add(text);
    selector.wakeup(); // after the change, never before
  }

  @Override
  public void stop() {
    stopped = true;
    selector.wakeup();
  }

  // end snippet

  // snippet: loop
  @Override
  public void run() throws IOException {
    deadline = System.nanoTime() + idle.toNanos();
    try (selector;
        door) {
      while (!stopped) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          break;
        }
        selector.select(TimeUnit.NANOSECONDS.toMillis(left) + 1); // 0 would be for ever
        for (String text = announcements.poll(); text != null; text = announcements.poll()) {
          tellAll(text);
        }
        Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
        while (selected.hasNext()) {
          SelectionKey key = selected.next();
          selected.remove(); // or it is reported again
          if (!key.isValid()) {
            continue; // cancelled in this very round
          }
          if (key.isAcceptable()) {
            accept();
          } else {
            serve(key);
          }
        }
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    }
  }

  // end snippet

  // snippet: clients
  private void accept() throws IOException {
    SocketChannel client = door.accept();
    if (client != null) {
      client.configureBlocking(false);
      client.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(ROOM));
    }
  }

  private void serve(SelectionKey key) throws IOException {
    SocketChannel client = (SocketChannel) key.channel();
    ByteBuffer pending = (ByteBuffer) key.attachment();
    try {
      if (key.isReadable() && pending.hasRemaining()) {
        deadline = System.nanoTime() + idle.toNanos();
        if (client.read(pending) < 0) {
          client.close(); // cancels the key
          return;
        }
      }
      flush(key, client, pending);
    } catch (IOException e) {
      client.close(); // the client's fault, not the server's
    }
  }

  private static void flush(SelectionKey key, SocketChannel client, ByteBuffer pending)
      throws IOException {
    client.write(pending.flip());
    pending.compact();
    int wanted = pending.hasRemaining() ? SelectionKey.OP_READ : 0;
    key.interestOps(wanted | (pending.position() > 0 ? SelectionKey.OP_WRITE : 0));
  }

  private void tellAll(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (SelectionKey key : selector.keys()) {
      @Nullable ByteBuffer pending = (ByteBuffer) key.attachment();
      if (pending != null && key.isValid() && bytes.length <= pending.remaining()) {
        flushed(key, pending.put(bytes));
      }
    }
  }

  private static void flushed(SelectionKey key, ByteBuffer pending) throws IOException {
    SocketChannel client = (SocketChannel) key.channel();
    try {
      flush(key, client, pending);
    } catch (IOException e) {
      client.close();
    }
  }
  // end snippet
}
