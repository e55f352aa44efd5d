package io.github.eventpoll;

import io.github.eventpoll.internal.Probe;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 *       ready and ended (MO-AVAIL-1). The same holds from the moment an item is seen to be {@link
 *       EpItem#isNotified() notified} (MO-NOTIFY-1).
 *   <li>When {@link #accept} or {@link #link} returns true, or {@link #endScan} returns true, the
 *       list's state is visible to whoever enlists as a waiter afterwards (MO-SLEEP-1: publish,
 *       then look for sleepers).
 *   <li>After a scan the list is: what the scan did not reach, what callbacks brought meanwhile in
 *       order of arrival, what the scan put back (Linux: fs/eventpoll.c:ep_done_scan).
 * </ol>
 *
 * <p>An item in a scan's hand may still count as listed, for callbacks that would list it again: so
 * the scan calls {@link #letGo} before it asks the source for the last time.
 */
abstract sealed class CallbackPath permits LockedPath, LockFreePath {
  /** What {@link #kill} found. */
  enum Killed {
    /** The item was dead already. */
    BEFORE,
    /** It was alive and not known to be queued. */
    NOW,
    /** It was alive and on the ready list. */
    NOW_QUEUED
  }

  /*
   * field    | guard
   * ---------+-----------------------------------------------------------------------------------
   * ready    | the variant's; during a scan the scanner's, that is the control lock
   * end,     | the scanner's; "end" also whoever unlinks, under the variant's guard
   * finished,|
   * requeued |
   * listed   | written by the variant, and only when it changes; read volatile (MO-AVAIL-1)
   */
  final ReadyList ready = new ReadyList();

  /**
   * The last item that the scan will take: what comes behind it was put back by this scan. Kept
   * after the scan, because it is often the same for the next.
   */
  private @Nullable EpItem end;

  private boolean finished;
  private int requeued;

  /**
   * Ready list not empty, or scan running. One variable for both, so that no reader can fall
   * between the moment the list was taken and the moment the rest was put back (KR-7).
   */
  volatile boolean listed;

  /**
   * Dead items may be on the list whose killers had no control lock: who has it takes them off
   * before or after he gives it back (MO-BURY-1, KR-23). Only ever true without a path lock.
   */
  volatile boolean untidy;

  /** How many callbacks have brought during the last scan, if that is recorded; control lock. */
  int arrived;

  final @Nullable Counters counters;
  private final @Nullable Probe probe;

  // Tested where a wait passes several times for each event: a branch, where a call that may go to
  // one of three variants costs more than what it does.
  private final boolean lockFree;
  private final boolean notifies;

  CallbackPath(EventPollBuilder settings, @Nullable Counters counters) {
    this.probe = settings.probe;
    this.counters = counters;
    this.lockFree = settings.lock == LockKind.LOCK_FREE;
    this.notifies = settings.notifiedFastPath;
  }

  static CallbackPath of(EventPollBuilder settings, @Nullable Counters counters) {
    return switch (settings.lock) {
      case SPIN -> new SpinPath(settings, counters);
      case RWLOCK -> new RwPath(settings, counters);
      case LOCK_FREE -> new LockFreePath(settings, counters);
    };
  }

  /**
   * Lists the item of a callback. Any thread; several at once for one item; takes no user code.
   *
   * @return false if the item is dead or disarmed or does not want the key; true if it is on a list
   *     now, whoever put it there
   */
  abstract boolean accept(EpItem item, int key);

  /**
   * Lists an item that add or modify found ready. Control lock held, so that no scan runs.
   *
   * @return true if it was not listed before and is alive
   */
  abstract boolean link(EpItem item);

  /** True if an item is on a list or a scan runs, so that a waiter has something to look for. */
  boolean available() {
    return listed; // MO-AVAIL-1, MO-SLEEP-1: volatile read after enlisting
  }

  /**
   * From now on, until {@link #endScan}, the ready list is the scanner's. The scan takes what is on
   * it now, and nothing that comes later (KR-51). Control lock held all the time.
   */
  abstract void startScan();

  /**
   * Takes the next living item in hand; null at the end. It stays on the list until it is given to
   * {@link #requeue}, {@link #putBack} or {@link #drop}.
   */
  final @Nullable EpItem next() {
    while (!finished) {
      EpItem item = Objects.requireNonNull(ready.first());
      if (item == end) {
        finished = true;
      }
      if (!item.dead) {
        return item;
      }
      unlink(item);
    }
    return null;
  }

  /**
   * From now on callbacks list the item in hand anew. Before the source is asked for the last time
   * (MO-NOTIFY-1, KR-8, KR-52).
   *
   * @return true if until now they might have relied on this scan, so that the source must be asked
   */
  final boolean letGo(EpItem item) {
    return item.letGo(); // claimed or pushed it stays: then it comes again by itself
  }

  /**
   * Before each question to the source of an item in hand, after it was let go if it was: where a
   * callback that finds its item listed writes nothing, a source with plain state needs a fence.
   */
  final void beforeAsking(EpItem item) {
    if (lockFree && !item.isOrdered()) {
      VarHandle.fullFence(); // MO-NOTIFY-1, MO-PUB-1: pairs with the one of WaitQueue.wake
    }
  }

  /** The item in hand goes back on a list: callbacks may rely on that again. */
  final void hold(EpItem item) {
    if (lockFree) {
      item.hold(); // claimed or pushed meanwhile: then it is listed twice, and met once
    } else if (notifies) {
      item.notified(); // MO-NOTIFY-1: listed and available first (KR-9)
    }
  }

  /** The item in hand was delivered and stays ready: it goes to the end of the list. */
  final void requeue(EpItem item) {
    hold(item);
    if (item.dead) { // MO-DEAD-2: held, then "dead" is read
      unlink(item);
      return;
    }
    ready.moveToEnd(item);
    requeued++;
  }

  /** The item in hand stays where it was. No other is taken after this. */
  final void putBack(EpItem item) {
    hold(item);
    if (item.dead) { // MO-DEAD-2
      unlink(item);
    }
  }

  /** The item in hand, which was {@link #letGo}, leaves the list. */
  final void drop(EpItem item) {
    unlink(item);
  }

  /**
   * Merges what is left, what came and what was put back.
   *
   * @return true if the list is not empty
   */
  abstract boolean endScan();

  /**
   * Makes an item dead and takes it off the list: at once, or if a scan has it by the end of that,
   * or if the variant cannot when {@link #bury} is called. Any thread.
   */
  abstract Killed kill(EpItem item);

  /** Whether an item is listed where neither its links nor its word tell. */
  boolean isLate(EpItem item) {
    return false;
  }

  /** Takes a dead item off the list; if a scan has it by the end of that. Control lock held. */
  void bury(EpItem item) {}

  /** A dead item cannot be buried now. Any thread. */
  void leaveDead() {}

  /** Takes the dead items off that were left on the list. Control lock held, no scan running. */
  void tidy() {}

  /** The exclusive items on the ready list. Control lock held, no scan running. */
  List<EpItem> listedExclusives() {
    List<EpItem> found = new ArrayList<>();
    for (EpItem item = ready.first(); item != null; item = item.next) {
      if (item.exclusive() && !item.dead) {
        found.add(item);
      }
    }
    return found;
  }

  /** For the variants, at the start of a scan. */
  final void beginScan() {
    EpItem last = ready.last();
    if (end != last) {
      end = last;
    }
    finished = last == null;
    requeued = 0;
  }

  /** At the end of a scan: behind which item those belong that came while it ran. */
  final @Nullable EpItem lastOfRest() {
    EpItem item = ready.last();
    for (int i = 0; i < requeued; i++) {
      item = Objects.requireNonNull(item).prev;
    }
    return item;
  }

  final void unlink(EpItem item) {
    if (item == end) {
      end = null;
    }
    ready.unlink(item);
  }

  /** Takes all dead items off the ready list; the caller has the guard. */
  final void purgeDead() {
    EpItem item = ready.first();
    while (item != null) {
      EpItem after = item.next;
      if (item.dead) {
        unlink(item);
      }
      item = after;
    }
  }

  /** Whether an item with this mask wants the key; a key of 0 is of interest to all (KR-14). */
  static boolean wants(int mask, int key) {
    return Events.armed(mask) && (key == 0 || (key & mask) != 0);
  }

  final void setListed() {
    if (!listed) {
      listed = true; // MO-SLEEP-1: volatile store, then the caller looks for sleepers
    }
  }

  final void at(Probe.Step step, Object who) {
    if (probe != null) {
      probe.at(step, who);
    }
  }
}
