package io.github.eventpoll.examples.migrating;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** After: a poll, and in it a listener, the clients, a queue, a counter and a timer. */
final class EventPollServer implements EchoServer {
  private static final int ROOM = 4096;

  // snippet: state
  private final EventPoll poll = EventPoll.create();
  private final ServerSocketChannel door = ServerSocketChannel.open();
  private final ChannelSource listener = ChannelSource.of(door);
  private final QueueSource<String> announcements = QueueSource.unbounded();
  private final EventFd stop = EventFd.create();
  private final Timer quiet = Timer.create();
  private final Duration idle;

  EventPollServer(Duration idle) throws IOException {
    this.idle = idle;
    door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    door.configureBlocking(false);
    poll.add(listener, Events.IN);
    poll.add(announcements, Events.IN);
    poll.add(stop, Events.IN);
    poll.add(quiet, Events.IN);
  }

  // end snippet

  @Override
  public SocketAddress address() throws IOException {
    return door.getLocalAddress();
  }

  // snippet: signals
  @Override
  public void announce(String text) {
    announcements.offer(text);
  }

  @Override
  public void stop() {
    stop.signal();
  }

  // end snippet

  // snippet: loop
  @Override
  public void run() throws IOException {
    quiet.set(idle);
    ReadyEvents ready = new ReadyEvents(64);
    try (poll;
        listener) {
      for (boolean open = true; open; ) {
        int n = poll.awaitUninterruptibly(ready);
        for (int i = 0; i < n; i++) {
          Pollable source = ready.source(i);
          if (source == listener) {
            accept();
          } else if (source == announcements) {
            announcements.drain(this::tellAll, 64);
          } else if (source == stop || source == quiet) {
            open = false;
          } else if (ready.item(i).isValid()) { // else closed in this very round
            serve(ready.item(i), ready.events(i));
          }
        }
      }
      for (EpItem item : poll.items()) {
        if (item.attachment() instanceof ByteBuffer) {
          close((ChannelSource) item.source());
        }
      }
    }
  }

  // end snippet

  // snippet: clients
  private void accept() throws IOException {
    SocketChannel client = listener.accept();
    if (client != null) {
      client.configureBlocking(false);
      client.setOption(StandardSocketOptions.SO_SNDBUF, ROOM);
      poll.add(ChannelSource.of(client), Events.IN, ByteBuffer.allocate(ROOM));
    }
  }

  private void serve(EpItem item, int events) {
    ChannelSource client = (ChannelSource) item.source();
    ByteBuffer pending = (ByteBuffer) item.attachment();
    try {
      if ((events & Events.IN) != 0 && pending.hasRemaining()) {
        quiet.set(idle);
        if (client.read(pending) < 0) {
          client.close(); // ends the registration
          return;
        }
      }
      flush(item, client, pending);
    } catch (IOException e) {
      close(client); // the client's fault, not the server's
    }
  }

  private static void flush(EpItem item, ChannelSource client, ByteBuffer pending)
      throws IOException {
    client.write(pending.flip());
    pending.compact();
    int wanted = pending.hasRemaining() ? Events.IN : 0;
    wanted |= pending.position() > 0 ? Events.OUT : 0;
    if (wanted != (item.interest() & (Events.IN | Events.OUT))) {
      item.modify(wanted); // asks the source again, so only when it changes
    }
  }

  private void tellAll(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (EpItem item : poll.items()) {
      if (item.attachment() instanceof ByteBuffer pending && bytes.length <= pending.remaining()) {
        flushed(item, pending.put(bytes));
      }
    }
  }

  private static void flushed(EpItem item, ByteBuffer pending) {
    ChannelSource client = (ChannelSource) item.source();
    try {
      flush(item, client, pending);
    } catch (IOException e) {
      close(client);
    }
  }

  // end snippet

  private static void close(ChannelSource client) {
    try {
      client.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
