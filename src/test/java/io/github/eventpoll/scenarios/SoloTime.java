package io.github.eventpoll.scenarios;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.Polls;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.internal.SourceDoor;
import io.github.eventpoll.source.Timer;

/**
 * Time for tests with one thread: a sleep takes no time and moves the clock to its end. A sleep
 * that nothing would end fails the test, because that is a lost event.
 */
public final class SoloTime {
  private final SoloClock clock = new SoloClock();

  /** A poll that lives by this time. */
  public EventPoll poll() {
    return poll(Polls.builder());
  }

  /** A poll that lives by this time, with other settings. */
  public EventPoll poll(EventPollBuilder settings) {
    Bridge.get().seams(settings, clock, null);
    return settings.build();
  }

  /** A timer that lives by this time, not set. */
  public Timer timer() {
    return (Timer) SourceDoor.get().timer(clock);
  }

  /** Nanoseconds slept through so far. */
  public long passed() {
    return clock.now();
  }

  /** How many times a thread has gone to sleep. */
  public int sleeps() {
    return clock.sleeps;
  }

  private static final class SoloClock extends Clock implements Sleeper {
    private long now;
    private int sleeps;

    SoloClock() {
      super(0);
    }

    @Override
    public long raw() {
      return now;
    }

    @Override
    public Sleeper sleeper() {
      return this;
    }

    @Override
    public void park(Object blocker, long deadline) {
      sleeps++;
      if (deadline == NEVER) {
        throw new AssertionError("sleeps for ever in " + blocker);
      }
      now = Math.max(now, deadline);
    }

    @Override
    public void unpark(Thread thread) {}
  }
}
