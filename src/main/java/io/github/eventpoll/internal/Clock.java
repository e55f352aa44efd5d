package io.github.eventpoll.internal;

import java.util.concurrent.locks.LockSupport;

/**
 * Seam: time as the engine sees it. All deadlines inside the library are <em>instants</em>:
 * nanoseconds since this clock's origin, never negative, so that plain comparison orders them
 * however the underlying counter wraps. {@link #NEVER} lies after every instant.
 */
public abstract class Clock {
  /** No deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Clock SYSTEM = new SystemClock();

  /** What {@link #raw()} showed when this clock was made; immutable. */
  private final long origin;

  /**
   * Makes a clock.
   *
   * @param origin the raw reading that counts as instant 0
   */
  protected Clock(long origin) {
    this.origin = origin;
  }

  /** The clock of {@link System#nanoTime()}, whose threads park. */
  public static Clock system() {
    return SYSTEM;
  }

  /** The underlying counter, in nanoseconds from anywhere; it may wrap. */
  public abstract long raw();

  /** How threads that live by this clock sleep. */
  public abstract Sleeper sleeper();

  /** The present instant. */
  public final long now() {
    return raw() - origin;
  }

  /** The instant a number of nanoseconds from now; zero or less is now, too far is never. */
  public final long after(long nanos) {
    long now = now();
    if (nanos <= 0) {
      return now;
    }
    long instant = now + nanos;
    return instant < 0 ? NEVER : instant;
  }

  /**
   * The instant of a reading of {@link #raw()}. A reading before the origin gives a negative one,
   * which is past and good for reckoning.
   */
  public final long instantOf(long rawReading) {
    long now = now();
    long ahead = rawReading - (now + origin); // by difference, however the counter wraps
    long instant = now + ahead;
    return ahead > 0 && instant < 0 ? NEVER : instant;
  }

  private static final class SystemClock extends Clock implements Sleeper {
    // Loaded before anybody parks: a class initialised between the look and the park could use up
    // the permit (KR-2).
    private static final Class<?> LOADED_EARLY = LockSupport.class;

    SystemClock() {
      super(System.nanoTime());
      assert LOADED_EARLY != null;
    }

    @Override
    public long raw() {
      return System.nanoTime();
    }

    @Override
    public Sleeper sleeper() {
      return this;
    }

    @Override
    public void park(Object blocker, long deadline) {
      if (deadline == NEVER) {
        LockSupport.park(blocker);
      } else {
        LockSupport.parkNanos(blocker, deadline - now());
      }
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }
  }
}
