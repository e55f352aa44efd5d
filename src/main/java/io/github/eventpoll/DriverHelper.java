package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;

/**
 * Leads a driver while waiters depend on it and none of them can: each leads another driver, or may
 * not sleep in a selector. A daemon thread that gives the turn up as soon as a waiter can take it,
 * and ends when it has not been needed for a while: a waiter that comes and goes starts no thread
 * each time.
 */
final class DriverHelper implements Runnable {
  /** How long an idle helper stays, in nanoseconds. */
  private static final long LINGER = 1_000_000_000L;

  private final Seat seat;
  private final Waiter self;

  DriverHelper(Seat seat) {
    this.seat = seat;
    Thread thread = new Thread(this, "eventpoll-helper " + seat.driver);
    thread.setDaemon(true);
    self = Waiter.ofHelper(thread, seat);
  }

  void start() {
    self.thread.start();
  }

  /** Makes the helper look again whether it is needed and has the turn. Any thread. */
  void kick() {
    self.kickAndWake();
  }

  @Override
  public void run() {
    try {
      do {
        self.beginLook();
        if (!seat.needsHelper()) {
          seat.releaseIfHeldBy(self);
          park(Clock.system().after(LINGER));
        } else if (seat.tryTake(self)) {
          Leading.sleep(self, seat, Clock.system(), Clock.NEVER, 0);
        } else {
          park(Clock.NEVER);
        }
      } while (!seat.dismissedIfIdle(this));
    } finally {
      seat.dismiss(this);
      seat.releaseIfHeldBy(self);
    }
  }

  private void park(long until) {
    if (self.tryPark()) {
      Clock.system().sleeper().park(this, until);
      self.awake();
    }
  }

  /** True if nobody has wanted anything of the helper since it looked. */
  boolean isIdle() {
    return !self.isKicked();
  }

  @Override
  public String toString() {
    return self.thread.getName();
  }
}
