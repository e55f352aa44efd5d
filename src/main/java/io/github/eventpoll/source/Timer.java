package io.github.eventpoll.source;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.SourceDoor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * A timer that can be waited on, with the semantics of timerfd_create(2): it counts its
 * expirations, and a read takes the count.
 *
 * <p>Ready for {@link Events#IN} while the count is not 0. Setting the timer clears the count
 * without an event. An expiry is one edge. A periodic timer that has expired is not armed again
 * before it is read, or {@link #remaining()} is called: these account the periods that have passed
 * meanwhile, and the next expiry, on the original grid, is an edge again. So an edge-triggered item
 * on a periodic timer that nobody reads gets exactly one event, and a period of a nanosecond costs
 * no more than one of a day.
 *
 * <p>There is no thread behind a timer. The threads that wait on the polls it is registered with,
 * or in {@link #read()}, keep its time; while there are none, it expires when the next one looks,
 * or is read. It never expires early by {@link System#nanoTime()}. A time too far to be reckoned in
 * 64 bits of nanoseconds never comes.
 *
 * <p>Any thread may call everything; no lock is taken.
 *
 * <p>Memory consistency effects: what a thread did before it set the timer is visible to the thread
 * that reads an expiry of this setting, or gets the event from an {@code await}.
 *
 * @since 0.1
 */
public final class Timer implements Pollable, AutoCloseable {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Timer.class, "state", TimerState.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    Opening.open();
  }

  private final Clock clock;
  private final WaitQueue queue;

  /** Every change is one CAS or exchange: MO-EXPIRE-1. Read volatile: MO-TIMER-1, MO-ADD-1. */
  private volatile TimerState state = TimerState.disarmed(0);

  private Timer(Clock clock) {
    this.clock = clock;
    this.queue = (WaitQueue) Bridge.get().queueWithDemand(new TimeKeeping());
  }

  /**
   * Makes a timer that is not set, on the time of {@link System#nanoTime()}.
   *
   * @return a new timer
   */
  public static Timer create() {
    return new Timer(Clock.system());
  }

  // ---------------------------------------------------------------------------------- setting

  /**
   * Sets the timer to expire once; otherwise as {@link #set(Duration, Duration)}.
   *
   * @param initial how long from now; zero disarms the timer
   */
  public void set(Duration initial) {
    set(initial, Duration.ZERO);
  }

  /**
   * Sets the timer, whatever it was set to before (Linux: timerfd_settime(2)). The count is
   * cleared.
   *
   * @param initial how long from now to the first expiry; zero disarms the timer
   * @param interval the period from then on; zero for a single expiry
   * @throws IllegalArgumentException if a duration is negative
   * @throws IllegalStateException if the timer is closed
   */
  public void set(Duration initial, Duration interval) {
    long delay = Durations.requireNotNegative(initial, "the time to the first expiry");
    long period = Durations.requireNotNegative(interval, "the period");
    if (delay == 0) {
      replace(TimerState.disarmed(period));
    } else {
      replace(TimerState.set(clock.after(delay), period, clock.now()));
    }
  }

  /**
   * Sets the timer to expire once, at a point in time; otherwise as {@link #setAt(long, Duration)}.
   *
   * @param nanoTime a value of {@link System#nanoTime()}
   */
  public void setAt(long nanoTime) {
    setAt(nanoTime, Duration.ZERO);
  }

  /**
   * Sets the timer to a point in time, whatever it was set to before (Linux: TFD_TIMER_ABSTIME).
   * The count is cleared. If the point has passed the timer expires before this call returns; with
   * a period the first read then counts all periods since that point.
   *
   * @param nanoTime the first expiry, a value of {@link System#nanoTime()}, less than 292 years
   *     away; 0 is a point like every other and does not disarm
   * @param interval the period from then on; zero for a single expiry
   * @throws IllegalArgumentException if the period is negative
   * @throws IllegalStateException if the timer is closed
   */
  public void setAt(long nanoTime, Duration interval) {
    long period = Durations.requireNotNegative(interval, "the period");
    long deadline = clock.instantOf(nanoTime);
    replace(TimerState.set(deadline, period, clock.now()));
  }

  /**
   * Makes the timer not expire any more and clears the count.
   *
   * @throws IllegalStateException if the timer is closed
   */
  public void disarm() {
    replace(TimerState.disarmed(0));
  }

  private void replace(TimerState next) {
    requireOpen();
    TimerState old = (TimerState) STATE.getAndSet(this, next); // MO-EXPIRE-1: a new generation
    if (next.ticks() > 0) {
      queue.wakeOrdered(Events.IN); // MO-ADD-1, MO-MOD-1: the state was exchanged
    }
    tell(old, next);
  }

  /** MO-TIMER-1: the state was exchanged, now those who planned with the old deadline are found. */
  private void tell(TimerState old, TimerState next) {
    if (old.nearestDeadline() != next.nearestDeadline()) {
      Bridge.get().demandChanged(queue);
    }
  }

  // ---------------------------------------------------------------------------------- reading

  /**
   * Takes the count; never blocks. Arms an expired periodic timer again.
   *
   * @return how many times the timer has expired since it was set or last read; 0 for never
   * @throws IllegalStateException if the timer is closed
   */
  public long tryRead() {
    requireOpen();
    for (; ; ) {
      TimerState seen = state;
      TimerState now = seen.broughtUpTo(clock.now());
      if (now.ticks() == 0) {
        return 0;
      }
      TimerState next = now.taken();
      if (STATE.compareAndSet(this, seen, next)) { // MO-EXPIRE-1: or somebody else counts the tick
        tell(seen, next);
        return now.ticks();
      }
    }
  }

  /**
   * Takes the count and waits while it is 0, which may be for ever.
   *
   * @return how many times the timer has expired, at least 1
   * @throws IllegalStateException if the timer is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was taken
   */
  public long read() throws InterruptedException {
    for (; ; ) {
      long ticks = tryRead();
      if (ticks != 0) {
        return ticks;
      }
      EventPoll.awaitOne(this, Events.IN, null);
    }
  }

  /**
   * Takes the count and waits while it is 0, but not for ever.
   *
   * @param timeout the longest to wait; zero or negative does not wait
   * @return how many times the timer has expired; 0 if it did not in time
   * @throws IllegalStateException if the timer is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was taken
   */
  public long read(Duration timeout) throws InterruptedException {
    long deadline = clock.after(Durations.saturatedNanos(timeout));
    for (; ; ) {
      long ticks = tryRead();
      if (ticks != 0) {
        return ticks;
      }
      Duration left = Duration.ofNanos(deadline - clock.now());
      if (EventPoll.awaitOne(this, Events.IN, left) == 0) {
        return tryRead();
      }
    }
  }

  /**
   * How long until the next expiry (Linux: timerfd_gettime(2)). Arms an expired periodic timer
   * again and counts the periods it has missed; the count is kept.
   *
   * @return the time left; zero if the timer is disarmed, or was to expire once and has
   * @throws IllegalStateException if the timer is closed
   */
  @SuppressWarnings("ReferenceEquality") // the same record: nothing to bring up to date
  public Duration remaining() {
    requireOpen();
    for (; ; ) {
      TimerState seen = state;
      long now = clock.now();
      TimerState next = seen.broughtUpTo(now);
      if (next == seen) {
        return Duration.ofNanos(seen.remaining(now));
      }
      if (STATE.compareAndSet(this, seen, next)) { // MO-EXPIRE-1
        if (seen.isDue(now)) {
          queue.wakeOrdered(Events.IN); // MO-ADD-1, MO-MOD-1: the state was exchanged
        }
        tell(seen, next);
        return Duration.ofNanos(next.remaining(now));
      }
    }
  }

  /**
   * The period that was set.
   *
   * @return the period, zero for none
   */
  public Duration interval() {
    return Duration.ofNanos(state.interval());
  }

  // --------------------------------------------------------------------------------- as a source

  /**
   * Counts the tick if the deadline has come, and wakes the queue; of several callers, one does.
   */
  void expire(long now) {
    for (; ; ) {
      TimerState seen = state;
      if (!seen.isDue(now)) {
        return;
      }
      if (STATE.compareAndSet(this, seen, seen.expired())) { // MO-EXPIRE-1: single winner (KR-56)
        queue.wakeOrdered(Events.IN); // MO-ADD-1, MO-MOD-1: the state was exchanged
        return;
      }
    }
  }

  @Override
  public int readiness() {
    return state.ticks() > 0 ? Events.IN : 0;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  /** Closes the timer: it leaves every poll, and threads blocked in read fail. */
  @Override
  public void close() {
    queue.close();
    STATE.getAndSet(this, TimerState.disarmed(0)); // MO-EXPIRE-1: nobody is left to be told
  }

  private void requireOpen() {
    if (queue.isClosed()) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  @Override
  public String toString() {
    TimerState seen = state;
    return "Timer[ticks "
        + seen.ticks()
        + (seen.phase() == TimerState.Phase.ARMED
            ? ", " + Duration.ofNanos(seen.remaining(clock.now())) + " left"
            : "")
        + (seen.interval() > 0 ? ", every " + Duration.ofNanos(seen.interval()) : "")
        + "]";
  }

  /** The seam, apart from the public type. */
  private final class TimeKeeping implements Demand {
    @Override
    public long nearestDeadline() {
      return state.nearestDeadline(); // MO-TIMER-1: volatile read after the reader has enlisted
    }

    @Override
    public void expire(long now) {
      Timer.this.expire(now);
    }

    @Override
    public Clock clock() {
      return clock;
    }
  }

  private static final class Opening extends SourceDoor {
    static void open() {
      open(new Opening());
    }

    @Override
    public Object timer(Clock clock) {
      return new Timer(clock);
    }
  }
}
