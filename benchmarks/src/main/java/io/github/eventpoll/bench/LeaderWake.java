package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/**
 * How long it takes until a thread that sleeps in a selector runs after it was woken: by an event
 * in memory that a leader is given, and by {@link Selector#wakeup()}.
 */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
final class LeaderWake {
  /** After this time a thread that has nothing to do is asleep for certain, or the shot is void. */
  private static final long SETTLE_NANOS = 100_000;

  private static final String SELECTOR = "Selector.wakeup() until the thread runs";
  private static final String LEADER = "event in memory until a leader has it";

  private LeaderWake() {}

  static void measure(Report report, boolean quick) throws Exception {
    int pairs = quick ? 9 : 15;
    int shots = quick ? 150 : 400;
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink();
        Target leader = new Leader(source);
        Target selector = new Bare(source)) {
      Rounds<Double> rounds =
          new Rounds<Double>()
              .add(SELECTOR, () -> selector.median(shots) / 1e3)
              .add(LEADER, () -> leader.median(shots) / 1e3)
              .run(pairs);
      rounds.printTrips(report, "P7");
      report.info("P7", SELECTOR, rounds.median(SELECTOR, r -> r), "us");
      report.info("P7", LEADER, rounds.median(LEADER, r -> r), "us");
      Ratio ratio = rounds.ratio(LEADER, SELECTOR, r -> r);
      report.atMost("P7", "waking a leader / Selector.wakeup()", ratio, 0.5);
    }
  }

  /** A thread that sleeps, is woken, notes when and sleeps again. */
  private abstract static class Target implements AutoCloseable {
    /** When the thread ran after the last shot; 0 once that was taken notice of. */
    private volatile long ran;

    private volatile boolean over;
    private Thread thread;

    abstract void sleep() throws Exception;

    abstract void wake();

    abstract void release() throws Exception;

    void begin() {
      thread =
          EchoServer.daemon(
              "target",
              () -> {
                while (!over) {
                  sleep();
                  ran = System.nanoTime();
                }
              });
    }

    double median(int shots) {
      double[] times = new double[shots];
      for (int i = 0; i < shots; i++) {
        LockSupport.parkNanos(SETTLE_NANOS);
        ran = 0;
        long start = System.nanoTime();
        wake();
        long end;
        while ((end = ran) == 0) {
          Thread.onSpinWait();
        }
        times[i] = end - start;
      }
      return Ratio.medianOf(times);
    }

    @Override
    public void close() throws Exception {
      over = true;
      wake();
      thread.join();
      release();
    }
  }

  private static final class Leader extends Target {
    private final EventPoll poll = EventPoll.create();
    private final EventFd fd = EventFd.create();
    private final ReadyEvents ready = new ReadyEvents(1);

    Leader(Pipe.SourceChannel idle) {
      poll.add(ChannelSource.of(idle), Events.IN);
      poll.add(fd, Events.IN | Events.ET);
      begin();
    }

    @Override
    void sleep() throws InterruptedException {
      poll.await(ready);
    }

    @Override
    void wake() {
      fd.tryWrite(1);
    }

    @Override
    void release() {
      poll.close();
    }
  }

  private static final class Bare extends Target {
    private final Selector selector = Selector.open();

    Bare(Pipe.SourceChannel idle) throws Exception {
      idle.register(selector, SelectionKey.OP_READ);
      begin();
    }

    @Override
    void sleep() throws Exception {
      selector.select();
    }

    @Override
    void wake() {
      selector.wakeup();
    }

    @Override
    void release() throws Exception {
      selector.close();
    }
  }
}
