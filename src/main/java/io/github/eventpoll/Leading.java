package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Probe;
import org.jspecify.annotations.Nullable;

/**
 * The turn that one wait has, if any. It is kept over the sleeps and harvests of that wait and
 * given up when the wait returns. Used by one thread at a time.
 */
final class Leading {
  /** What a driver can sleep at least, in nanoseconds. */
  private static final long SHORTEST = 1_000_000;

  private @Nullable Seat led;

  @Nullable Seat led() {
    return led;
  }

  /** The thread sleeps under a new record. */
  void continueAs(Waiter waiter) {
    Seat seat = led;
    if (seat != null) {
      waiter.lead(seat);
      seat.handOn(waiter);
    }
  }

  /**
   * Takes a turn if there is one to take, and sees to it that the others are taken. The waiter is a
   * candidate of all these drivers.
   */
  void lead(Waiter waiter, Seat[] seats) {
    if (led != null && !contains(seats, led)) {
      waiter.lead(null);
      release(); // what is waited for depends on that driver no more (KR-48)
    }
    for (Seat seat : seats) {
      if (led == null && waiter.canLead(seat)) {
        take(waiter, seat);
      }
    }
    for (Seat seat : seats) { // only now is it known whether this waiter can lead any of them
      if (led != seat) {
        seat.promote();
      }
    }
  }

  private void take(Waiter waiter, Seat seat) {
    waiter.lead(seat); // before the turn is had: whoever finds the holder must know where it sleeps
    if (seat.tryTake(waiter)) {
      led = seat;
    } else {
      waiter.lead(null);
    }
  }

  private static boolean contains(Seat[] seats, Seat seat) {
    for (Seat one : seats) {
      if (one == seat) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sleeps in the driver; what it reports is dispatched to the end, come what may (KR-30). A driver
   * reckons in milliseconds: the last fraction of one is spent parked, with the turn kept, and
   * followed by a pass (KR-41).
   *
   * @param until when at the latest, {@link Clock#NEVER} for no limit
   * @param now the present instant; anything if there is no limit
   */
  static void sleep(Waiter waiter, Seat seat, Clock clock, long until, long now) {
    if (until != Clock.NEVER && until - now < SHORTEST) {
      if (waiter.tryPark()) {
        clock.sleeper().park(seat, until);
        waiter.awake();
        sleepAndDispatch(waiter, seat, Driver.AT_ONCE);
      }
    } else if (waiter.trySelect()) {
      sleepAndDispatch(waiter, seat, until);
    }
  }

  private static void sleepAndDispatch(Waiter waiter, Seat seat, long until) {
    Object record = null;
    try {
      record = Recorder.IT.beginPass();
      seat.driver.sleep(until);
    } finally {
      waiter.awake();
      seat.at(Probe.Step.REPORTED);
      seat.driver.dispatch();
      Recorder.IT.endPass(record, seat, until != Driver.AT_ONCE);
    }
  }

  /** The wait is over. */
  void release() {
    Seat seat = led;
    if (seat != null) {
      led = null;
      seat.release();
    }
  }
}
