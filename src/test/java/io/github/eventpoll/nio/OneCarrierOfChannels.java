package io.github.eventpoll.nio;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program for a Java whose virtual threads share one carrier thread: it ends with status 0 only
 * if no wait for channels keeps the carrier from the others. Started by {@link VirtualThreadsTest}.
 */
final class OneCarrierOfChannels {
  private static final ThreadFactory VIRTUAL = virtualThreads();

  private OneCarrierOfChannels() {}

  /** Runs all parts and says so after each. */
  public static void main(String[] args) throws Exception {
    aSleeperLetsOthersRun();
    System.out.println("one sleeper: done");
    handToAndFro(200);
    System.out.println("to and fro: done");
    manyWaiters(20, 500);
    System.out.println("many waiters: done");
    System.exit(0);
  }

  private static ThreadFactory virtualThreads() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      return (ThreadFactory) type.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("no virtual threads in Java " + Runtime.version(), e);
    }
  }

  private static Pipe pipe() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    return pipe;
  }

  private static void aSleeperLetsOthersRun() throws Exception {
    Pipe pipe = pipe();
    EventPoll poll = Polls.create();
    poll.add(ChannelSource.of(pipe.source()), Events.IN, "p");
    Sleeper sleeper = Sleeper.started(poll, EventPoll::await, VIRTUAL);
    if (Runtime.version().feature() >= 24) {
      sleeper.untilSelecting();
    } else {
      Sleeper.until(sleeper::isParked, sleeper); // it would hold its carrier: the helper leads
    }
    Sleeper writer =
        Sleeper.started(
            poll,
            (ignored, batch) -> {
              write(pipe);
              return 0;
            },
            VIRTUAL);
    writer.events();
    require(sleeper.events().equals(List.of("p IN")));
    poll.close();
  }

  /** Two virtual threads, each with a poll and a selector, hand a byte to and fro. */
  private static void handToAndFro(int rounds) throws Exception {
    Pipe there = pipe();
    Pipe back = pipe();
    EventPoll one = Polls.create();
    EventPoll two = Polls.create();
    Sleeper first =
        Sleeper.started(one, (poll, to) -> pass(poll, to, there, back, rounds), VIRTUAL);
    Sleeper second =
        Sleeper.started(two, (poll, to) -> pass(poll, to, back, there, rounds), VIRTUAL);
    write(there);
    first.events();
    second.events();
  }

  private static int pass(EventPoll poll, ReadyEvents batch, Pipe from, Pipe to, int rounds)
      throws InterruptedException {
    ChannelSource source = ChannelSource.of(from.source());
    poll.add(source, Events.IN);
    for (int i = 0; i < rounds; i++) {
      require(poll.await(batch) == 1);
      read(source);
      write(to);
    }
    poll.close();
    return 0;
  }

  /** Many virtual threads wait on one poll, and one leads at a time. */
  private static void manyWaiters(int threads, int messages) throws Exception {
    EventPoll poll = Polls.create();
    List<Pipe> pipes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      pipes.add(pipe());
      poll.add(ChannelSource.of(pipes.get(i).source()), Events.IN | Events.ONESHOT, i);
    }
    AtomicInteger seen = new AtomicInteger();
    List<Sleeper> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Sleeper.started(poll, (own, batch) -> work(own, batch, seen, messages), VIRTUAL));
    }
    for (int i = 0; i < messages; i++) {
      write(pipes.get(i % 4));
    }
    for (Sleeper worker : workers) {
      worker.events();
    }
    require(seen.get() == messages);
    poll.close();
  }

  private static int work(EventPoll poll, ReadyEvents batch, AtomicInteger seen, int messages)
      throws InterruptedException {
    while (seen.get() < messages) {
      int found = poll.await(batch);
      for (int i = 0; i < found; i++) {
        seen.addAndGet(read((ChannelSource) batch.source(i)));
        batch.item(i).modify(Events.IN | Events.ONESHOT);
      }
      if (seen.get() >= messages) {
        poll.wakeupAll();
        poll.wakeup(); // for one that is just about to sleep; it does the same
      }
    }
    poll.wakeup();
    return 0;
  }

  private static void write(Pipe to) {
    try {
      require(to.sink().write(ByteBuffer.allocate(1)) == 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int read(ChannelSource from) {
    try {
      return from.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }
}
