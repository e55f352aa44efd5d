package io.github.eventpoll.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The pump: one thread selects and hands what is ready to a worker through a queue. A key that is
 * handed over is not selected until the worker has put its interest back.
 */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
final class PumpEcho extends EchoServer {
  private final Selector selector = Selector.open();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
  private final BlockingQueue<SelectionKey> queue = new LinkedBlockingQueue<>();
  private final Thread pump = start("pump", this::pump);
  private final Thread worker = start("pump-worker", this::work);

  PumpEcho() throws IOException {}

  @Override
  void serve(SocketChannel accepted) throws IOException {
    accepted.register(selector, SelectionKey.OP_READ);
    selector.wakeup();
  }

  private void pump() throws IOException {
    try {
      while (selector.isOpen()) {
        selector.select(
            key -> {
              key.interestOps(0);
              queue.add(key);
            });
      }
    } catch (ClosedSelectorException e) {
      // the end
    }
  }

  private void work() throws IOException {
    try {
      for (; ; ) {
        SelectionKey key = queue.take();
        SocketChannel channel = (SocketChannel) key.channel();
        if (echo(channel, buffer)) {
          key.interestOps(SelectionKey.OP_READ);
          selector.wakeup();
        } else {
          channel.close();
        }
      }
    } catch (InterruptedException e) {
      // the end
    }
  }

  @Override
  public void close() throws Exception {
    selector.close();
    worker.interrupt();
    pump.join();
    worker.join();
  }
}
