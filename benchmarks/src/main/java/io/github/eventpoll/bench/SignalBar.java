package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/** P1: one thread signals, takes the event and reads; against one atomic read-modify-write. */
final class SignalBar implements Bars.Bar {
  @Override
  public void measure(Report report, boolean quick) {
    Pairs pairs = new Pairs(quick ? 9 : 15, quick ? 60_000_000L : 200_000_000L);
    LongUnaryOperator base = getAndAdd();
    report.info("P1", "getAndAdd", pairs.nanos(base), "ns");
    for (Strategy strategy : Strategy.paths()) {
      measure(report, pairs, base, strategy);
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
    try (EventPoll level = strategy.poll();
        EventPoll edge = strategy.poll();
        EventFd levelFd = EventFd.create();
        EventFd edgeFd = EventFd.create()) {
      level.add(levelFd, Events.IN);
      edge.add(edgeFd, Events.IN | Events.ET);
      for (int i = 0; i < 3; i++) {
        System.gc(); // what is measured lives in the old generation, as in a server
      }
      Ratio levels = pairs.timePerRound(cycle(level, levelFd, ready), base);
      Ratio edges = pairs.timePerRound(cycle(edge, edgeFd, ready), base);
      Ratio drains = pairs.timePerRound(drain(level, levelFd, ready), base);
      report(report, strategy, levels, edges, drains);
      report.info("P1", strategy + " level", pairs.nanos(cycle(level, levelFd, ready)), "ns");
    }
  }

  private static void report(
      Report report, Strategy strategy, Ratio levels, Ratio edges, Ratio drains) {
    String level = strategy + " level: write, await, read / getAndAdd";
    String edge = strategy + " edge: the same";
    String drain = strategy + " drain: and await = 0";
    if (strategy.lock() == null) {
      report.atMost("P1", level, levels, 6.5);
      report.atMost("P1", edge, edges, 11);
      report.atMost("P1", drain, drains, 15);
      return;
    }
    switch (strategy.lock()) {
      case SPIN -> report.atMost("P1", level, levels, 12);
      case RWLOCK -> report.atMost("P1", level, levels, 14);
      default -> report.info("P1", level, levels, "");
    }
    report.info("P1", edge, edges, "");
    report.info("P1", drain, drains, "");
  }

  private static void kernel(Report report, Pairs pairs, LongUnaryOperator ours) {
    if (!KernelEngine.isAvailable()) {
      System.out.println("P1  no native epoll here: the comparison with the kernel is left out");
      return;
    }
    Engine kernel = new KernelEngine();
    Engine.Poll poll = kernel.poll();
    Engine.Counter counter = kernel.counter();
    poll.add(counter, Events.IN);
    report.atLeast(
        "P1",
        "the same on the kernel's eventfd + epoll / ours",
        pairs.timePerRound(cycle(poll.waiter(16), counter), ours),
        100);
    kernel.close();
  }

  private static LongUnaryOperator cycle(Engine.Waiter waiter, Engine.Counter counter) {
    return rounds -> {
      long sum = 0;
      for (long i = 0; i < rounds; i++) {
        counter.write();
        sum += waiter.await(false);
        sum += counter.read();
      }
      require(sum, 2 * rounds);
      return sum;
    };
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
