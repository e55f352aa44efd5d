package io.github.eventpoll;

import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Probe;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Add, modify and remove, with the checks in the kernel's order (Linux:
 * fs/eventpoll.c:do_epoll_ctl). Each call either does all of its work or leaves nothing behind.
 */
final class Registry {
  private final EventPoll poll;

  /** Changed under the control lock, and by sources that close. */
  final InterestTable interest = new InterestTable();

  /** Items on channels. */
  final DrivenItems driven;

  /** The first half of an addition. */
  final Linking linking;

  /** Living items; counted up under the control lock, down by whoever made an item dead. */
  private final AtomicInteger size = new AtomicInteger();

  /** Why items are disarmed that are so because their source threw. */
  private final Map<EpItem, Throwable> failures = new ConcurrentHashMap<>(0);

  Registry(EventPoll poll, @Nullable WatchQuota ownQuota, EventPollBuilder settings) {
    this.poll = poll;
    this.linking = new Linking(poll, ownQuota, settings);
    this.driven = new DrivenItems(poll);
  }

  int size() {
    return size.get();
  }

  @Nullable Throwable failureOf(EpItem item) {
    return failures.get(item);
  }

  // ------------------------------------------------------------------------------------ add

  EpItem add(Pollable source, long tag, int mask, @Nullable Object attachment) {
    WaitQueue queue = checked(source, mask);
    EpItem item = new EpItem(poll, source, queue, tag, mask | Events.ALWAYS, attachment);
    Owed owed = new Owed();
    boolean listed = false;
    Lock outermost = linking.insert(item);
    try {
      listed = askAdded(item, owed);
    } finally {
      linking.unlock(outermost);
      if (queue.demand != null) {
        poll.demandChanged(item); // MO-DEMAND-1: linked, then the demand is read (KR-46)
      }
      if (listed) {
        poll.announce();
      }
      owed.settle(); // last: it asks sources and logs, which may fail
    }
    return item;
  }

  /**
   * The checks that need no lock (KERNEL order: closed poll, closed source, no poll support, self).
   */
  private WaitQueue checked(Pollable source, int mask) {
    poll.requireOpen();
    poll.requireNotAsking("add");
    WaitQueue queue = source.waitQueue();
    if (queue == null) {
      throw new EventPollArgumentException(
          Errno.EPERM, source + " cannot be watched: it has no wait queue");
    }
    Driven channel = DrivenItems.of(queue);
    if (queue.isClosed() || (channel != null && channel.ended())) {
      throw Linking.closed(source);
    }
    if (source == poll) {
      throw new EventPollArgumentException(Errno.EINVAL, poll + " cannot watch itself");
    }
    Events.requireKnown(mask);
    if ((mask & Events.EXCLUSIVE) != 0) {
      if (source instanceof EventPoll) {
        throw new EventPollArgumentException(
            Errno.EINVAL, "a poll cannot be watched EXCLUSIVE: " + source);
      }
      Events.requireExclusiveAllowed(mask);
    }
    requireSameClock(source, queue);
    requireDrivable(source, queue, mask);
    return queue;
  }

  /** Channels: a selector cannot watch for everything. */
  static void requireDrivable(Pollable source, WaitQueue queue, int mask) {
    Driven driven = DrivenItems.of(queue);
    String refusal = driven == null ? null : driven.refusal(mask);
    if (refusal != null) {
      throw new EventPollArgumentException(
          Errno.EINVAL,
          source + " cannot be watched for " + Events.toString(mask) + ": " + refusal);
    }
  }

  /** A waiter sleeps by one clock: the deadlines of another would mean nothing to it. */
  private void requireSameClock(Pollable source, WaitQueue queue) {
    Demand demand = queue.demand;
    if (demand != null && demand.clock() != poll.clock) {
      throw new EventPollArgumentException(
          Errno.EINVAL,
          source
              + " lives by another clock than "
              + poll
              + (demand instanceof Driven
                  ? ": on a VirtualTime use channels of a ScriptedDriver on it"
                  : ""));
    }
  }

