package io.github.eventpoll;

import io.github.eventpoll.internal.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a test: started by name, seen asleep through the engine's own state, joined within
 * a fail-safe limit. Time plays no part: {@link #settle} tells that nothing will happen any more
 * without something new from outside.
 *
 * <p>Used in try-with-resources, inside which the polls are open: {@link #close} interrupts whoever
 * still waits and fails if a thread is left behind.
 */
final class Waiters implements AutoCloseable {
  /** Long enough for any machine; reached only by a test that fails. */
  static final Duration FAIL_SAFE = Duration.ofSeconds(60);

  private final ThreadFactory factory;
  private final List<Wait> waits = new ArrayList<>();

  Waiters() {
    this(Thread::new);
  }

  /** With other threads than platform threads; the factory makes them unstarted. */
  Waiters(ThreadFactory factory) {
    this.factory = factory;
  }

  // ------------------------------------------------------------------------------- starting

  /** Starts a thread. */
  Wait start(String name, Callable<Integer> body) {
    return begin(new Wait(name, 0, wait -> body.call()));
  }

  /** Starts a thread that awaits one event without limit of time. */
  Wait await(EventPoll poll) {
    return await(poll, 1);
  }

  /** Starts a thread that awaits up to {@code max} events without limit of time. */
  Wait await(EventPoll poll, int max) {
    return begin(new Wait("await", max, wait -> poll.await(wait.events())));
  }

  /** Starts a thread that awaits one event for a time. */
  Wait await(EventPoll poll, Duration timeout) {
    return begin(new Wait("await timed", 1, wait -> poll.await(wait.events(), timeout)));
  }

  /** Starts a thread that awaits one event through interrupts. */
  Wait awaitUninterruptibly(EventPoll poll) {
    return begin(new Wait("uninterruptible", 1, wait -> poll.awaitUninterruptibly(wait.events())));
  }

  /** Starts a thread that waits on one source as poll(2) does; no timeout for null. */
  Wait awaitOne(Pollable source, int mask, @Nullable Duration timeout) {
    return begin(new Wait("poll", 0, wait -> EventPoll.awaitOne(source, mask, timeout)));
  }

  /** Starts as many threads, each awaiting one event without limit, and sees all asleep. */
  List<Wait> awaiting(EventPoll poll, int threads) {
    int before = asleep(poll);
    List<Wait> started = new ArrayList<>();
    for (int i = 1; i <= threads; i++) {
      Wait wait = await(poll);
      started.add(wait);
      int expected = before + i; // one after the other, so that the order is known
      until(() -> asleep(poll) == expected || wait.isDone(), () -> "asleep: " + wait);
      if (wait.isDone()) {
        throw new AssertionError("should sleep: " + wait + ", " + poll.dump());
      }
    }
    return started;
  }

  private Wait begin(Wait wait) {
    waits.add(wait);
    wait.thread.start();
    return wait;
  }

  // ------------------------------------------------------------------------------- observing

  /** How many threads sleep in await on a poll: parked, not chosen, no kick on its way. */
  static int asleep(EventPoll poll) {
    int asleep = 0;
    for (Waiter waiter : poll.sleepers.snapshot()) {
      asleep += isAsleep(waiter) ? 1 : 0;
    }
    return asleep;
  }

  /** How many threads sleep in awaitOne on a source. */
  static int asleepOn(Pollable source) {
    int asleep = 0;
    for (WaitEntry entry : source.waitQueue().snapshot()) {
      asleep += entry instanceof OneWaiter one && isAsleep(one) ? 1 : 0;
    }
    return asleep;
  }

  private static boolean isAsleep(Waiter waiter) {
    // A kick shows in the text only: the engine itself never needs to ask.
    return waiter.isAsleep();
  }

  private static boolean isAsleep(OneWaiter waiter) {
    return waiter.waiter.isAsleep();
  }

  /** Returns once exactly so many threads sleep in await on a poll. */
  static void awaitAsleep(EventPoll poll, int threads) {
    until(() -> asleep(poll) == threads, () -> threads + " asleep on " + poll.dump());
  }

  /** Returns once exactly so many threads sleep in awaitOne on a source. */
  static void awaitAsleepOn(Pollable source, int threads) {
    until(() -> asleepOn(source) == threads, () -> threads + " asleep on " + source);
  }

  /** Returns once a condition is true; fails after the fail-safe limit. */
  static void until(BooleanSupplier condition, Callable<String> what) {
    long end = System.nanoTime() + FAIL_SAFE.toNanos();
    for (int i = 0; !condition.getAsBoolean(); i++) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + FAIL_SAFE + ": " + text(what));
      }
      if (i < 100) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(50_000);
      }
    }
  }

  private static String text(Callable<String> what) {
    try {
      return what.call();
    } catch (Exception e) {
      return e.toString();
    }
  }

  /**
   * Returns once every thread has returned or sleeps in the engine with nobody left to wake it:
   * what has not happened by then will not happen.
   *
   * <p>Two looks must agree. Everybody asleep in both slept all the time between them, and who has
   * returned chooses nobody any more: so there was a moment with nobody running.
   *
   * <p>An interrupt, and time that a test moves, reach a thread without being seen here: whoever
   * must return because of one is asked for its {@link Wait#result} or {@link Wait#failure} first.
   */
  void settle() {
    until(this::isSettled, this::toString);
  }

  private boolean isSettled() {
    Set<Object> first = sleepingPlaces();
    return first != null && first.equals(sleepingPlaces());
  }

  /** Where each unfinished thread sleeps; null if one of them does not. */
  private @Nullable Set<Object> sleepingPlaces() {
    Set<Object> places = new HashSet<>();
    for (Wait wait : waits) {
      if (wait.isDone()) {
        continue;
      }
      Object place = placeOf(wait.thread);
      if (place == null) {
        return null;
      }
      places.add(place);
    }
    return places;
  }

  private static @Nullable Object placeOf(Thread thread) {
    if (thread.isInterrupted()) {
      return null; // it is on its way, though it may not have noticed yet
    }
    Object blocker = LockSupport.getBlocker(thread);
    Seat seat = blocker instanceof Driver driver ? (Seat) driver.seat() : null;
    if (seat == null && blocker instanceof Seat inTheLastFraction) {
      seat = inTheLastFraction;
    }
    if (seat != null) {
      Waiter leader = seat.leader();
      return leader != null && leader.thread == thread && isAsleep(leader) ? leader : null;
    }
    if (LockSupport.getBlocker(thread) instanceof Pollable source) {
      if (source instanceof EventPoll poll) {
        for (Waiter waiter : poll.sleepers.snapshot()) {
          if (waiter.thread == thread && isAsleep(waiter)) {
            return waiter;
          }
        }
      }
      for (WaitEntry entry : source.waitQueue().snapshot()) {
        if (entry instanceof OneWaiter one && one.waiter.thread == thread && isAsleep(one)) {
          return one;
        }
      }
    }
    return null;
  }

  /** How many threads have returned so far, in whatever way. */
  int returned() {
    return (int) waits.stream().filter(Wait::isDone).count();
  }

  /** How many threads have returned with a result above 0 so far; fails if one has thrown. */
  int served() {
    int served = 0;
    for (Wait wait : waits) {
      served += wait.isDone() && wait.result() > 0 ? 1 : 0;
    }
    return served;
  }

  /** Waits for all threads; fails if one has thrown. */
  void join() {
    waits.forEach(Wait::result);
  }

  // --------------------------------------------------------------------------------- ending

  /** Interrupts whoever still waits, until nobody does. */
  @Override
  public void close() {
    long end = System.nanoTime() + FAIL_SAFE.toNanos();
    for (Wait wait : waits) {
      while (wait.thread.isAlive()) {
        wait.thread.interrupt();
        wait.join(Duration.ofMillis(20));
        if (System.nanoTime() - end > 0) {
          throw new AssertionError("left behind: " + wait + " at " + stackOf(wait.thread));
        }
      }
    }
  }

  private static String stackOf(Thread thread) {
    return List.of(thread.getStackTrace()).toString();
  }

  @Override
  public String toString() {
    return waits.toString();
  }

  /** What a thread does; gets the batch and the name from its {@link Wait}. */
  @FunctionalInterface
  interface Body {
    int run(Wait wait) throws Exception;
  }

  /** One thread and what became of it. */
  final class Wait implements Runnable {
    final Thread thread;
    private final @Nullable ReadyEvents events;
    private final Body body;
    private volatile boolean done;
    private volatile int result;
    private volatile @Nullable Throwable failure;
    private volatile boolean interruptedAtEnd;

    private Wait(String name, int max, Body body) {
      this.events = max > 0 ? new ReadyEvents(max) : null;
      this.body = body;
      thread = factory.newThread(this);
      thread.setName(name + "-" + (waits.size() + 1));
    }

    @Override
    public void run() {
      try {
        result = body.run(this);
      } catch (Throwable e) {
        failure = e;
      } finally {
        interruptedAtEnd = Thread.currentThread().isInterrupted();
        done = true;
      }
    }

    /** True once the call has returned or thrown. */
    boolean isDone() {
      return done;
    }

    /** Waits for the thread and returns what its call returned; fails if it threw. */
    int result() {
      finish();
      Throwable thrown = failure;
      if (thrown != null) {
        throw new AssertionError(this + " threw", thrown);
      }
      return result;
    }

    /** Waits for the thread and returns what its call threw; fails if it returned. */
    Throwable failure() {
      finish();
      Throwable thrown = failure;
      if (thrown == null) {
        throw new AssertionError(this + " returned " + result);
      }
      return thrown;
    }

    /** Waits for the thread; true if it was interrupted when its call returned or threw. */
    boolean interruptedAtEnd() {
      finish();
      return interruptedAtEnd;
    }

    /** The batch; filled once the thread is done. */
    ReadyEvents events() {
      ReadyEvents batch = events;
      if (batch == null) {
        throw new AssertionError("no batch: " + this);
      }
      return batch;
    }

    /** The source of the only event. */
    Pollable source() {
      if (result() != 1) {
        throw new AssertionError("not one event: " + this);
      }
      return events().source(0);
    }

    private void finish() {
      join(FAIL_SAFE);
      if (!done) {
        throw new AssertionError("not within " + FAIL_SAFE + ": " + this + stackOf(thread));
      }
    }

    private void join(Duration limit) {
      try {
        thread.join(limit.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError("the test was interrupted", e);
      }
    }

    @Override
    public String toString() {
      Throwable thrown = failure;
      return thread.getName()
          + (!done ? " running" : thrown == null ? " returned " + result : " threw " + thrown);
    }
  }
}
