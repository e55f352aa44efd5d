package io.github.eventpoll.examples.first;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;

/** Tells everybody who has connected the news, and every ten seconds without any that it lives. */
public final class NewsServer {
  // snippet: state
  static final Duration QUIET = Duration.ofSeconds(10);

  /** Somebody who has connected. */
  interface Guest {
    /** Sends a line; false if the guest is gone or does not read. */
    boolean tell(String line);
  }

  /** Opens to the next who stands at the door. */
  interface Door {
    /** The next guest, if there is one. */
    Optional<Guest> accept() throws IOException;
  }

  private final EventPoll poll;
  private final Pollable listener;
  private final Door door;
  private final Timer quiet;
  private final QueueSource<String> news = QueueSource.unbounded();
  private final List<Guest> guests = new ArrayList<>();
  private final ReadyEvents ready = new ReadyEvents(8);
  private boolean ended;

  NewsServer(EventPoll poll, Timer quiet, Pollable listener, Door door) {
    this.poll = poll;
    this.quiet = quiet;
    this.listener = listener;
    this.door = door;
    poll.add(listener, Events.IN);
    poll.add(news, Events.IN);
    poll.add(quiet, Events.IN);
    quiet.set(QUIET);
  }

  // end snippet

  // snippet: callers
  /** Any thread may call this, at any time. */
  void publish(String line) {
    news.offer(line);
  }

  /** The last news have been published: the server ends when it has told them. */
  void end() {
    news.close();
  }

  // end snippet

  // snippet: loop
  void run() throws IOException, InterruptedException {
    while (!ended) {
      serve(poll.await(ready)); // sleeps until there is something to do
    }
  }

  /** Does what there is to do now, and does not wait: for tests. */
  void serveNow() throws IOException {
    serve(poll.awaitNow(ready));
  }

  boolean hasEnded() {
    return ended;
  }

  private void serve(int n) throws IOException {
    for (int i = 0; i < n; i++) {
      if (ready.source(i) == listener) {
        door.accept().ifPresent(guests::add);
      } else if (ready.source(i) == news) {
        news.drain(this::tellAll, 100);
        quiet.set(QUIET);
        ended = (ready.events(i) & Events.HUP) != 0; // closed, and the last line is told
      } else {
        tellAll("no news");
        quiet.set(QUIET);
      }
    }
  }

  private void tellAll(String line) {
    guests.removeIf(guest -> !guest.tell(line));
  }

  // end snippet

  // snippet: real
  /** A guest on a socket. One that does not read its lines is not waited for. */
  record SocketGuest(SocketChannel channel) implements Guest {
    @Override
    public boolean tell(String line) {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      try {
        channel.write(bytes);
        if (!bytes.hasRemaining()) {
          return true;
        }
        channel.close();
      } catch (IOException e) {
        // gone
      }
      return false;
    }
  }

  /**
   * Serves on a port of this machine until the standard input ends: each of its lines is news.
   *
   * @param args the port
   * @throws IOException if the network fails
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    ServerSocketChannel socket = ServerSocketChannel.open();
    socket.bind(new InetSocketAddress("localhost", Integer.parseInt(args[0])));
    socket.configureBlocking(false);
    try (ChannelSource listener = ChannelSource.of(socket);
        Timer quiet = Timer.create();
        EventPoll poll = EventPoll.create()) {
      NewsServer server = new NewsServer(poll, quiet, listener, () -> accept(listener));
      Thread reader = new Thread(() -> publishInput(server), "reader");
      reader.setDaemon(true);
      reader.start();
      server.run();
    }
  }

  static Optional<Guest> accept(ChannelSource listener) throws IOException {
    SocketChannel channel = listener.accept();
    if (channel == null) {
      return Optional.empty(); // went away again
    }
    channel.configureBlocking(false);
    return Optional.of(new SocketGuest(channel));
  }

  // end snippet

  private static void publishInput(NewsServer server) {
    try (Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      while (in.hasNextLine()) {
        server.publish(in.nextLine());
      }
    }
    server.end();
  }
}
