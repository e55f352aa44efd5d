package io.github.eventpoll;

import io.github.eventpoll.internal.ControlLock;
import io.github.eventpoll.internal.Probe;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The scan: takes the ready list, asks each item's source, delivers what is ready, keeps what stays
 * ready. One at a time per poll, under the control lock (Linux: fs/eventpoll.c:ep_send_events).
 */
final class Harvest {
  private static final VarHandle TAKES;

  static {
    try {
      TAKES = MethodHandles.lookup().findVarHandle(Harvest.class, "takes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EventPoll poll;

  // The poll's own parts, to be reached without passing through it.
  private final ControlLock control;
  private final CallbackPath path;

  /** How many harvests have ended; written under the control lock, read opaque by who looks. */
  @SuppressWarnings("UnusedVariable") // read through TAKES
  private long takes;

  /**
   * The item whose source was asked or told last, for messages. Written under the control lock, and
   * set to null by a source that closes: at worst a message does without a name, or one dead item
   * stays here until the next source is asked.
   */
  private @Nullable EpItem inHand;

  Harvest(EventPoll poll) {
    this.poll = poll;
    this.control = poll.control;
    this.path = poll.path;
  }

  /** The item whose source is being called; only meaningful to the thread that holds the lock. */
  @Nullable EpItem inHand() {
    return inHand;
  }

  /** How many harvests have ended so far; any thread. */
  long takes() {
    return (long) TAKES.getOpaque(this);
  }

  /** Notes whose source is called now. Control lock held. */
  void hold(EpItem item) {
    if (inHand != item) { // compared first: most often the same source is asked again
      inHand = item;
    }
  }

  /** Drops the reference to an item that has ended. */
  void forget(EpItem item) {
    if (inHand == item) {
      inHand = null;
    }
  }

  /**
   * Fills a batch from the ready list, then wakes one more waiter if anything remains, and pays
   * what is owed. The calling thread holds no lock.
   *
   * @return how many events were taken
   */
  int take(ReadyEvents out) {
    int taken;
    boolean more = false;
    boolean complete = false;
    control.lock();
    try {
      poll.requireOpen();
      poll.at(Probe.Step.SCAN_BEFORE, poll);
      path.startScan();
      try {
        poll.at(Probe.Step.SCAN_STARTED, poll);
        taken = fill(out);
      } finally {
        takes++;
        more = path.endScan();
        recordOverflow();
      }
      complete = true;
    } finally {
      poll.releaseControl();
      poll.at(Probe.Step.SCAN_ENDED, poll);
      if (more && !poll.sleepers.wakeOne() && !complete) {
        poll.giveBackListed();
      }
      out.owed.settle();
    }
    return taken;
  }

  /** After the end of a scan, and after it is known whether more is there. */
  private void recordOverflow() {
    int arrived = path.arrived;
    if (arrived != 0) {
      path.arrived = 0;
      Recorder.IT.overflow(poll, arrived);
    }
  }

  private int fill(ReadyEvents out) {
    int taken = 0;
    while (taken < out.capacity()) {
      EpItem item = path.next();
      if (item == null) {
        break;
      }
      int bits;
      try {
        out.reserve(taken);
        bits = ask(item, out.owed);
      } catch (Error e) {
        path.putBack(item);
        if (taken > 0) {
          return taken; // what was taken must reach the caller; the next scan meets the error again
        }
        throw e;
      }
      if (bits != 0 && !item.dead) {
        out.put(taken++, item, bits);
        poll.at(Probe.Step.DELIVERED, item, bits);
        keep(item, bits, out.owed);
      } else {
        drop(item);
      }
    }
    return taken;
  }

  /** What an item in hand is ready for and wants; 0 if it is to be dropped. */
  private int ask(EpItem item, Owed owed) {
    int bits;
    try {
      bits = wantedAndReady(item, owed);
    } catch (Error e) {
      throw e;
    } catch (Throwable thrown) {
      bits = poll.registry.failed(item, thrown, owed);
      path.letGo(item); // disarmed first: what is missed from here on, modify will find
    }
    poll.at(Probe.Step.SCAN_ASKED, item, bits);
    return bits;
  }

  /**
   * Asks the source of an item in hand. An item that may leave the list after this is let go before
   * its source is asked, so that a wake which came too late for the answer lists it again (KR-8). A
   * level-triggered item leaves it only if its source is not ready: so it is let go only then, and
   * the source asked once more.
   */
  private int wantedAndReady(EpItem item, Owed owed) {
    poll.at(Probe.Step.SCAN_ASK, item);
    int wanted = item.wanted();
    if (wanted == 0) {
      path.letGo(item);
      return 0; // disarmed while it was queued
    }
    if (!item.isLevel()) {
      path.letGo(item);
    }
    path.beforeAsking(item);
    int bits = readiness(item, owed) & wanted;
    if (bits == 0 && path.letGo(item)) {
      poll.at(Probe.Step.LET_GO, item);
      path.beforeAsking(item);
      bits = readiness(item, owed) & wanted;
    }
    return bits;
  }

  /**
   * Asks a source. A source that is closed, or closes while it is asked, is ready for nothing
   * (KR-24). Control lock held.
   */
  int readiness(EpItem item, Owed owed) {
    if (item.queue.isClosed()) {
      return 0;
    }
    hold(item);
    int bits =
        item.source instanceof EventPoll inner
            ? inner.harvest.revalidate(owed)
            : item.source.readiness();
    if (item.queue.isClosed()) {
      forget(item);
      return 0;
    }
    return bits;
  }

  /** After delivery: one-shot is disarmed, level-triggered queued again, edge-triggered let go. */
  private void keep(EpItem item, int bits, Owed owed) {
    int mask = item.interest();
    boolean level = item.isLevel() && Events.armed(mask);
    if ((mask & Events.ONESHOT) != 0) {
      item.disarm();
    }
    if (item.isTracked()) {
      poll.registry.tellDelivered(item, bits, !item.isArmed(), owed);
    }
    if (level && !(item.isTracked() && poll.registry.driven.settled(item))) {
      path.requeue(item);
      poll.at(Probe.Step.REQUEUED, item);
    } else {
      path.drop(item);
      poll.at(Probe.Step.UNLISTED, item);
    }
  }

  /** Not ready. */
  private void drop(EpItem item) {
    path.drop(item);
    poll.at(Probe.Step.UNLISTED, item);
    if (item.isTracked()) {
      poll.registry.driven.dropped(item);
    }
  }

  /**
   * Answers, as a source, whether this poll has anything: asks its items until one is ready, leaves
   * that one and the rest where they are and drops those before it (Linux:
   * fs/eventpoll.c:__ep_eventpoll_poll). The caller may hold the control locks of outer polls.
   *
   * <p>In one piece, because HotSpot inlines no method of more than 325 bytecodes: or it would put
   * this, with a second copy of all that a scan does, into every scan, and slow down those that ask
   * no poll.
   */
  int revalidate(Owed owed) {
    poll.requireNotAsking("readiness"); // not even through a poll that watches this one
    if (!path.available()) {
      return 0;
    }
    boolean more = false;
    control.lock();
    try {
      if (poll.isClosed()) {
        return 0;
      }
      poll.at(Probe.Step.SCAN_BEFORE, poll);
      path.startScan();
      try {
        poll.at(Probe.Step.SCAN_STARTED, poll);
        for (EpItem item = path.next(); item != null; item = path.next()) {
          boolean ready;
          try {
            ready = wantedAndReady(item, owed) != 0;
          } catch (Error e) {
            path.putBack(item);
            throw e;
          } catch (Throwable thrown) {
            ready = true; // a harvest of this poll will meet it and deliver ERR
          }
          poll.at(Probe.Step.SCAN_ASKED, item, ready ? item.wanted() : 0);
          if (ready) {
            path.putBack(item);
            poll.at(Probe.Step.REQUEUED, item);
            return Events.IN | Events.RDNORM;
          }
          path.drop(item);
          poll.at(Probe.Step.UNLISTED, item);
          if (item.isTracked()) {
            poll.registry.driven.dropped(item);
          }
        }
        return 0;
      } finally {
        more = path.endScan();
        recordOverflow();
      }
    } finally {
      poll.releaseControl();
      if (more) {
        owed.wake(poll);
      }
    }
  }
}
