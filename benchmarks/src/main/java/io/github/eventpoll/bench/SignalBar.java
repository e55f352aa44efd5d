package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.netty.channel.epoll.Epoll;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/** P1: one thread signals, takes the event and reads; against one atomic read-modify-write. */
final class SignalBar implements Bars.Bar {
  private static final Map<LockKind, Double> LEVEL =
      Map.of(LockKind.SPIN, 12.0, LockKind.RWLOCK, 14.0, LockKind.LOCK_FREE, 6.5);

  @Override
  public void measure(Report report, boolean quick) {
    Pairs pairs = new Pairs(quick ? 9 : 25, quick ? 60_000_000L : 400_000_000L);
    LongUnaryOperator base = getAndAdd();
    report.info("P1", "getAndAdd", pairs.nanos(base), "ns");
    for (LockKind lock : LockKind.values()) {
      measure(report, pairs, base, Strategy.filtered(lock));
    }
    try (EventPoll poll = EventPoll.create();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      kernel(report, pairs, cycle(poll, fd, new ReadyEvents(16)));
    }
  }

  private static void measure(
      Report report, Pairs pairs, LongUnaryOperator base, Strategy strategy) {
    ReadyEvents ready = new ReadyEvents(16);
    boolean best = strategy.lock() == LockKind.LOCK_FREE;
    try (EventPoll level = strategy.poll();
        EventPoll edge = strategy.poll();
        EventFd levelFd = EventFd.create();
        EventFd edgeFd = EventFd.create()) {
      level.add(levelFd, Events.IN);
      edge.add(edgeFd, Events.IN | Events.ET);
      for (int i = 0; i < 3; i++) {
        System.gc(); // what is measured lives in the old generation, as in a server
      }
      report.atMost(
          "P1",
          strategy + " level: write, await, read / getAndAdd",
          pairs.timePerRound(cycle(level, levelFd, ready), base),
          LEVEL.get(strategy.lock()));
      Ratio edges = pairs.timePerRound(cycle(edge, edgeFd, ready), base);
      Ratio drains = pairs.timePerRound(drain(level, levelFd, ready), base);
      if (best) {
        report.atMost("P1", strategy + " edge: the same", edges, 11);
        report.atMost("P1", strategy + " drain: and await = 0", drains, 15);
      } else {
        report.info("P1", strategy + " edge: the same", edges, "");
        report.info("P1", strategy + " drain: and await = 0", drains, "");
      }
    }
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
