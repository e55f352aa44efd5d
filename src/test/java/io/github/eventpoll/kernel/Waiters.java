package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The threads that a program has started, and when each of them has come to rest. */
final class Waiters {
  private static final long FAIL_SAFE_NANOS = 10_000_000_000L;

  /** The number of the events that end a program's waits. */
  static final long RELEASE = Long.MIN_VALUE;

  private final World world;

  /** Each poll with waiters has a counter of the harness's, whose event ends the waits. */
  private final Map<Integer, Integer> releases = new LinkedHashMap<>();

  private final List<WaiterThread> all = new ArrayList<>();
  private final List<WaiterThread> sleeping = new ArrayList<>();

  Waiters(World world) {
    this.world = world;
  }

  /** Must come before the first wait in a poll. */
  void prepareRelease(int poll) {
    if (!releases.containsKey(poll)) {
      int release = world.counter(0, false);
      releases.put(poll, release);
      world.add(poll, release, Events.IN, RELEASE);
    }
  }

  /** Starts a thread, and returns when it sleeps or is done. */
  void start(WaiterThread waiter) {
    all.add(waiter);
    waiter.start();
    rest(List.of(waiter));
    if (!waiter.isDone()) {
      sleeping.add(waiter);
    }
  }

  /** Waits until all are at rest; returns those that were not done before, sorted by name. */
  List<WaiterThread> settle() {
    rest(sleeping);
    List<WaiterThread> woken = new ArrayList<>(sleeping);
    woken.removeIf(waiter -> !waiter.isDone());
    sleeping.removeAll(woken);
    woken.sort((a, b) -> a.getName().compareTo(b.getName()));
    return woken;
  }

  /**
   * A thread that is done may have woken one that was seen asleep before; so everybody must be seen
   * at rest twice, and the same ones done.
   */
  private void rest(List<WaiterThread> waiters) {
    long start = System.nanoTime();
    for (long before = -1, now; ; before = now) {
      now = done(waiters);
      if (now >= 0 && now == before) {
        return;
      }
      if (System.nanoTime() - start > FAIL_SAFE_NANOS) {
        throw new IllegalStateException("not at rest in " + world + ": " + waiters);
      }
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  /** How many are done if all others sleep, else −1. */
  private long done(List<WaiterThread> waiters) {
    long done = 0;
    for (WaiterThread waiter : waiters) {
      if (waiter.isDone()) {
        done++;
      } else if (waiter.tid() == 0 || !world.isAsleep(waiter)) {
        return -1;
      }
    }
    return done;
  }

  /** Waits until one of them is done. */
  WaiterThread join(String name) {
    WaiterThread waiter = find(name);
    join(waiter);
    sleeping.remove(waiter);
    return waiter;
  }

  WaiterThread find(String name) {
    for (WaiterThread waiter : all) {
      if (waiter.getName().equals(name)) {
        return waiter;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** Ends every wait that goes on. */
  void release() {
    releases.values().forEach(counter -> world.write(counter, 1));
    all.forEach(this::join);
  }

  private void join(WaiterThread waiter) {
    try {
      waiter.join(WaiterThread.FAIL_SAFE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (waiter.isAlive()) {
      throw new IllegalStateException(waiter + " still waits in " + world);
    }
  }
}
