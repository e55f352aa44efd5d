package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;

/**
 * Leads a driver while waiters depend on it and none of them can: each leads another driver, or may
 * not sleep in a selector. A daemon thread that ends as soon as a waiter can take the turn.
 */
final class DriverHelper implements Runnable {
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
      self.beginLook();
      while (seat.needs(this)) {
        if (seat.tryTake(self)) {
          Leading.sleep(self, seat, Clock.system(), Clock.NEVER, 0);
        } else if (self.tryPark()) {
          Clock.system().sleeper().park(this, Clock.NEVER);
          self.awake();
        }
        self.beginLook();
      }
    } finally {
      seat.dismiss(this);
      seat.releaseIfHeldBy(self);
    }
  }

  @Override
  public String toString() {
    return self.thread.getName();
  }
}
