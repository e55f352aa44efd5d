package io.github.eventpoll.bench;

import com.sun.management.ThreadMXBean;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;

/** P9: bytes that the calling thread allocates per operation, in the steady state. */
final class AllocationBar implements Bars.Bar {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_UP = 200_000;
  private static final int ROUNDS = 200_000;

  // The measurement itself allocates a little, once.
  private static final double NOTHING = 0.01;

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    measure(report, Strategy.DEFAULT);
    for (Strategy strategy : Strategy.all()) {
      measure(report, strategy);
    }
    report.atMost("P9", "a blocking sleep, bytes", sleepBytes(), 64);
  }

  private static void measure(Report report, Strategy strategy) {
    try (EventPoll poll = strategy.poll();
        EventFd fd = EventFd.create();
        EventFd once = EventFd.create()) {
      EpItem item = poll.add(fd, Events.IN);
      ReadyEvents ready = new ReadyEvents(16);
      nothing(report, strategy + " signal, bytes", n -> signal(fd, n));
      nothing(
          report, strategy + " signal, await, read, await, bytes", n -> drain(poll, fd, ready, n));
      nothing(report, strategy + " modify, bytes", n -> modify(item, n));
      EpItem shot = poll.add(once, Events.IN | Events.ONESHOT);
      nothing(
          report,
          strategy + " one-shot: signal, await, read, re-arm, bytes",
          n -> rearm(poll, once, shot, ready, n));
    }
  }

  private static void nothing(Report report, String what, LongUnaryOperator loop) {
    report.atMost("P9", what, bytes(WARM_UP, ROUNDS, loop), NOTHING);
  }

  private static double bytes(int warmUp, int rounds, LongUnaryOperator loop) {
    Pairs.sink += loop.applyAsLong(warmUp);
    Pairs.sink += loop.applyAsLong(warmUp);
    long self = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(self);
    Pairs.sink += loop.applyAsLong(rounds);
    return (THREADS.getThreadAllocatedBytes(self) - before) / (double) rounds;
  }

  private static long signal(EventFd fd, long rounds) {
    for (long i = 0; i < rounds; i++) {
      fd.tryWrite(1);
    }
    return fd.tryRead();
  }

  private static long drain(EventPoll poll, EventFd fd, ReadyEvents ready, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      fd.tryWrite(1);
      sum += poll.awaitNow(ready);
      sum += fd.tryRead();
      sum += poll.awaitNow(ready);
    }
    return sum;
  }

  private static long modify(EpItem item, long rounds) {
    for (long i = 0; i < rounds; i++) {
      item.modify((i & 1) == 0 ? Events.IN : Events.IN | Events.OUT);
    }
    item.modify(Events.IN);
    return item.interest();
  }

  private static long rearm(
      EventPoll poll, EventFd fd, EpItem shot, ReadyEvents ready, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      fd.tryWrite(1);
      sum += poll.awaitNow(ready);
      sum += fd.tryRead();
      shot.modify(Events.IN | Events.ONESHOT);
    }
    return sum;
  }

  /** Two threads that wake each other, so that nearly every wait sleeps. */
  private static double sleepBytes() throws Exception {
    int rounds = 20_000;
    try (EventPoll ping = EventPoll.create();
        EventPoll pong = EventPoll.create()) {
      EventFd toPing = EventFd.create();
      EventFd toPong = EventFd.create();
      ping.add(toPing, Events.IN);
      pong.add(toPong, Events.IN);
      int all = 3 * rounds;
      Thread other =
          new Thread(
              () -> {
                ReadyEvents ready = new ReadyEvents(1);
                for (int i = 0; i < all; i++) {
                  pong.awaitUninterruptibly(ready);
                  toPong.tryRead();
                  toPing.tryWrite(1);
                }
              });
      other.start();
      ReadyEvents ready = new ReadyEvents(1);
      double bytes =
          bytes(
              rounds,
              rounds,
              n -> {
                long sum = 0;
                for (long i = 0; i < n; i++) {
                  toPong.tryWrite(1);
                  sum += ping.awaitUninterruptibly(ready);
                  toPing.tryRead();
                }
                return sum;
              });
      other.join();
      return bytes;
    }
  }
}
