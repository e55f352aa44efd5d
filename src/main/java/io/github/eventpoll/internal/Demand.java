package io.github.eventpoll.internal;

/**
 * Seam: what a source needs from the threads that wait for it. A source that has no thread of its
 * own names the instant at which one of its waiters shall give it a turn.
 *
 * <p>Both methods are safe for any thread, take no lock but leaf guards, and never throw.
 */
public interface Demand {
  /**
   * The next instant at which {@link #expire} has something to do; {@link Clock#NEVER} for none. A
   * source publishes an earlier one with a volatile write and then tells its wait queue.
   */
  long nearestDeadline();

  /**
   * Does what is due; wakes the source's queue if that made it ready. Called with no lock held.
   *
   * @param now the present instant
   */
  void expire(long now);

  /** The clock by which the deadlines are meant. */
  Clock clock();
}