  /** An item that the table has no other for. Control lock held. */
  void put(EpItem item) {
    interest.putIfAbsent(item);
    size.getAndIncrement();
  }

  /** Asks the source of an item that callbacks can reach already. Control lock held. */
  private boolean askAdded(EpItem item, Owed owed) {
    boolean done = false;
    try {
      driven.attach(item, owed);
      if (item.isTracked()) {
        poll.harvest.hold(item);
        item.source.interestChanged(item.queue.interest());
      }
      poll.at(Probe.Step.ADD_REGISTERED, item);
      VarHandle.fullFence(); // MO-ADD-1: the registration comes before the source's plain state
      boolean ready = (poll.harvest.readiness(item, owed) & item.wanted()) != 0;
      done = true;
      return ready && link(item);
    } finally {
      if (!done) {
        end(item, owed);
      }
    }
  }

  // --------------------------------------------------------------------------------- modify

  void modify(EpItem item, int mask, @Nullable Object attachment, boolean attach) {
    poll.requireOpen();
    poll.requireNotAsking("modify");
    Events.requireKnown(mask);
    if ((mask & Events.EXCLUSIVE) != 0) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "EXCLUSIVE can be given to add only: " + item);
    }
    Owed owed = owedBy(item);
    Supplier<RuntimeException> refusal;
    boolean listed = true; // stays so if the source throws: see rollBack
    poll.control.lock();
    try {
      refusal = item.exclusive() && !item.dead ? () -> exclusive(item) : gone(item);
      listed =
          refusal == null
              && rearm(item, mask | Events.ALWAYS, attach ? attachment : item.attachment(), owed);
    } finally {
      poll.releaseControl();
      if (listed) {
        poll.announce();
      }
      owed.settle();
    }
    if (refusal != null) {
      throw refusal.get();
    }
  }

  /** An ordinary modification owes nothing and allocates nothing. */
  private static Owed owedBy(EpItem item) {
    return item.isTracked() || item.source instanceof EventPoll ? new Owed() : Owed.NOTHING;
  }

  /** Null if the item can be worked on, else why not. Control lock held. */
  private @Nullable Supplier<RuntimeException> gone(EpItem item) {
    if (poll.isClosed()) {
      return poll::closedException;
    }
    return item.dead ? () -> notRegistered(item) : null;
  }

  private static RuntimeException notRegistered(EpItem item) {
    return new EventPollStateException(Errno.ENOENT, "not registered: " + item);
  }

  private static RuntimeException exclusive(EpItem item) {
    return new EventPollArgumentException(
        Errno.EINVAL, "an exclusive item cannot be modified: " + item);
  }

  private boolean rearm(EpItem item, int mask, @Nullable Object attachment, Owed owed) {
    int oldMask = item.interest();
    Object oldAttachment = item.attachment();
    boolean done = false;
    item.arm(mask, attachment); // MO-MOD-1
    try {
      driven.rearmed(item);
      if (item.isTracked()) {
        poll.harvest.hold(item);
        item.source.interestChanged(item.queue.interest());
      }
      poll.at(Probe.Step.MODIFY_STORED, item);
      VarHandle.fullFence(); // MO-MOD-1: the mask comes before the source's plain state
      boolean ready = (poll.harvest.readiness(item, owed) & item.wanted()) != 0;
      done = true;
      failures.remove(item);
      return ready && link(item);
    } finally {
      if (!done) {
        rollBack(item, oldMask, oldAttachment, owed);
      }
    }
  }

  private boolean link(EpItem item) {
    boolean linked = poll.path.link(item);
    poll.at(linked ? Probe.Step.QUEUED : Probe.Step.FOUND_LISTED, item);
    return linked;
  }

  /**
   * Gives an item its mask back. A callback may meanwhile have dropped an event that only this mask
   * wants, and the source cannot be asked: so the item is listed, and the next scan finds out.
   */
  private void rollBack(EpItem item, int mask, @Nullable Object attachment, Owed owed) {
    item.arm(mask, attachment);
    driven.rearmed(item);
    if (Events.armed(mask)) {
      link(item);
    }
    tellInterest(item, owed);
  }

  // --------------------------------------------------------------------------------- remove

  void remove(EpItem item) {
    poll.requireOpen();
    poll.requireNotAsking("remove");
    Owed owed = new Owed();
    Supplier<RuntimeException> refusal;
    poll.control.lock();
    try {
      refusal = gone(item);
      if (refusal == null) {
        end(item, owed);
      }
    } finally {
      poll.releaseControl();
      owed.settle();
    }
    if (refusal != null) {
      throw refusal.get();
    }
  }

  /** Ends an item wherever it is known. Control lock held. */
  private void end(EpItem item, Owed owed) {
    item.queue.unregister(item);
    CallbackPath.Killed killed = poll.path.kill(item);
    poll.path.bury(item);
    poll.at(Probe.Step.REMOVE_DEAD, item);
    if (killed != CallbackPath.Killed.BEFORE) {
      forget(item, owed);
      owed.demandChanged(item);
    }
    if (killed == CallbackPath.Killed.NOW_QUEUED && item.exclusive()) {
      owed.giveBack(item); // KR-18
    }
    tellInterest(item, owed);
    poll.harvest.forget(item);
  }

  /** A source closes its queue. Any thread, any lock; takes no control lock (KR-23). */
  void sourceClosed(EpItem item) {
    CallbackPath.Killed killed = poll.path.kill(item);
    if (killed != CallbackPath.Killed.BEFORE) {
      if (killed == CallbackPath.Killed.NOW_QUEUED) {
        poll.bury(item);
      }
      forget(item, null);
      if (item.queue.demand != null) {
        poll.demandChanged(item);
      }
    }
    poll.harvest.forget(item);
  }

  /** Called once per item, by whoever made it dead, or never registered it. */
  private void forget(EpItem item, @Nullable Owed owed) {
    interest.remove(item);
    size.getAndDecrement();
    VarHandle.fullFence(); // MO-FAIL-1: "dead" comes before the look at the map
    failures.remove(item);
    linking.giveQuotas();
    driven.detach(item, owed);
  }

  /** Ends all items, for a poll that closes. Control lock held. */
  void endAll(Owed owed) {
    for (EpItem item : interest.inOrder()) {
      end(item, owed);
    }
  }

  // --------------------------------------------------------------------------- user's errors

  /** A source threw while it was asked by a scan: the item is disarmed and reports ERR. */
  int failed(EpItem item, Throwable thrown, Owed owed) {
    item.disarm();
    noteFailure(item, thrown, owed);
    return Events.ERR;
  }

  /** Tells a source of a delivery; what it throws is the item's failure and nobody's loss. */
  void tellDelivered(EpItem item, int bits, boolean disarmed, Owed owed) {
    boolean last = driven.delivered(item, bits);
    try {
      item.source.delivered(bits);
    } catch (Throwable thrown) {
      // even an Error: the event is taken and must reach the caller
      noteFailure(item, thrown, owed);
    }
    if (last) {
      end(item, owed);
    } else if (disarmed) {
      tellInterest(item, owed);
    }
  }

  /** Tells a source that wants to know what is wanted of it now, after the fact. */
  private void tellInterest(EpItem item, Owed owed) {
    if (!item.isTracked()) {
      return;
    }
    try {
      poll.harvest.hold(item);
      item.source.interestChanged(item.queue.interest());
    } catch (Throwable thrown) {
      noteFailure(item, thrown, owed); // even an Error: what it comes after cannot be undone
    }
  }

  private void noteFailure(EpItem item, Throwable thrown, Owed owed) {
    failures.put(item, thrown);
    if (item.dead) { // MO-FAIL-1: volatile read after the entry is in the map
      failures.remove(item); // its source closed meanwhile: nobody else would drop the entry
    }
    owed.warn(item, thrown);
  }
}
