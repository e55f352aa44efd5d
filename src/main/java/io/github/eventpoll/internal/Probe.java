package io.github.eventpoll.internal;

/**
 * Seam: named points at which a test may watch or hold a thread. A poll without a probe pays one
 * test of a final field for each point.
 */
@FunctionalInterface
public interface Probe {
  /** Where a thread is. */
  enum Step {
    /** A callback has read its source's queue and reached the poll; nothing decided yet. */
    CALLBACK,
    /**
     * A callback is inside the poll's path: it has the lock, shares it, or has claimed the item.
     * Nothing is listed yet. Whoever holds a thread here holds what that thread holds.
     */
    LISTING,
    /** A callback has put its item where scans find it, without a lock, and not yet said so. */
    PUSHED,
    /** A callback was accepted and is visible on a list; nobody chosen yet. */
    CALLBACK_LISTED,
    /** A waiter was chosen and not yet unparked. */
    CHOSEN,
    /** A waiter has found nothing and not yet enlisted. */
    ENLISTING,
    /** A waiter has enlisted and not yet looked. */
    ENLISTED,
    /** A waiter has read the nearest deadline and not yet planned by it. */
    PLANNING,
    /** A thread has found an item's deadline passed and not yet given the source its turn. */
    DUE,
    /** A waiter has looked at every reason not to sleep and found none. */
    LOOKED,
    /** A waiter has stopped sleeping and not yet left the list of waiters. */
    STOPPED,
    /** A waiter has left the list of waiters. */
    LEFT,
    /** A scan holds the control lock and has not taken the ready list. */
    SCAN_BEFORE,
    /** A scan has taken the ready list. */
    SCAN_STARTED,
    /** A scan has an item in hand and is about to ask its source. */
    SCAN_ASK,
    /** A scan has found an item not ready, lets callbacks list it again, and will ask once more. */
    LET_GO,
    /** A scan has the answer of the source and has not acted on it. */
    SCAN_ASKED,
    /** A scan has put everything back. */
    SCAN_ENDED,
    /** A poll that is to be watched has been told, and no lock is held. */
    NESTING_BEGUN,
    /** An addition needs no look at the graph of polls, and nothing is linked. */
    LINK_UNCHECKED,
    /** An addition holds locks of the topology and has checked nothing. */
    TOPOLOGY_LOCKED,
    /** An addition is visible to its source's queue and has not asked the source. */
    ADD_REGISTERED,
    /** A modification is visible to callbacks and has not asked the source. */
    MODIFY_STORED,
    /** A removal has made the item dead and not yet forgotten it. */
    REMOVE_DEAD,
    /** A poll has read the deadline of a source again and told nobody. */
    DEADLINE_READ,
    /** A poll is marked closed and nobody has been told. */
    CLOSE_MARKED,
    /** A poll's dependence on other drivers is visible and no waiter has been told. */
    DEMAND_CHANGED,
    /** A pass has ended, its thread counts as awake, and nothing was dispatched. */
    REPORTED,
    /** A thread has given up a driver's turn and not yet looked for a successor. */
    TURN_FREED
  }

  /**
   * The calling thread has come to a point. May block; must not throw.
   *
   * @param step the point
   * @param who the item, waiter or poll concerned
   */
  void at(Step step, Object who);
}
