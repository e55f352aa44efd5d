package io.github.eventpoll.examples;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.nio.ChannelDriver;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A TCP server that echoes lines; {@code /all TEXT} goes to everybody, and who is silent for long
 * is closed. Three workers wait for all of it on one {@link EventPoll}:
 *
 * <pre>
 *   listener       ChannelSource  ONESHOT  armed again when accepting has met would-block
 *   connections    ChannelSource  ONESHOT  armed again by the worker that has read and written
 *   announcements  QueueSource    ONESHOT  workers and other threads put texts in
 *   silence        Timer          ET       one for all connections: it looks who is silent
 *   listen again   Timer          ET       set when accepting has failed
 *   shutdown       EventFd        level    written once, never read: every worker sees it
 * </pre>
 *
 * <p>One of the workers that have nothing to do sleeps in the selector, the others are parked.
 *
 * <p>{@link #main} without arguments drives the server with 200 clients and checks what they get;
 * {@code --serve PORT} serves until interrupted.
 */
public final class LineServer implements AutoCloseable {
  private static final int WORKERS = 3;
  private static final int BACKLOG = 1024;
  private static final int SEND_BUFFER = 1 << 16;
  private static final int MOST_ANNOUNCEMENTS = 4096;
  private static final int BATCH = 16;
  private static final int ARMED = Events.IN | Events.ONESHOT;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final LineCounts counts = new LineCounts();

  private final PrintStream out;
  private final LineSettings settings;
  private final List<Worker> workers = new ArrayList<>();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  // Polls have drivers of their own; this one is made by hand because we want to see its counts.
  private final ChannelDriver driver = ChannelDriver.open();
  private final EventPoll poll = driver.poll();
  private final ServerSocketChannel socket = ServerSocketChannel.open();
  private final ChannelSource listener = ChannelSource.of(socket);
  private final QueueSource<String> announcements = QueueSource.bounded(MOST_ANNOUNCEMENTS);
  private final Timer silence = Timer.create();
  private final Timer listenAgain = Timer.create();
  private final EventFd shutdown = EventFd.create();
  private final EpItem listenerItem;
  private final EpItem announcementsItem;

  /**
   * Starts serving.
   *
   * @param port where to listen on the loopback address; 0 for any free port
   */
  LineServer(int port, PrintStream out, LineSettings settings) throws IOException {
    this.out = out;
    this.settings = settings;
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      socket.configureBlocking(false);
    } catch (IOException e) {
      socket.close();
      throw e;
    }

    // What to do about an event is attached to its item.
    announcementsItem = poll.add(announcements, ARMED, action(this::takeAnnouncements));
    poll.add(silence, Events.IN | Events.ET, action(this::closeTheSilent));
    poll.add(listenAgain, Events.IN | Events.ET, action(this::listenAgain));
    poll.add(shutdown, Events.IN, Worker.END);
    listenerItem = poll.add(listener, ARMED, action(this::accept));
    Duration look = settings.idle().dividedBy(8);
    silence.set(look, look);

    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Worker("lineserver-worker-" + i, poll, out));
    }
    workers.forEach(Worker::start);
  }

  /**
   * Runs the example.
   *
   * @param args nothing, or {@code --serve PORT}
   */
  public static void main(String[] args) {
    int status = LineCommand.run(args, System.in, System.out);
    if (status != 0) {
      System.exit(status); // otherwise not: Maven may have more to do in this JVM
    }
  }

  // ------------------------------------------------------------------------- what workers do

  /** One worker at a time: the item is one-shot, and armed again only here and by the timer. */
  private void accept() {
    try {
      for (SocketChannel next = acceptOne(); next != null; next = acceptOne()) {
        open(next);
      }
    } catch (IOException e) {
      // Too many open files, as a rule. The connections that could not be accepted still wait, so
      // that an item armed at once would be reported at once, and again and again. Later there may
      // be fewer files open.
      counts.acceptFailures.increment();
      listenAgain.set(settings.retry());
      return;
    }
    arm(listenerItem);
  }

  private @Nullable SocketChannel acceptOne() throws IOException {
    return settings.acceptor().accept(listener);
  }

  private void listenAgain() {
    if (listenAgain.tryRead() > 0) {
      arm(listenerItem);
    }
  }

  private void open(SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
      new Connection(channel, poll, this);
    } catch (IOException | RuntimeException e) {
      counts.failures.increment();
      e.printStackTrace(out);
      channel.close();
    }
  }

  /** By a new connection, before its first line is read. */
  void joined(Connection connection) {
    connections.add(connection);
    counts.accepted.increment();
  }

  /** By a connection that is closed. */
  void left(Connection connection) {
    connections.remove(connection);
  }

  /** What to send back for a line, its end included. */
  String answer(String line) {
    counts.lines.increment();
    if (line.startsWith("/all ")) {
      boolean taken = announcements.offer(line.substring("/all ".length()));
      return taken ? "" : "too many announcements\n";
    }
    return (line + "\n").repeat(settings.copies().applyAsInt(line));
  }

  /**
   * One worker at a time, so that everybody gets the announcements in the same order: the item is
   * armed again when all have been made.
   */
  private void takeAnnouncements() {
    try {
      announcements.drain(this::toAll, BATCH);
    } finally {
      arm(announcementsItem);
    }
  }

  private void toAll(String text) {
    byte[] line = Lines.bytes("* " + text + "\n");
    connections.forEach(connection -> connection.send(line));
    counts.announced.increment();
  }

  private void closeTheSilent() {
    if (silence.tryRead() > 0) {
      long limit = settings.idle().toNanos();
      for (Connection connection : connections) {
        if (connection.closeIfIdle(limit)) {
          counts.idleClosed.increment();
        }
      }
    }
  }

  private void arm(EpItem item) {
    item.modify(ARMED);
    counts.changes.increment();
  }

  private static Runnable action(Runnable method) {
    return method;
  }

  // ---------------------------------------------------------------------- for other threads

  /** Sends a text to everybody who is connected; false if too many are under way. */
  boolean announce(String text) {
    return announcements.offer(Lines.line(text));
  }

  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) socket.getLocalAddress();
  }

  String dump() {
    return poll.dump();
  }

  /** What happened; exact once the server is closed. */
  LineTally tally() {
    return LineTally.of(counts, workers, driver);
  }

  /** Lets the workers go, closes everything. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    shutdown.tryWrite(1);
    boolean ended = true;
    try {
      for (Worker worker : workers) {
        ended &= worker.join(PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      counts.failures.increment();
      out.println("some workers did not end:\n" + dump());
    }
    connections.forEach(Connection::close);
    try {
      listener.close();
    } catch (IOException e) {
      counts.failures.increment();
      out.println("cannot close the listener: " + e.getMessage());
    }
    poll.close();
    announcements.dispose();
    silence.close();
    listenAgain.close();
    shutdown.close();
  }
}
