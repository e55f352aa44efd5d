package io.github.eventpoll;

/**
 * What one poll has done since it was made: a live view, whose getters read the counters at the
 * time of the call, without copying anything. The counters are independent of each other, so that a
 * sum read while the poll is at work may be short of one. All zero unless {@link
 * EventPollBuilder#countStats} was chosen, but for {@link #items} and {@link #waiters}. Counters
 * never decrease, also when the poll is closed.
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
   * How many items are registered at present, as {@link EventPoll#size()}.
   *
   * @return a number
   */
  int items();

  /**
   * How many threads sleep in {@code await} at present, or are about to; takes time in proportion.
   *
   * @return a number
   */
  int waiters();

  /**
   * Waits that have ended, in whatever way: calls of any form of {@code await}. One that goes on
   * through an interrupt counts as two.
   *
   * @return a count
   */
  long waits();

  /**
   * Events that waits have handed out.
   *
   * @return a count
   */
  long events();

  /**
   * Waits that ended empty because their time was over; not those that would not sleep at all.
   *
   * @return a count
   */
  long timeouts();

  /**
   * Waits that ended empty because of {@link EventPoll#wakeup()} or {@link EventPoll#wakeupAll()}.
   *
   * @return a count
   */
  long wakeups();

  /**
   * How often a thread went to sleep in a wait, parked or in a driver. One wait may sleep several
   * times.
   *
   * @return a count
   */
  long sleeps();

  /**
   * How often a wait of this poll looked for ready channels, asleep or not.
   *
   * @return a count
   */
  long passes();

  /**
   * Helper threads that were started for the drivers of this poll while it depended on them,
   * because no waiter could sleep there.
   *
   * @return a count
   */
  long helpersStarted();

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
