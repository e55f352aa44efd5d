package io.github.eventpoll.examples;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Three loops, each a thread with a poll of its own, accept from one listener. {@link
 * Events#EXCLUSIVE} makes a connection wake one of them, while the others sleep on.
 */
public final class AcceptLoops {
  private static final int LOOPS = 3;
  private static final int CONNECTIONS = 300;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private AcceptLoops() {}

  /** One of the loops. */
  private static final class Loop extends Thread {
    private final EventPoll poll = EventPoll.create();
    private final ChannelSource listener;

    // Read by others when the thread has ended.
    private int wakes;
    private int accepted;
    private int fruitless;
    private @Nullable Throwable failure;

    Loop(int number, ChannelSource listener, EventFd stop) {
      super("acceptloops-" + number);
      this.listener = listener;
      poll.add(listener, Events.IN | Events.EXCLUSIVE);
      poll.add(stop, Events.IN); // level-triggered and never read: it ends all loops
    }

    @Override
    public void run() {
      ReadyEvents ready = new ReadyEvents(2);
      try (poll) {
        for (boolean more = true; more; ) {
          int found = poll.await(ready);
          for (int i = 0; i < found; i++) {
            if (ready.source(i) == listener) {
              wakes++;
              accept();
            } else {
              more = false;
            }
          }
        }
      } catch (IOException | InterruptedException | RuntimeException e) {
        failure = e;
      }
    }

    private void accept() throws IOException {
      SocketChannel next = listener.accept();
      if (next == null) {
        fruitless++;
        return;
      }
      accepted++;
      try (next) {
        next.write(ByteBuffer.wrap(Lines.bytes("welcome\n")));
      }
    }
  }

  /**
   * Runs the example.
   *
   * @param args none
   * @throws IOException if the loopback network fails
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int status = run(args, CONNECTIONS, System.out);
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Runs; returns the exit status. */
  static int run(String[] args, int connections, PrintStream out)
      throws IOException, InterruptedException {
    if (args.length > 0) {
      out.println("usage: AcceptLoops");
      return 2;
    }
    ServerSocketChannel socket = ServerSocketChannel.open();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    socket.configureBlocking(false);
    EventFd stop = EventFd.create();
    List<Loop> loops = new ArrayList<>();
    FailSafe guard = FailSafe.begin("acceptloops", LIMIT, () -> dump(loops), out);
    try (ChannelSource listener = ChannelSource.of(socket)) {
      for (int i = 0; i < LOOPS; i++) {
        loops.add(new Loop(i, listener, stop));
      }
      loops.forEach(Thread::start);
      int welcome = connect((InetSocketAddress) socket.getLocalAddress(), connections, out);
      stop.tryWrite(1);
      for (Loop loop : loops) {
        loop.join();
      }
      return print(loops, connections, welcome, out);
    } finally {
      stop.close();
      guard.end();
    }
  }

  private static String dump(List<Loop> loops) {
    StringBuilder text = new StringBuilder();
    loops.forEach(loop -> text.append(loop.poll.dump()));
    return text.toString();
  }

  /** Connects again and again, one after the other; returns how often the answer was right. */
  private static int connect(InetSocketAddress server, int connections, PrintStream out)
      throws IOException {
    int welcome = 0;
    for (int i = 0; i < connections; i++) {
      try (LineClient client = LineClient.to(server, out::println)) {
        welcome += "welcome".equals(client.read()) ? 1 : 0;
      }
    }
    return welcome;
  }

  private static int print(List<Loop> loops, int connections, int welcome, PrintStream out) {
    Report report = new Report(out);
    int wakes = 0;
    int accepted = 0;
    int fruitless = 0;
    boolean failed = false;
    for (Loop loop : loops) {
      report.count(
          loop.getName(),
          loop.accepted,
          "accepted; %d wakes, %d for nothing",
          loop.wakes,
          loop.fruitless);
      wakes += loop.wakes;
      accepted += loop.accepted;
      fruitless += loop.fruitless;
      if (loop.failure != null) {
        out.println(loop.getName() + ": " + loop.failure);
        failed = true;
      }
    }
    report.count("connections", connections, "accepted %d, welcome %d", accepted, welcome);
    double each = (double) wakes / connections;
    report.row("wakes", "%.2f", each, "for each connection, " + fruitless + " for nothing");
    return accepted == connections && welcome == connections && !failed ? 0 : 1;
  }
}
