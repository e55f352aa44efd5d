package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;

/**
 * Runs every kind of source through the engine first, so that the compiler sees call sites as they
 * are in a program that uses more than one kind, and not a benchmark with one.
 */
final class CallSites {
  private static final int ROUNDS = 20_000;

  private CallSites() {}

  static void pollute() throws InterruptedException {
    for (LockKind lock : LockKind.values()) {
      pollute(Strategy.filtered(lock));
    }
  }

  private static void pollute(Strategy strategy) throws InterruptedException {
    try (EventPoll outer = strategy.poll();
        EventPoll poll = strategy.poll();
        EventFd counter = EventFd.create();
        EventFd semaphore = EventFd.semaphore(0);
        Timer timer = Timer.create()) {
      QueueSource<Integer> queue = QueueSource.unbounded();
      Level level = new Level();
      outer.add(poll, Events.IN);
      poll.add(counter, Events.IN | Events.ET);
      poll.add(semaphore, Events.IN | Events.EXCLUSIVE);
      poll.add(timer, Events.IN);
      poll.add(queue, Events.IN);
      poll.add(level, Events.IN | Events.OUT);
      ReadyEvents ready = new ReadyEvents(8);
      for (int i = 0; i < ROUNDS; i++) {
        counter.tryWrite(1);
        semaphore.tryWrite(1);
        timer.set(Duration.ofNanos(1));
        queue.offer(i);
        level.set((i & 1) == 0 ? Events.IN : 0);
        if (i % 16 == 0) {
          outer.awaitNow(ready);
        }
        poll.awaitNow(ready);
        counter.tryRead();
        semaphore.tryRead();
        timer.tryRead();
        queue.poll();
        poll.awaitNow(ready);
      }
    }
  }

  /** A source with plain state, as a user might write one. */
  private static final class Level implements Pollable {
    private final WaitQueue waitQueue = new WaitQueue();
    private int bits;

    void set(int newBits) {
      bits = newBits;
      waitQueue.wake(newBits);
    }

    @Override
    public int readiness() {
      return bits;
    }

    @Override
    public WaitQueue waitQueue() {
      return waitQueue;
    }
  }
}
