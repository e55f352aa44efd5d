package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.internal.SourceDoor;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that stands still until a test moves it. Threads that wait on a poll made here really sleep;
 * their deadlines, and those of timers made on this time, come when {@link #advance} has reached
 * them, however long that takes. Any thread may call everything.
 *
 * @since 0.1
 */
public final class VirtualTime {
  private final AtomicLong raw;
  private final Time clock;

  private VirtualTime(long start) {
    raw = new AtomicLong(start);
    clock = new Time(start);
  }

  /**
   * Makes a time at 0.
   *
   * @return a new time
   */
  public static VirtualTime create() {
    return startingAt(0);
  }

  /**
   * Makes a time whose counter starts somewhere, for instance shortly before it wraps.
   *
   * @param nanos what {@link #nanoTime()} shows first
   * @return a new time
   */
  public static VirtualTime startingAt(long nanos) {
    return new VirtualTime(nanos);
  }

  /**
   * Makes a poll that lives by this time.
   *
   * @return a new poll
   */
  public EventPoll poll() {
    return poll(EventPoll.builder());
  }

  /**
   * Makes a poll that lives by this time, with other settings.
   *
   * @param settings the settings
   * @return a new poll
   */
  public EventPoll poll(EventPollBuilder settings) {
    Bridge.get().seams(settings, clock, null);
    return settings.build();
  }

  /** A poll that lives by this time and shows its steps to a probe. */
  EventPoll poll(Probe probe) {
    EventPollBuilder settings = EventPoll.builder();
    Bridge.get().seams(settings, clock, probe);
    return settings.build();
  }

  /**
   * Makes a timer that lives by this time. Only polls made here can watch it.
   *
   * @return a new timer, not set
   */
  public Timer timer() {
    return (Timer) SourceDoor.get().timer(clock);
  }

  /**
   * The present reading, as {@link System#nanoTime()} would show it.
   *
   * @return nanoseconds from anywhere; may wrap
   */
  public long nanoTime() {
    return raw.get();
  }

  /**
   * Moves time on, and wakes the threads whose deadlines it has reached: when this returns none of
   * them sleeps towards such a deadline any more.
   *
   * @param by how far; not negative
   * @throws IllegalArgumentException if negative
   */
  public void advance(Duration by) {
    advanceNanos(by.toNanos());
  }

  /**
   * Moves time on by nanoseconds; otherwise as {@link #advance}.
   *
   * @param nanos how far; not negative
   * @throws IllegalArgumentException if negative
   */
  public void advanceNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("time does not go back: " + nanos);
    }
    raw.addAndGet(nanos);
    clock.wakeDue();
  }

  /** The seam, for sources on this time. */
  Clock clock() {
    return clock;
  }

  private final class Time extends Clock implements Sleeper {
    // Lock-free, so that nobody parks in it and uses up a permit (KR-2).
    private final ConcurrentMap<Thread, Long> deadlines = new ConcurrentHashMap<>();

    Time(long origin) {
      super(origin);
    }

    @Override
    public long raw() {
      return raw.get();
    }

    @Override
    public Sleeper sleeper() {
      return this;
    }

    @Override
    public void park(Object blocker, long deadline) {
      if (deadline == NEVER) {
        LockSupport.park(blocker);
        return;
      }
      Thread self = Thread.currentThread();
      deadlines.put(self, deadline); // visible, then time is read: advance does the reverse
      try {
        if (now() < deadline) {
          LockSupport.park(blocker);
        }
      } finally {
        deadlines.remove(self);
      }
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }

    /** Ends the sleeps that are over and returns when they have ended. */
    @SuppressWarnings("ThreadPriorityCheck") // those waited for can run: nothing else to wait on
    void wakeDue() {
      long now = now();
      deadlines.forEach(
          (thread, deadline) -> {
            if (deadline <= now) {
              LockSupport.unpark(thread);
            }
          });
      while (deadlines.values().stream().anyMatch(deadline -> deadline <= now)) {
        Thread.yield();
      }
    }
  }
}
