package io.github.eventpoll;

/**
 * What the callbacks and additions of one poll have done since it was made: a live view, whose
 * getters read the counters at the time of the call. The counters are independent of each other, so
 * that a sum read while callbacks run may be short of one. All zero unless {@link
 * EventPollBuilder#countStats} was chosen.
 *
 * <p>Any thread may read it at any time; it never waits and allocates nothing.
 *
 * @since 0.1
 */
public interface Stats {
  /**
   * Tells whether the poll counts.
   *
   * @return false if every counter stays zero
   */
  boolean isCounting();

  /**
   * Callbacks that the mask pre-check dropped before any lock.
   *
   * @return a count
   */
  long droppedByMask();

  /**
   * Callbacks that the notified fast path skipped.
   *
   * @return a count
   */
  long skippedAsNotified();

  /**
   * How often a callback took the path's lock, exclusive or shared; always zero for {@link
   * LockKind#LOCK_FREE}.
   *
   * @return a count
   */
  long locksTaken();

  /**
   * Callbacks that put an item on the ready list.
   *
   * @return a count
   */
  long queued();

  /**
   * Callbacks that put an item where events go while a scan runs.
   *
   * @return a count
   */
  long overflowed();

  /**
   * Waiters of this poll that were chosen for an event.
   *
   * @return a count
   */
  long waitersWoken();

  /**
   * How often those who watch this poll, or wait on it as a source, were woken.
   *
   * @return a count
   */
  long watchersWoken();

  /**
   * Additions to this poll, successful or not, that took locks of the whole process to check the
   * graph of polls: those of polls, and those of sources while another poll watches this one.
   *
   * @return a count
   */
  long topologyLocksTaken();
}
