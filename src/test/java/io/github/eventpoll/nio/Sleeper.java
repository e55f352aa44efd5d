package io.github.eventpoll.nio;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * One thread that waits on a poll; whether it sleeps, and where, is read from the engine's dump.
 */
final class Sleeper {
  private static final long LIMIT_SECONDS = 30;
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** What a thread does on its poll. */
  interface Wait {
    int await(EventPoll poll, ReadyEvents ready) throws InterruptedException;
  }

  final Thread thread;
  private final EventPoll poll;
  private final String name = "sleeper-" + NUMBERS.incrementAndGet() + ";";
  private final CompletableFuture<List<String>> result = new CompletableFuture<>();

  private Sleeper(EventPoll poll, Wait wait, ThreadFactory factory) {
    this.poll = poll;
    thread = factory.newThread(() -> run(wait));
    thread.setName(name);
    thread.setDaemon(true);
    thread.start();
  }

  /** A thread that waits without limit, seen asleep. */
  static Sleeper on(EventPoll poll) {
    return on(poll, EventPoll::await);
  }

  static Sleeper on(EventPoll poll, Wait wait) {
    Sleeper sleeper = new Sleeper(poll, wait, Thread::new);
    sleeper.untilAsleep();
    return sleeper;
  }

  /** The same, not necessarily asleep yet. */
  static Sleeper started(EventPoll poll, Wait wait) {
    return new Sleeper(poll, wait, Thread::new);
  }

  static Sleeper started(EventPoll poll, Wait wait, ThreadFactory factory) {
    return new Sleeper(poll, wait, factory);
  }

  private void run(Wait wait) {
    try {
      ReadyEvents ready = new ReadyEvents(16);
      wait.await(poll, ready);
      result.complete(taken(ready));
    } catch (Throwable t) {
      result.completeExceptionally(t);
    }
  }

  /** The events of a batch, each as its attachment and bits. */
  static List<String> taken(ReadyEvents ready) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < ready.size(); i++) {
      all.add(ready.attachment(i) + " " + Events.toString(ready.events(i)));
    }
    return all;
  }

  /** Waits until the thread sleeps, parked or in a selector, and nobody has woken it. */
  void untilAsleep() {
    until(() -> isParked() || isSelecting(), this);
  }

  void untilSelecting() {
    until(this::isSelecting, this);
  }

  boolean isParked() {
    return poll.dump().contains(name + " parked\n");
  }

  boolean isSelecting() {
    return poll.dump().contains(name + " selecting\n");
  }

  boolean isDone() {
    return result.isDone();
  }

  /**
   * Interrupts the thread and waits until that is seen, and does so again now and then: up to Java
   * 21 or so, an interrupt that comes just as the thread enters its select may leave it asleep,
   * because {@link Thread#interrupt} looks whom to wake before it sets the status.
   */
  void interruptUntil(BooleanSupplier seen) {
    long start = System.nanoTime();
    int[] given = {0};
    until(
        () -> {
          if (given[0] > 0 && seen.getAsBoolean()) {
            return true;
          }
          if (System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(100L * given[0])) {
            given[0]++;
            thread.interrupt();
          }
          return false;
        },
        this);
  }

  /** What the thread returned with. */
  List<String> events() throws Exception {
    return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  static void until(BooleanSupplier condition, Object what) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("does not come about: " + what);
      }
      Thread.yield();
    }
  }

  @Override
  public String toString() {
    return name + " asleep in " + poll.dump();
  }
}
