package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads that sleep in {@code await} of one poll: last come, first woken, and off the list
 * when woken (Linux: fs/eventpoll.c, {@code ep->wq} with autoremove). Any thread may call
 * everything; no method runs user code, and the guard is a leaf: nothing else is locked under it.
 *
 * <p>The handshake (MO-SLEEP-1), whichever callback path runs: whoever has something to tell makes
 * it visible and then calls {@link #wakeOne}; whoever wants to sleep calls {@link #enlist} and then
 * looks at everything. So not both can miss.
 */
final class Sleepers {
  /*
   * field      | written by            | read by                  | guard or claim
   * -----------+-----------------------+--------------------------+---------------------------
   * top        | guard                 | guard; anyone, volatile  | MO-SLEEP-1, MO-DUTY-1
   * token      | guard                 | guard; busy polling      | MO-TOKEN-1
   * crowds     | guard                 | guard; anyone, volatile  | -
   * timekeeper | CAS from null by the  | anyone, volatile         | MO-DUTY-1, MO-TIMER-1
   *            | waiter; it alone      |                          |
   *            | writes null again     |                          |
   * lastChosen | guard; CAS to null    | anyone, opaque           | none: nothing rests on it
   *
   * The links of the list and Waiter.enlisted are under the guard too, and a waiter is chosen in the
   * section that takes it off: MO-CHOSEN-1, MO-CLOSE-1.
   */
  private static final VarHandle TIMEKEEPER;
  private static final VarHandle LAST_CHOSEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TIMEKEEPER = lookup.findVarHandle(Sleepers.class, "timekeeper", Waiter.class);
      LAST_CHOSEN = lookup.findVarHandle(Sleepers.class, "lastChosen", Waiter.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EventPoll poll;
  private final SpinLock guard = new SpinLock();

  /** The waiter that came last, null if nobody sleeps. */
  private volatile @Nullable Waiter top;

  /** A wakeup() that nobody has acted on yet. */
  private volatile boolean token;

  /** How often everybody was chosen. */
  private volatile int crowds;

  /**
   * The one waiter that sleeps no longer than to the nearest deadline; the others need not (KR-55).
   */
  private volatile @Nullable Waiter timekeeper;

  /**
   * Who was chosen last and has not looked since; for looking only, so that nothing rests on it.
   * Written under guard by who chooses, CAS to null by the chosen thread, read opaque.
   */
  private @Nullable Waiter lastChosen;

  Sleepers(EventPoll poll) {
    this.poll = poll;
  }

  /** How often everybody was chosen so far. */
  int crowds() {
    return crowds;
  }

  /** Whether a wait would not be enlisted; for one that is awake and has nothing to do. */
  boolean isAwoken(int crowdsBefore) {
    return token || crowds != crowdsBefore;
  }

  /** For a wait that begins now. */
  boolean enlist(Waiter waiter) {
    return enlist(waiter, crowds);
  }

  /**
   * Announces that a thread is about to sleep; false if a {@code wakeup()} was waiting for one, or
   * everybody was chosen since the wait began and was not on the list: between two sleeps, or while
   * it polled busily.
   */
  boolean enlist(Waiter waiter, int crowdsBefore) {
    guard.lock();
    try {
      if (crowds != crowdsBefore) {
        return false;
      }
      if (token) {
        token = false;
        poll.at(Probe.Step.WAKEUP_USED, waiter);
        return false;
      }
      Waiter old = top;
      waiter.below = old;
      if (old != null) {
        old.above = waiter;
      }
      waiter.enlisted = true;
      top = waiter; // MO-SLEEP-1: volatile store, then the waiter looks
      return true;
    } finally {
      guard.unlock();
    }
  }

  /** Takes a waiter off the list unless it was chosen; afterwards the word does not change. */
  void withdraw(Waiter waiter) {
    if (waiter.isChosen()) {
      return;
    }
    guard.lock();
    try {
      if (waiter.enlisted) { // MO-CHOSEN-1: nobody can choose it any more
        unlink(waiter);
      }
    } finally {
      guard.unlock();
    }
  }

  private void unlink(Waiter waiter) {
    Waiter above = waiter.above;
    Waiter below = waiter.below;
    if (above == null) {
      top = below;
    } else {
      above.below = below;
    }
    if (below != null) {
      below.above = above;
    }
    waiter.above = null; // "below" stays, for those who walk the list without the guard
    waiter.enlisted = false;
  }

  /**
   * Chooses one waiter for an event that is visible already, and unparks it. The caller holds no
   * lock of the library. A thread that is itself a waiter here and just expires timers is chosen
   * first: it is awake anyway (KR-29).
   *
   * @return true if <em>this</em> call chose somebody (KR-15)
   */
  boolean wakeOne() {
    if (top == null) { // MO-SLEEP-1: volatile read after the event was made visible
      return false;
    }
    return choose(0);
  }

  private boolean choose(int how) {
    Waiter chosen;
    int before = 0;
    guard.lock();
    try {
      chosen = candidate();
      if (chosen != null) {
        unlink(chosen);
        lastChosen = chosen;
        before = chosen.choose(how); // MO-CHOSEN-1: in the section that takes it off the list
      } else if (how == Waiter.AWOKEN) {
        token = true; // MO-TOKEN-1: in the same section in which nobody was found
      }
    } finally {
      guard.unlock();
    }
    if (chosen == null) {
      if (how == Waiter.AWOKEN) {
        poll.at(Probe.Step.WAKEUP_KEPT, poll);
      }
      return false;
    }
    poll.at(Probe.Step.CHOSEN, chosen, how);
    chosen.wake(before);
    return true;
  }

  /**
   * The waiter to choose: the calling thread itself, if it is a waiter here and just dispatches
   * what it waited for (KR-29); else the one that came last and leads no driver; a leader last.
   */
  private @Nullable Waiter candidate() {
    Waiter last = top;
    if (last == null || (timekeeper == null && poll.drivers.seats().length == 0)) {
      return last;
    }
    Thread self = Thread.currentThread();
    Waiter follower = null;
    for (Waiter waiter = last; waiter != null; waiter = waiter.below) {
      if (waiter.thread == self) {
        return waiter;
      }
      if (follower == null && waiter.leads() == null) {
        follower = waiter;
      }
    }
    return follower != null ? follower : last;
  }

  /**
   * Ends one sleep, the present one of the waiter that came last or else the next one of anybody.
   */
  void wakeup() {
    choose(Waiter.AWOKEN);
  }

  /** Chooses everybody who waits now. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under guard only
  void chooseAll(int how) {
    Waiter first;
    guard.lock();
    try {
      crowds++;
      first = top; // MO-CLOSE-1: whoever enlists after this section sees what came before it
      top = null;
      for (Waiter waiter = first; waiter != null; waiter = waiter.below) {
        waiter.above = null;
        waiter.enlisted = false;
        waiter.chooseForLater(how);
      }
    } finally {
      guard.unlock();
    }
    // Off the list the chain does not change any more, so that nothing need be collected (KR-5).
    for (Waiter waiter = first; waiter != null; waiter = waiter.below) {
      poll.at(Probe.Step.CHOSEN, waiter, how);
      waiter.wakeChosen();
    }
  }

  /**
   * Until when a waiter that has enlisted may sleep. If the poll's nearest deadline comes before
   * the waiter's own and nobody keeps time, the waiter does from now on.
   */
  long plan(Waiter waiter, long ownDeadline, Deadlines deadlines) {
    for (; ; ) {
      long nearest = deadlines.nearest(); // MO-TIMER-1: volatile read after enlisting
      poll.at(Probe.Step.PLANNING, waiter);
      long until = ownDeadline;
      if (nearest < ownDeadline) {
        if (timekeeper == waiter || TIMEKEEPER.compareAndSet(this, null, waiter)) {
          until = nearest;
        }
      } else {
        resign(waiter);
      }
      // MO-TIMER-1, MO-DUTY-1: volatile stores of duty and plan, then deadline and duty are read
      // again. Who read the old ones in between has kicked nobody.
      waiter.plan = until;
      if (deadlines.nearest() >= until || isKeptByAnother(waiter)) {
        return until;
      }
    }
  }

  private boolean isKeptByAnother(Waiter waiter) {
    Waiter keeper = timekeeper;
    return keeper != null && keeper != waiter;
  }

  /** Gives up keeping time, if the waiter did. */
  private void resign(Waiter waiter) {
    if (timekeeper == waiter) {
      timekeeper = null; // MO-DUTY-1: volatile store, then the caller looks at the others' plans
    }
  }

  /**
   * Leaves: off the list, the duty given up, and if nobody sleeps short enough now, somebody is
   * told. Every thread that stops sleeping does this, whatever the reason (KR-28).
   */
  void leave(Waiter waiter, Deadlines deadlines) {
    withdraw(waiter);
    waiter.becomeCandidate(Waiter.NOWHERE);
    resign(waiter);
    long nearest = deadlines.nearest();
    if (nearest != Clock.NEVER && timekeeper == null) {
      requireTimekeeper(nearest);
    }
  }

  /** The nearest deadline has come nearer: whoever keeps time must know, or somebody must begin. */
  void deadlineNearer(long nearest) {
    Waiter keeper = timekeeper; // MO-TIMER-1: volatile read after the deadline was published
    if (keeper == null) {
      requireTimekeeper(nearest);
    } else if (keeper.plan > nearest) {
      keeper.kickAndWake();
    }
  }

  /**
   * Unless a waiter sleeps no longer than to the deadline anyhow, makes the one that came last look
   * again, and so begin to keep time; it stays a waiter and keeps its place. One that is just
   * looking has a plan of never, and may have looked too early: it counts as one that sleeps too
   * long.
   */
  private void requireTimekeeper(long nearest) {
    if (top == null) { // MO-DUTY-1: volatile read after the duty was given up
      return;
    }
    Waiter kicked;
    int before = 0;
    guard.lock();
    try {
      kicked = top;
      for (Waiter waiter = top; waiter != null; waiter = waiter.below) {
        if (waiter.plan <= nearest) { // MO-DUTY-1
          return;
        }
      }
      if (kicked != null) {
        before = kicked.kick();
      }
    } finally {
      guard.unlock();
    }
    if (kicked != null) {
      kicked.wake(before);
    }
  }

  /** The calling thread has slept and looked since, or will not. */
  void looked() {
    Waiter chosen = lastChosen;
    if (chosen != null && chosen.thread == Thread.currentThread()) {
      LAST_CHOSEN.compareAndSet(this, chosen, null);
    }
  }

  /** Who was chosen last and has not come to look yet; null if that one has. For looking only. */
  @Nullable Waiter lastChosen() {
    return (Waiter) LAST_CHOSEN.getOpaque(this);
  }

  /** How many sleep at present; as snapshot, and allocates nothing. */
  int size() {
    int size = 0;
    for (Waiter waiter = top; waiter != null; waiter = waiter.below) {
      size++;
    }
    return size;
  }

  /** Who keeps time at present; for looking only. */
  @Nullable Waiter timekeeper() {
    return timekeeper;
  }

  /** The drivers that this poll depends on have changed: every waiter looks where it sleeps. */
  void kickAll() {
    for (Waiter waiter : snapshot()) {
      waiter.kickAndWake();
    }
  }

  /** Who sleeps at present, last come first. Takes no lock: what it shows may be out of date. */
  List<Waiter> snapshot() {
    List<Waiter> seen = new ArrayList<>();
    for (Waiter waiter = top; waiter != null; waiter = waiter.below) {
      seen.add(waiter);
    }
    return seen;
  }
}
