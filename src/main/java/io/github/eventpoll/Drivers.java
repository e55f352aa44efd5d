package io.github.eventpoll;

import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.SpinLock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The drivers that one poll depends on: those of its channels and those of the polls in it. Any
 * thread may call everything; the guard is a leaf.
 */
final class Drivers {
  private final SpinLock guard = new SpinLock();

  /** How many items or inner polls contribute each driver; guard: guard. */
  private final Map<Seat, Integer> uses = new HashMap<>(0);

  /** What each item that watches a poll contributes, as last read; guard: guard. */
  private final Map<EpItem, Seat[]> below = new HashMap<>(0);

  /** Helpers of drivers that are gone, less what those here had before they came; guard: guard. */
  private long helpersBefore;

  /** The keys of uses; replaced under guard when they change, read volatile: MO-TURN-1, KR-45. */
  private volatile Seat[] seats = Waiter.NOWHERE;

  /** The driver of this poll's own channels; set once under the control lock, read volatile. */
  private volatile @Nullable Driver own;

  Drivers(@Nullable Driver own) {
    this.own = own;
  }

  Seat[] seats() {
    return seats;
  }

  @Nullable Driver own() {
    return own;
  }

  /** A channel of this poll is watched by a driver. True if that is new to the poll. */
  boolean attached(Driver driver, boolean exclusive) {
    if (own == null && !exclusive) {
      own = driver;
    }
    guard.lock();
    try {
      use((Seat) driver.seat(), 1);
      return publish();
    } finally {
      guard.unlock();
    }
  }

  /**
   * A channel of this poll is watched by a driver no more. True if the poll does without it now.
   */
  boolean detached(Driver driver) {
    guard.lock();
    try {
      use((Seat) driver.seat(), -1);
      return publish();
    } finally {
      guard.unlock();
    }
  }

  /**
   * Reads again what an inner poll depends on (KR-46: recompute). True if that changes anything.
   */
  boolean update(EpItem item, EventPoll inner) {
    guard.lock();
    try {
      Seat[] now = item.dead ? Waiter.NOWHERE : inner.drivers.seats;
      Seat[] before = now.length == 0 ? below.remove(item) : below.put(item, now);
      for (Seat seat : now) {
        use(seat, 1);
      }
      if (before != null) {
        for (Seat seat : before) {
          use(seat, -1);
        }
      }
      return publish();
    } finally {
      guard.unlock();
    }
  }

  private void use(Seat seat, int by) {
    int now = uses.merge(seat, by, Integer::sum);
    if (now == 0) {
      uses.remove(seat);
      helpersBefore += seat.helpersStarted();
    } else if (now == by) {
      helpersBefore -= seat.helpersStarted();
    }
  }

  /** How many helpers were started for drivers while this poll depended on them. For looking. */
  long helpersStarted() {
    guard.lock();
    try {
      long all = helpersBefore;
      for (Seat seat : seats) {
        all += seat.helpersStarted();
      }
      return all;
    } finally {
      guard.unlock();
    }
  }

  private boolean publish() {
    Seat[] before = seats;
    if (uses.size() == before.length) {
      boolean same = true;
      for (Seat seat : before) {
        same &= uses.containsKey(seat);
      }
      if (same) {
        return false;
      }
    }
    seats = uses.isEmpty() ? Waiter.NOWHERE : uses.keySet().toArray(new Seat[0]);
    return true;
  }
}
