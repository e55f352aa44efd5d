package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.netty.channel.epoll.Epoll;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/** P1: one thread signals, takes the event and reads; against one atomic read-modify-write. */
final class SignalBar implements Bars.Bar {
  @Override
  public void measure(Report report, boolean quick) {
    Pairs pairs = new Pairs(quick ? 9 : 25, quick ? 100_000_000L : 400_000_000L);
    EventPoll level = EventPoll.create();
    EventFd levelFd = EventFd.create();
    level.add(levelFd, Events.IN);
    EventPoll edge = EventPoll.create();
    EventFd edgeFd = EventFd.create();
    edge.add(edgeFd, Events.IN | Events.ET);
    for (int i = 0; i < 3; i++) {
      System.gc(); // what is measured lives in the old generation, as in a server
    }
    ReadyEvents ready = new ReadyEvents(16);
    LongUnaryOperator base = getAndAdd();
    report.info("P1", "getAndAdd", pairs.nanos(base), "ns");
    report.atMost(
        "P1",
        "level: write, await, read / getAndAdd (spin)",
        pairs.timePerRound(cycle(level, levelFd, ready), base),
        12);
    report.info(
        "P1",
        "edge: write, await, read / getAndAdd (spin)",
        pairs.timePerRound(cycle(edge, edgeFd, ready), base),
        "");
    report.info(
        "P1",
        "drain: write, await = 1, read, await = 0 / getAndAdd (spin)",
        pairs.timePerRound(drain(level, levelFd, ready), base),
        "");
    kernel(report, pairs, cycle(level, levelFd, ready));
  }

  private static void kernel(Report report, Pairs pairs, LongUnaryOperator ours) {
    if (!Epoll.isAvailable()) {
      System.out.println("P1  no native epoll here: the comparison with the kernel is left out");
      return;
    }
    try (KernelCounter kernel = new KernelCounter()) {
      report.atLeast(
          "P1",
          "the same on the kernel's eventfd + epoll / ours",
          pairs.timePerRound(kernel::cycle, ours),
          100);
    }
  }

  static LongUnaryOperator getAndAdd() {
    AtomicLong counter = new AtomicLong();
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        sum ^= counter.getAndAdd(1);
      }
      return sum;
    };
  }

  private static LongUnaryOperator cycle(EventPoll poll, EventFd fd, ReadyEvents ready) {
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        fd.tryWrite(1);
        sum += poll.awaitNow(ready);
        sum += fd.tryRead();
      }
      require(sum, 2 * rounds);
      return sum;
    };
  }

  private static LongUnaryOperator drain(EventPoll poll, EventFd fd, ReadyEvents ready) {
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        fd.tryWrite(1);
        sum += poll.awaitNow(ready);
        sum += fd.tryRead();
        sum += poll.awaitNow(ready);
      }
      require(sum, 2 * rounds);
      return sum;
    };
  }

  private static void require(long sum, long expected) {
    if (sum != expected) {
      throw new IllegalStateException("expected " + expected + ", got " + sum);
    }
  }
}
