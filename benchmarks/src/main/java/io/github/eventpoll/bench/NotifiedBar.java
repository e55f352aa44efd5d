package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Stats;
import io.github.eventpoll.source.EventFd;
import java.util.function.LongUnaryOperator;

/**
 * P3, the notified fast path: a write to a counter whose level-triggered item is queued already,
 * against one atomic read-modify-write; and what counting costs.
 */
final class NotifiedBar implements Bars.Bar {
  private static final int WRITES = 1000;

  @Override
  public void measure(Report report, boolean quick) {
    Pairs pairs = new Pairs(quick ? 9 : 25, quick ? 60_000_000L : 400_000_000L);
    LongUnaryOperator base = SignalBar.getAndAdd();
    for (LockKind lock : LockKind.values()) {
      Strategy with = Strategy.filtered(lock);
      Strategy without = new Strategy(lock, true, false);
      report.atMost(
          "P3", with + " queued write / getAndAdd", queued(pairs, with, false, base), 1.5);
      report.info(
          "P3", without + " queued write / getAndAdd", queued(pairs, without, false, base), "");
      report.info("P3", with + " queued write, counting", queued(pairs, with, true, base), "");
      report.atMost("P3", with + " locks and wakes per queued write", locksAndWakes(with), 0);
    }
  }

  private static Ratio queued(
      Pairs pairs, Strategy strategy, boolean counting, LongUnaryOperator base) {
    try (EventPoll poll = strategy.builder().countStats(counting).build();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      fd.tryWrite(1);
      return pairs.timePerRound(writes(fd), base);
    }
  }

  private static LongUnaryOperator writes(EventFd fd) {
    return rounds -> {
      long written = 0;
      for (long i = 0; i < rounds; i++) {
        written += fd.tryWrite(1) ? 1 : 0;
      }
      return written;
    };
  }

  private static double locksAndWakes(Strategy strategy) {
    try (EventPoll poll = strategy.builder().countStats(true).build();
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      fd.tryWrite(1);
      Stats stats = poll.stats();
      long before = stats.locksTaken() + stats.waitersWoken() + stats.watchersWoken();
      for (int i = 0; i < WRITES; i++) {
        fd.tryWrite(1);
      }
      long after = stats.locksTaken() + stats.waitersWoken() + stats.watchersWoken();
      return (after - before) / (double) WRITES;
    }
  }
}
