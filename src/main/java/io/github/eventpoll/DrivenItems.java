package io.github.eventpoll;

import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Driver;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tells the sources that a driver reports for, the channels, what happens to the items of one poll,
 * so that they know what to ask of the driver. Does nothing for other items.
 */
final class DrivenItems {
  private final EventPoll poll;

  /** Exclusive items that were delivered: each holds its channel until this poll waits again. */
  private final ConcurrentLinkedQueue<EpItem> holding = new ConcurrentLinkedQueue<>();

  /** Whether the poll ever had an exclusive channel: most have none. Set once, before it holds. */
  private volatile boolean mayHold;

  DrivenItems(EventPoll poll) {
    this.poll = poll;
  }

  static @Nullable Driven of(WaitQueue queue) {
    return queue.demand instanceof Driven driven ? driven : null;
  }

  /** A new item, known to its source's queue already. Control lock held. */
  void attach(EpItem item, Owed owed) {
    Driven driven = of(item.queue);
    if (driven == null) {
      return;
    }
    Driver driver = driven.attach(item, item.interest(), poll.drivers.own());
    if (poll.drivers.attached(driver, item.exclusive())) {
      poll.driversChanged();
    }
    if (item.dead) {
      detach(item, owed); // the source closed meanwhile and found nothing to detach
    }
  }

  /** The item's mask has changed. Control lock held. */
  void rearmed(EpItem item) {
    Driven driven = of(item.queue);
    if (driven != null) {
      driven.rearmed(item, item.interest());
    }
  }

  /** The item was delivered. True if that was its last event. Control lock held. */
  boolean delivered(EpItem item, int bits) {
    Driven driven = of(item.queue);
    if (driven == null) {
      return false;
    }
    driven.delivered(item, bits);
    if (item.exclusive()) {
      mayHold = true;
      holding.add(item);
    }
    return driven.ended();
  }

  /** The item was queued and not ready. Control lock held. */
  void dropped(EpItem item) {
    Driven driven = of(item.queue);
    if (driven != null) {
      driven.dropped(item);
    }
  }

  /**
   * True if a level-triggered item that was just delivered must be reported anew before it is ready
   * again: then it is dropped at once, and not queued for a scan that would only find that out.
   * Control lock held.
   */
  boolean settled(EpItem item) {
    Driven driven = of(item.queue);
    if (driven == null) {
      return false;
    }
    try {
      if (isReady(item)) {
        return false;
      }
      if (poll.path.letGo(item)) { // MO-NOTIFY-1: as a scan does
        poll.path.beforeAsking(item);
        if (isReady(item)) {
          return false;
        }
      }
    } catch (Throwable thrown) {
      return false; // a user's source around a channel: the next scan meets it
    }
    driven.dropped(item);
    return true;
  }

  private static boolean isReady(EpItem item) {
    return (item.source.readiness() & item.wanted()) != 0;
  }

  /**
   * A thread waits on this poll: what it held of exclusive channels may be offered again (KR-36).
   */
  void resume() {
    if (!mayHold) {
      return;
    }
    for (EpItem item = holding.poll(); item != null; item = holding.poll()) {
      Driven driven = of(item.queue);
      if (driven != null && !item.dead) {
        driven.resumed(item);
      }
    }
  }

  /**
   * The item is dead. Any lock may be held: if the driver wants a pass for that, it is owed
   * (KR-38). A source that closes sees to it itself.
   */
  void detach(EpItem item, @Nullable Owed owed) {
    Driven driven = of(item.queue);
    if (driven == null) {
      return;
    }
    Driver driver = driven.detach(item);
    if (driver == null) {
      return;
    }
    if (poll.drivers.detached(driver)) {
      poll.driversChanged();
    }
    if (owed != null && driver.flushRequested()) {
      owed.flush((Seat) driver.seat());
    }
  }
}
