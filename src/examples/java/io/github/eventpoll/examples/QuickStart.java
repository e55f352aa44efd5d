package io.github.eventpoll.examples;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** The first example of README.md. */
public final class QuickStart {
  private QuickStart() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws IOException if the network fails
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    // snippet: quick-start
    ServerSocketChannel door = ServerSocketChannel.open();
    door.bind(new InetSocketAddress("localhost", 0)).configureBlocking(false);
    QueueSource<String> orders = QueueSource.unbounded();
    Timer closing = Timer.create();
    try (ChannelSource listener = ChannelSource.of(door);
        EventPoll poll = EventPoll.create()) {
      poll.add(listener, Events.IN);
      poll.add(orders, Events.IN);
      poll.add(closing, Events.IN);

      orders.offer("tea"); // any thread may do this, at any time
      SocketChannel.open(door.getLocalAddress()).close(); // and this, any process

      ReadyEvents ready = new ReadyEvents(16);
      boolean open = true;
      while (open) {
        int n = poll.await(ready); // sleeps until one of the three has something
        for (int i = 0; i < n; i++) {
          if (ready.source(i) == orders) {
            orders.drain(order -> System.out.println("order: " + order), 16);
          } else if (ready.source(i) == listener) {
            try (SocketChannel guest = listener.accept()) {
              System.out.println("guest: " + guest);
              closing.set(Duration.ofMillis(50));
            }
          } else {
            System.out.println(closing);
            open = false;
          }
        }
      }
    }
    // end snippet
  }
}
