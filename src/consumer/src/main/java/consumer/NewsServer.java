package consumer;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.QueueSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** First use, a server: one thread waits for connections, what they send, and a queue of news. */
final class NewsServer implements Runnable {
  private final ServerSocketChannel door;
  private final QueueSource<String> news = QueueSource.unbounded();
  private final List<ChannelSource> guests = new ArrayList<>();

  NewsServer() throws IOException {
    door = ServerSocketChannel.open();
    door.bind(new InetSocketAddress("localhost", 0)).configureBlocking(false);
  }

  SocketAddress address() throws IOException {
    return door.getLocalAddress();
  }

  /** Goes to all who are connected; from any thread. */
  void publish(String text) {
    news.offer(text);
  }

  /** Ends the server after the news that are already published; from any thread. */
  void stop() {
    news.close();
  }

  @Override
  public void run() {
    try (ChannelSource listener = ChannelSource.of(door);
        EventPoll poll = EventPoll.create()) {
      poll.add(listener, Events.IN);
      poll.add(news, Events.IN);
      ReadyEvents ready = new ReadyEvents(8);
      while (!(news.isClosed() && news.isEmpty())) {
        int n = poll.await(ready);
        for (int i = 0; i < n; i++) {
          Pollable source = ready.source(i);
          if (source == listener) {
            greet(listener, poll);
          } else if (source == news) {
            news.drain(this::toAll, 8);
          } else {
            echo((ChannelSource) source);
          }
        }
      }
      for (ChannelSource guest : guests) {
        guest.close();
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void greet(ChannelSource listener, EventPoll poll) throws IOException {
    SocketChannel channel = listener.accept();
    if (channel != null) {
      channel.configureBlocking(false);
      ChannelSource guest = ChannelSource.of(channel);
      guests.add(guest);
      poll.add(guest, Events.IN);
    }
  }

  private void toAll(String text) {
    for (ChannelSource guest : guests) {
      try {
        guest.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void echo(ChannelSource guest) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(64);
    if (guest.read(buffer) < 0) {
      guest.close();
      guests.remove(guest);
    } else {
      guest.write(buffer.flip()); // a few bytes to an idle peer: they fit
    }
  }
}
