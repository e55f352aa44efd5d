package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
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
 * </pre>
 */
final class Waiter {
  static final int PARKED = 1;
  static final int KICKED = 2;
  static final int CHOSEN = 4;
  static final int AWOKEN = 8;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(Waiter.class, "word", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Thread thread;

  /** See above. Every change is one atomic read-modify-write: MO-PARK-1, MO-KICK-1. */
  private volatile int word;

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
    this.thread = thread;
  }

  /** The waiter's last act before it parks: fails if it was chosen or kicked since it looked. */
  boolean tryPark() {
    return WORD.compareAndSet(this, 0, PARKED); // MO-PARK-1
  }

  /** The waiter has returned from parking. */
  void unparked() {
    WORD.getAndBitwiseAnd(this, ~PARKED);
  }

  /** The waiter is about to look; a kick from now on makes {@link #tryPark} fail. */
  void beginLook() {
    if ((word & KICKED) != 0) {
      WORD.getAndBitwiseAnd(this, ~KICKED); // MO-KICK-1: cleared, then it is looked
    }
    plan = Clock.NEVER; // MO-DUTY-1: volatile store, then it is looked who keeps time
  }

  /** Chooses the waiter; by the one that took it off the list. True if it must be unparked. */
  boolean choose(int how) {
    return ((int) WORD.getAndBitwiseOr(this, CHOSEN | how) & PARKED) != 0; // MO-PARK-1
  }

  /** Makes the waiter look again. True if it must be unparked. */
  boolean kick() {
    // MO-KICK-1, MO-PARK-1: the reason is published before
    return ((int) WORD.getAndBitwiseOr(this, KICKED) & (PARKED | KICKED)) == PARKED;
  }

  boolean isChosen() {
    return (word & CHOSEN) != 0;
  }

  boolean isAwoken() {
    return (word & AWOKEN) != 0;
  }

  boolean isParked() {
    return (word & PARKED) != 0;
  }

  @Override
  public String toString() {
    int seen = word;
    return thread.getName()
        + ((seen & PARKED) != 0 ? " parked" : " running")
        + ((seen & CHOSEN) != 0 ? " chosen" : "")
        + ((seen & KICKED) != 0 ? " kicked" : "");
  }
}
