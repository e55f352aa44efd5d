package io.github.eventpoll.bench;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;

/** P8: what a million idle items cost in an await, in memory, and to add. */
final class ScaleBar implements Bars.Bar {
  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;

  @Override
  public void measure(Report report, boolean quick) {
    Pairs pairs = new Pairs(quick ? 9 : 25, quick ? 50_000_000L : 200_000_000L);
    EventFd[] sources = sources(MANY);
    report.atMost("P8", "bytes retained per item", bytesPerItem(sources), 128);
    addTimes(report, sources, quick ? 3 : 7);
    try (EventPoll few = filled(sources, FEW);
        EventPoll many = filled(sources, MANY)) {
      fixed(report, pairs, few, many);
      random(report, pairs, many, sources);
    }
    Reference.reachabilityFence(sources);
  }

  static EventFd[] sources(int count) {
    EventFd[] sources = new EventFd[count];
    for (int i = 0; i < count; i++) {
      sources[i] = EventFd.create();
    }
    return sources;
  }

  static EventPoll filled(EventFd[] sources, int count) {
    EventPoll poll = EventPoll.create();
    for (int i = 0; i < count; i++) {
      poll.add(sources[i], Events.IN);
    }
    return poll;
  }

  /** Of a poll with all of these. */
  static double bytesPerItem(EventFd[] sources) {
    long before = used();
    EventPoll poll = filled(sources, sources.length);
    long after = used();
    double bytes = (after - before) / (double) poll.size();
    poll.close();
    return bytes;
  }

  private static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void addTimes(Report report, EventFd[] sources, int rounds) {
    EventFd[] shuffled = sources.clone();
    Collections.shuffle(Arrays.asList(shuffled), new Random(7));
    double[] inOrder = new double[rounds];
    double[] outOfOrder = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      inOrder[i] = addMicros(sources);
      outOfOrder[i] = addMicros(shuffled);
    }
    report.atMost("P8", "add in order of creation, us", Ratio.of(inOrder), 0.8);
    report.atMost("P8", "add shuffled, us", Ratio.of(outOfOrder), 3);
  }

  private static double addMicros(EventFd[] sources) {
    System.gc();
    long start = System.nanoTime();
    EventPoll poll = filled(sources, sources.length);
    double micros = (System.nanoTime() - start) / 1e3 / sources.length;
    poll.close();
    return micros;
  }

  private static void fixed(Report report, Pairs pairs, EventPoll few, EventPoll many) {
    EventFd inFew = EventFd.create();
    EventFd inMany = EventFd.create();
    few.add(inFew, Events.IN);
    many.add(inMany, Events.IN);
    ReadyEvents ready = new ReadyEvents(16);
    report.atMost(
        "P8",
        "write, await, read of a fixed item among 1 M / among 1 k",
        pairs.timePerRound(
            rounds -> cycle(many, inMany, ready, rounds),
            rounds -> cycle(few, inFew, ready, rounds)),
        1.15);
  }

  /** Of one more item among those of a poll. */
  static double fixedNanos(Pairs pairs, EventPoll poll) {
    EventFd fd = EventFd.create();
    poll.add(fd, Events.IN);
    ReadyEvents ready = new ReadyEvents(16);
    return pairs.nanos(rounds -> cycle(poll, fd, ready, rounds));
  }

  private static long cycle(EventPoll poll, EventFd fd, ReadyEvents ready, long rounds) {
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
      fd.tryWrite(1);
      sum += poll.awaitNow(ready);
      fd.tryRead();
    }
    return sum;
  }

  private static void random(Report report, Pairs pairs, EventPoll many, EventFd[] sources) {
    double nanos = randomNanos(pairs, many, sources);
    report.atMost("P8", "write, await, read, await of a random item of 1 M, us", nanos / 1e3, 1.6);
  }

  /** Of any item of a poll, in no order that a processor could guess. */
  static double randomNanos(Pairs pairs, EventPoll poll, EventFd[] sources) {
    ReadyEvents ready = new ReadyEvents(16);
    Random random = new Random(3);
    int[] order = random.ints(1 << 16, 0, sources.length).toArray();
    return pairs.nanos(
        rounds -> {
          long sum = 0;
          for (long i = 0; i < rounds; i++) {
            EventFd fd = sources[order[(int) i & (order.length - 1)]];
            fd.tryWrite(1);
            sum += poll.awaitNow(ready);
            EpItem item = ready.item(0);
            sum += ((EventFd) item.source()).tryRead();
            poll.awaitNow(ready);
          }
          return sum;
        });
  }
}
