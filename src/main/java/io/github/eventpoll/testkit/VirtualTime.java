package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SourceDoor;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.Objects;

/**
 * Time that stands still until a test moves it. Threads that wait on a poll made here really sleep;
 * their deadlines, and those of timers made on this time, come when {@link #advance} has reached
 * them, however long that takes. Any thread may call everything.
 *
 * <p>A test with one thread has nobody who could move the time while that thread waits. It uses
 * {@link #singleThreaded()}: there, a sleep itself moves the time to its end, and takes none.
 *
 * <p>{@link #at} gives either kind things to do on the way.
 *
 * <p>Memory consistency effects: what a thread did before it moved the time is visible to the
 * threads whose deadlines have come by it.
 *
 * @since 0.1
 */
public final class VirtualTime {
  private final VirtualClock clock;

  private VirtualTime(VirtualClock clock) {
    this.clock = clock;
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
    return new VirtualTime(new VirtualClock(nanos));
  }

  /**
   * Makes a time at 0 for tests with one thread: a thread that would sleep moves the time on to its
   * deadline, or to the next thing to do {@linkplain #at at some time}, does that, and goes on. One
   * that would sleep for ever gets an {@link AssertionError} instead, with what its poll looks
   * like: nothing in this test can wake it.
   *
   * <p>With more threads, each moves the time for all; and one that another thread would have woken
   * gets the error. So use {@link #create()} then.
   *
   * @return a new time
   */
  public static VirtualTime singleThreaded() {
    return new VirtualTime(new VirtualClock.SelfMoving(0));
  }

  /**
   * Makes a poll that lives by this time. It refuses (EINVAL) what lives by another one: timers
   * that were not made here, and channels, except those of a {@link ScriptedDriver} on this time.
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
    return clock.raw();
  }

  /**
   * How far this time has moved since it was made.
   *
   * @return the sum of what it was moved by
   */
  public Duration elapsed() {
    return Duration.ofNanos(clock.now());
  }

  /**
   * Moves time on, and wakes the threads whose deadlines it has reached: when this returns none of
   * them sleeps towards such a deadline any more. What is to be done {@linkplain #at at some time}
   * on the way is done by the calling thread, in order, each at its time.
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
    clock.advance(nanos);
  }

  /**
   * Has something done once time has moved so far from now: by the thread that moves it, which
   * holds no lock of the library then. Of several things at one time the one that was asked for
   * first is done first.
   *
   * @param in how far from now; nothing is done before the next move, even for zero
   * @param action what to do; what it throws comes out where time was moved
   * @throws IllegalArgumentException if negative
   */
  public void at(Duration in, Runnable action) {
    Objects.requireNonNull(action, "action");
    if (in.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + in);
    }
    clock.agree(in.toNanos(), action);
  }

  /** The seam, for sources on this time. */
  Clock clock() {
    return clock;
  }
}
