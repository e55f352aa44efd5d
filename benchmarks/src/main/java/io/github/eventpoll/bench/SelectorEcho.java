package io.github.eventpoll.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** The loop that one writes by hand: one thread in {@code select(Consumer)}. */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
final class SelectorEcho extends EchoServer {
  private final Selector selector = Selector.open();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
  private final Thread thread = start("selector", this::loop);

  SelectorEcho() throws IOException {}

  @Override
  void serve(SocketChannel accepted) throws IOException {
    accepted.register(selector, SelectionKey.OP_READ);
    selector.wakeup();
  }

  private void loop() throws IOException {
    try {
      while (selector.isOpen()) {
        selector.select(this::ready);
      }
    } catch (ClosedSelectorException e) {
      // the end
    }
  }

  private void ready(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      if (!echo(channel, buffer)) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws Exception {
    selector.close();
    thread.join();
  }
}
