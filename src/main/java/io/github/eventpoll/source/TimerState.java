package io.github.eventpoll.source;

import io.github.eventpoll.internal.Clock;

/**
 * All there is to know about a timer at one moment. Immutable, and a new one for every change, so
 * that its identity is the generation: who replaces it by compare-and-set knows that nobody has
 * set, read or expired the timer since (KR-56).
 *
 * <p>All sums saturate. A deadline is an instant of the timer's clock; it may lie before instant 0
 * if the timer was set to a point in the past.
 */
record TimerState(Phase phase, long deadline, long interval, long ticks) {
  /** What the deadline means. */
  enum Phase {
    /** Nothing: the timer is not set, or it was a single one and has been read. */
    DISARMED,
    /** It is still to come, or nobody has noticed yet that it has come. */
    ARMED,
    /** It has come and was counted; a periodic timer has not been armed again yet. */
    EXPIRED
  }

  /** A timer that is not set; a period is kept to be shown (Linux: timerfd_gettime(2)). */
  static TimerState disarmed(long interval) {
    return new TimerState(Phase.DISARMED, Clock.NEVER, interval, 0);
  }

  /** A timer that has just been set; expired at once if the deadline has come. */
  static TimerState set(long deadline, long interval, long now) {
    TimerState armed = new TimerState(Phase.ARMED, deadline, interval, 0);
    return armed.isDue(now) ? armed.expired() : armed;
  }

  /** When somebody must look after this timer; {@link Clock#NEVER} unless it is armed. */
  long nearestDeadline() {
    return phase == Phase.ARMED ? deadline : Clock.NEVER;
  }

  boolean isDue(long now) {
    return nearestDeadline() <= now;
  }

  /**
   * One tick more. A periodic timer is left without a deadline: whoever reads it accounts the
   * periods since (Linux: fs/timerfd.c:timerfd_triggered).
   */
  TimerState expired() {
    return new TimerState(Phase.EXPIRED, deadline, interval, plus(ticks, 1));
  }

  /** As it is now: expired if due, and if periodic with all missed periods and armed again. */
  TimerState broughtUpTo(long now) {
    TimerState counted = isDue(now) ? expired() : this;
    return counted.phase == Phase.EXPIRED && interval > 0 ? counted.rearmed(now) : counted;
  }

  /** Linux: kernel/time/hrtimer.c:hrtimer_forward. The next deadline stays on the grid. */
  private TimerState rearmed(long now) {
    long late = now < deadline ? 0 : now - deadline;
    if (late < 0) {
      late = Long.MAX_VALUE; // set to centuries ago
    }
    long next = plus(now, interval - late % interval);
    return new TimerState(Phase.ARMED, next, interval, plus(ticks, late / interval));
  }

  /** After all ticks were taken. */
  TimerState taken() {
    return phase == Phase.EXPIRED
        ? disarmed(interval)
        : new TimerState(phase, deadline, interval, 0);
  }

  /** How long until the next expiry; 0 if there is none. */
  long remaining(long now) {
    return phase == Phase.ARMED ? Math.max(0, deadline - now) : 0;
  }

  /** A sum of two numbers that are not negative; {@link Clock#NEVER} is the largest. */
  private static long plus(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
