package io.github.eventpoll;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Strategy: how an event gets from a callback to the ready list, and from there into a scan. Every
 * variant keeps these promises, and nothing outside a variant may depend on which one runs.
 *
 * <ol>
 *   <li>An item is listed at most once, and one that is dead is not accepted: the test and the
 *       listing are one atomic step (MO-DEAD-1).
 *   <li>{@link #available()} is true, without interruption, from the moment an accepted callback or
 *       a successful {@link #link} returns until a scan has asked the item's source, found it not
 *       ready and ended (MO-AVAIL-1).
 *   <li>When {@link #accept} or {@link #link} returns true, or {@link #endScan} returns true, the
 *       list's state is visible to whoever enlists as a waiter afterwards (MO-SLEEP-1: publish,
 *       then look for sleepers).
 *   <li>After a scan the list is: what the scan did not reach, what callbacks brought meanwhile in
 *       order of arrival, what the scan put back (Linux: fs/eventpoll.c:ep_done_scan).
 * </ol>
 */
interface CallbackPath {
  /** What {@link #kill} found. */
  enum Killed {
    /** The item was dead already. */
    BEFORE,
    /** It was alive and not known to be queued. */
    NOW,
    /** It was alive and on the ready list. */
    NOW_QUEUED
  }

  /**
   * Lists the item of a callback. Any thread; several at once for one item; takes no user code.
   *
   * @return false if the item is dead or disarmed or does not want the key; true if it is on a list
   *     now, whoever put it there
   */
  boolean accept(EpItem item, int key);

  /**
   * Lists an item that add or modify found ready. Control lock held, so that no scan runs.
   *
   * @return true if it was not listed before and is alive
   */
  boolean link(EpItem item);

  /** True if an item is on a list or a scan runs, so that a waiter has something to look for. */
  boolean available();

  /** Takes the ready list as the scan's batch. Control lock held from here to {@link #endScan}. */
  void startScan();

  /** Takes the next living item in hand, off the batch; null at the end. */
  @Nullable EpItem next();

  /** Puts an item that was delivered and stays ready at the tail of the next list. */
  void requeue(EpItem item);

  /** Puts the item in hand back where it was. */
  void putBack(EpItem item);

  /**
   * Merges what is left, what came and what was put back.
   *
   * @return true if the list is not empty
   */
  boolean endScan();

  /**
   * Makes an item dead and takes it off the list, at once or, if a scan has it, by the end of that.
   * Any thread.
   */
  Killed kill(EpItem item);

  /** The exclusive items on the ready list. Control lock held, no scan running. */
  List<EpItem> listedExclusives();
}
