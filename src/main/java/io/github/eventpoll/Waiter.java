package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.internal.Threads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One sleep of one thread in {@code await}. Fresh for every sleep: a record that was used again
 * could be chosen for an event of a poll its thread has long left (KR-4).
 *
 * <p>Where the thread is and whether it was chosen are one word, changed by CAS, so that whoever
 * chooses learns from the word it replaced whether the thread must be unparked (KR-27):
 *
 * <pre>
 *   PARKED   the thread is about to park, parks, or has not noticed its unpark yet
 *   KICKED   the thread shall look again where and until when it sleeps; it stays a waiter
 *   CHOSEN   the thread was taken for an event or for close, and is off the list of waiters
 *   AWOKEN   with CHOSEN: by wakeup()
 *   SELECTING the thread is about to sleep in a driver, sleeps there, or has just returned
 * </pre>
 */
final class Waiter {
  static final int PARKED = 1;
  static final int KICKED = 2;
  static final int CHOSEN = 4;
  static final int AWOKEN = 8;
  static final int SELECTING = 16;

  static final Seat[] NOWHERE = {};

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(Waiter.class, "word", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Thread thread;

  /** How the thread parks; immutable. */
  private final Sleeper sleeper;

  /** The driver whose turn the thread has, null if none. Written by the thread: MO-TURN-1. */
  private volatile @Nullable Seat leads;

  /** Not a thread that waits, but a driver's helper; set before it is shown to anybody. */
  private boolean helper;

  /** The drivers it is a candidate of; the thread's own. */
  private Seat[] candidateOf = NOWHERE;

  /** See above. Every change is one atomic read-modify-write: MO-PARK-1, MO-KICK-1. */
  private volatile int word;

  /** The word that a choice in a crowd replaced; the chooser's own. */
  private int replaced;

  /**
   * The instant at which this thread will wake at the latest; never, while it is looking. Written
   * by the thread, read by those who need somebody to keep time: MO-TIMER-1, MO-DUTY-1.
   */
  volatile long plan = Clock.NEVER;

  /** Towards the one that enlisted before; guard: Sleepers, read without it for looking only. */
  volatile @Nullable Waiter below;

  /** Towards the one that enlisted after; guard: Sleepers. */
  @Nullable Waiter above;

  /** On the list of waiters; guard: Sleepers. */
  boolean enlisted;

  Waiter(Thread thread) {
    this(thread, Clock.system().sleeper());
  }

  Waiter(Thread thread, Sleeper sleeper) {
    this.thread = thread;
    this.sleeper = sleeper;
  }

  static Waiter ofHelper(Thread thread, Seat seat) {
    Waiter waiter = new Waiter(thread, Clock.system().sleeper());
    waiter.leads = seat;
    waiter.helper = true;
    return waiter;
  }

  /** The waiter's last act before it parks: fails if it was chosen or kicked since it looked. */
  boolean tryPark() {
    return WORD.compareAndSet(this, 0, PARKED); // MO-PARK-1
  }

  /** The same for a thread that sleeps in the driver it leads. */
  boolean trySelect() {
    return WORD.compareAndSet(this, 0, SELECTING);
  }

  /** The waiter has returned from sleeping. */
  void awake() {
    WORD.getAndBitwiseAnd(this, ~(PARKED | SELECTING));
  }

  /** The waiter is about to look; a kick from now on makes {@link #tryPark} fail. */
  void beginLook() {
    if ((word & KICKED) != 0) {
      WORD.getAndBitwiseAnd(this, ~KICKED); // MO-KICK-1: cleared, then it is looked
    }
    plan = Clock.NEVER; // MO-DUTY-1: volatile store, then it is looked who keeps time
  }

  /** Chooses the waiter; by the one that took it off the list. Returns the word before. */
  int choose(int how) {
    return (int) WORD.getAndBitwiseOr(this, CHOSEN | how); // MO-PARK-1
  }

  /** Makes the waiter look again. Returns the word before. */
  int kick() {
    return (int) WORD.getAndBitwiseOr(this, KICKED); // MO-KICK-1, MO-PARK-1: published before
  }

  /** Makes the waiter look again, and wakes it. No lock held. */
  void kickAndWake() {
    wake(kick());
  }

  /**
   * Wakes the thread from where it was according to the word that a choice or a kick replaced: one
   * that ran will look; one in a driver is woken once for each sleep (KR-26, KR-27).
   */
  void wake(int before) {
    if ((before & PARKED) != 0) {
      try {
        Recorder.IT.wake(this, null);
      } finally {
        sleeper.unpark(thread); // whatever happens to the record
      }
    } else if ((before & SELECTING) != 0 && (before & (KICKED | CHOSEN)) == 0) {
      Seat seat = leads;
      if (seat != null) {
        try {
          Recorder.IT.wake(this, seat);
        } finally {
          seat.driver.wake();
        }
      }
    }
  }

  /** Chooses the waiter in a crowd; the same thread owes it {@link #wakeChosen()} then. */
  void chooseForLater(int how) {
    replaced = choose(how);
  }

  /** Wakes a waiter that was chosen in a crowd, from where it was then (KR-27). */
  void wakeChosen() {
    wake(replaced);
  }

  // ------------------------------------------------------------------------------- drivers

  boolean isHelper() {
    return helper;
  }

  @Nullable Seat leads() {
    return leads;
  }

  /** The thread has the turn of this driver from now on, or of none. */
  void lead(@Nullable Seat seat) {
    leads = seat;
  }

  /** True if the thread could take the turn of a driver. */
  boolean canLead(Seat seat) {
    Seat mine = leads;
    return (mine == null || mine == seat) && !Threads.pinsInSelect(thread);
  }

  /** Becomes a candidate of these drivers and of no others. By the thread itself, as a waiter. */
  void becomeCandidate(Seat[] seats) {
    Seat[] before = candidateOf;
    if (before == seats) {
      return;
    }
    candidateOf = seats;
    for (Seat seat : seats) {
      seat.enlist(this);
    }
    for (Seat seat : before) {
      seat.withdraw(this);
    }
  }

  boolean isKicked() {
    return (word & KICKED) != 0;
  }

  boolean isChosen() {
    return (word & CHOSEN) != 0;
  }

  boolean isAwoken() {
    return (word & AWOKEN) != 0;
  }

  /** True if the thread sleeps, or is about to, and nobody has done anything about it. */
  boolean isAsleep() {
    int seen = word;
    return seen == PARKED || seen == SELECTING;
  }

  @Override
  public String toString() {
    int seen = word;
    return thread.getName()
        + ((seen & PARKED) != 0 ? " parked" : (seen & SELECTING) != 0 ? " selecting" : " running")
        + ((seen & CHOSEN) != 0 ? " chosen" : "")
        + ((seen & KICKED) != 0 ? " kicked" : "");
  }
}
