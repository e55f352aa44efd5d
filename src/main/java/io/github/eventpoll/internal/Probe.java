package io.github.eventpoll.internal;

import org.jspecify.annotations.Nullable;

/**
 * Seam: named points at which a test may watch or hold a thread. A poll without a probe pays one
 * test of a final field for each point.
 *
 * <p>Most points lie between two actions, so that a thread may be held there. Some only report what
 * has just been done, often under a lock: {@link Step#isReport()}. They are for watching.
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
    /** A waiter was chosen and not yet unparked. The bits are 0 unless a wakeup() has done it. */
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
    TURN_FREED,

    // Reports.

    /** A callback was skipped: its item was listed, and a scan will ask the source. */
    SKIPPED(true),
    /** A callback was dropped by the mask pre-check. */
    UNWANTED(true),
    /** A callback was refused: its item is dead or disarmed, or does not want the key. */
    REFUSED(true),
    /** An item was put on the ready list, or on the stack from which scans fill it. */
    QUEUED(true),
    /** An item was put on the overflow list, because a scan runs. */
    OVERFLOWED(true),
    /** An item came to a callback while another one was about to push it, and was put aside. */
    QUEUED_LATE(true),
    /** A callback found its item listed already. */
    FOUND_LISTED(true),
    /** A callback that was accepted has ended. The bits are 1 if it has used up the wake. */
    CALLBACK_DONE(true),
    /** A wakeup() found nobody to wake, and is kept for the next sleep. */
    WAKEUP_KEPT(true),
    /** A waiter does not sleep, because a wakeup() was kept for it. */
    WAKEUP_USED(true),
    /** A waiter sleeps no more, whatever ended its sleep, or did not come to sleep. */
    AWAKE(true),
    /** A harvest has put an event into a batch. The bits are the event's. */
    DELIVERED(true),
    /** A scan has put an item back on the ready list, because it may still be ready. */
    REQUEUED(true),
    /** A scan has taken an item off the ready list. */
    UNLISTED(true),
    /** An await is about to end. The bits are the number of events it found. */
    RETURNED(true);

    private final boolean report;

    Step() {
      this(false);
    }

    Step(boolean report) {
      this.report = report;
    }

    /** True if a thread gains nothing by being held here, and may hold locks. */
    public boolean isReport() {
      return report;
    }
  }

  /** Two probes on one poll: what the first watches, it sees before the second holds the thread. */
  static Probe both(@Nullable Probe first, Probe second) {
    return first == null
        ? second
        : new Probe() {
          @Override
          public void at(Step step, Object who) {
            at(step, who, 0);
          }

          @Override
          public void at(Step step, Object who, int bits) {
            first.at(step, who, bits);
            second.at(step, who, bits);
          }
        };
  }

  /**
   * The calling thread has come to a point. May block; must not throw.
   *
   * @param step the point
   * @param who the item, waiter or poll concerned
   */
  void at(Step step, Object who);

  /**
   * The same with a number: the key of a {@link Step#CALLBACK}, what an item wants of its source's
   * answer at {@link Step#SCAN_ASKED}, and elsewhere what the step says; else 0.
   *
   * @param step the point
   * @param who the item, waiter or poll concerned
   * @param bits the number
   */
  default void at(Step step, Object who, int bits) {
    at(step, who);
  }
}
