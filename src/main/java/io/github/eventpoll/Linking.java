package io.github.eventpoll;

import io.github.eventpoll.internal.Probe;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new item known to its poll's tree and its source's queue, if the quotas and the graph of
 * polls allow it (Linux: fs/eventpoll.c:ep_ctl_lock and the first half of ep_insert). Everything is
 * decided before anything is visible, so that a refusal leaves nothing to undo but counts.
 */
final class Linking {
  /** Says that the item was entered, and the source's queue is closed. */
  private static final Supplier<RuntimeException> CLOSED = IllegalStateException::new;

  private final EventPoll poll;
  private final @Nullable WatchQuota ownQuota;
  private final @Nullable WatchQuota processQuota;
  private final Topology topology;
  private final PathLimits limits;

  /**
   * How many additions of this poll to others are under way. Counted up under the control lock,
   * down by anyone: MO-NEST-1.
   */
  private final AtomicInteger nestings = new AtomicInteger();

  Linking(EventPoll poll, @Nullable WatchQuota ownQuota, EventPollBuilder settings) {
    this.poll = poll;
    this.ownQuota = ownQuota;
    this.processQuota = settings.processQuota;
    this.topology = settings.topology;
    this.limits = settings.pathLimits;
  }

  /**
   * Links an item and returns with the control lock held, and with the lock that is returned; on
   * failure without locks and without a trace. Messages are made without any lock: they call the
   * source's {@code toString}.
   */
  @Nullable Lock insert(EpItem item) {
    EventPoll inner = item.source instanceof EventPoll nested ? nested : null;
    if (inner != null) {
      inner.registry.linking.beginNesting();
    }
    try {
      Lock outermost = lock(inner);
      Supplier<RuntimeException> refusal = null;
      boolean linked = false;
      try {
        refusal = poll.isClosed() ? poll::closedException : link(item, inner);
        linked = refusal == null;
      } finally {
        if (!linked) {
          unlock(outermost);
        }
      }
      if (refusal != null) {
        throw refusal.get();
      }
      return outermost;
    } finally {
      if (inner != null) {
        inner.registry.linking.nestings.getAndDecrement(); // MO-NEST-1: after it was linked
      }
    }
  }

  /** Gives back what {@link #insert} returned with. */
  void unlock(@Nullable Lock outermost) {
    poll.releaseControl();
    if (outermost != null) {
      outermost.unlock();
    }
  }

  /** Takes the control lock, after the lock that is returned. */
  private @Nullable Lock lock(@Nullable EventPoll inner) {
    Lock outermost = TopologyLocks.outermost(topology, inner != null);
    if (outermost == null) {
      poll.control.lock();
      return null;
    }
    if (inner == null) {
      poll.control.lock();
      if (!counts()) {
        return null;
      }
      poll.releaseControl(); // everything is given back, nothing is upgraded
    }
    outermost.lock();
    poll.control.lock();
    return outermost;
  }

  /**
   * Announces that this poll is about to be watched. Returns when every addition to it that has
   * found it unwatched is linked, and visible to the caller.
   */
  private void beginNesting() {
    poll.control.lock(); // MO-NEST-1: guard; no other lock of ours is held
    nestings.getAndIncrement();
    poll.releaseControl();
    poll.at(Probe.Step.NESTING_BEGUN, poll);
  }

  /**
   * Whether a source that is added here gets paths that count: some poll watches this one, or is
   * about to. Control lock held.
   */
  private boolean counts() {
    // MO-NEST-1: in this order, both volatile: who has counted down has linked before
    return nestings.get() != 0 || poll.waitQueue().watchedByPoll();
  }

  /** Null if the item is linked everywhere, else why it is not. Control lock held. */
  private @Nullable Supplier<RuntimeException> link(EpItem item, @Nullable EventPoll inner) {
    if (inner == null && !counts()) {
      poll.at(Probe.Step.LINK_UNCHECKED, item);
      return entered(item, enter(item, null));
    }
    if (poll.counters != null) {
      poll.counters.topologyLocked.increment();
    }
    Stripe own = inner == null ? TopologyLocks.of(item.queue) : null;
    if (own != null) {
      own.lock(); // MO-NEST-2
    } else {
      TopologyLocks.lockAll(); // MO-NEST-2
    }
    Supplier<RuntimeException> refusal;
    try {
      poll.at(Probe.Step.TOPOLOGY_LOCKED, item);
      refusal = inner == null ? null : NestingCheck.refusal(poll, inner);
      if (refusal == null) {
        refusal = enter(item, limits);
      }
    } finally {
      if (own != null) {
        own.unlock();
      } else {
        TopologyLocks.unlockAll();
      }
    }
    return entered(item, refusal);
  }

  /** Null if the item is known everywhere. Control lock held, and stripes if there are limits. */
  private @Nullable Supplier<RuntimeException> enter(EpItem item, @Nullable PathLimits check) {
    EpItem present = poll.registry.interest.find(item.queue, item.tag);
    if (present != null) {
      return () -> taken(item, present);
    }
    WatchQuota exceeded = takeQuotas();
    if (exceeded != null) {
      return () -> exceeded.exception(item.source);
    }
    Supplier<RuntimeException> refusal = null;
    boolean kept = false;
    try {
      refusal = check == null ? null : PathCheck.refusal(item, check);
      kept = refusal == null;
    } finally {
      if (!kept) {
        giveQuotas();
      }
    }
    if (refusal != null) {
      return refusal;
    }
    poll.registry.put(item);
    return item.queue.register(item) ? null : CLOSED; // MO-REG-1, MO-ADD-1
  }

  /** The end of it, without stripes: an item of a source that closed meanwhile is taken back. */
  private @Nullable Supplier<RuntimeException> entered(
      EpItem item, @Nullable Supplier<RuntimeException> refusal) {
    if (refusal != CLOSED) {
      return refusal;
    }
    poll.registry.sourceClosed(item);
    return () -> closed(item.source);
  }

  static EventPollStateException closed(Pollable source) {
    return new EventPollStateException(Errno.EBADF, source + " is closed");
  }

  private static RuntimeException taken(EpItem item, EpItem present) {
    if (present.source != item.source) {
      return new EventPollArgumentException(
          Errno.EINVAL, item.source + " shares its wait queue with " + present.source);
    }
    return new EventPollStateException(Errno.EEXIST, "registered already: " + present);
  }

  /** Takes one from every quota, or nothing from any; returns the one that is used up. */
  private @Nullable WatchQuota takeQuotas() {
    if (processQuota != null && !processQuota.tryTake()) {
      return processQuota;
    }
    if (ownQuota != null && !ownQuota.tryTake()) {
      if (processQuota != null) {
        processQuota.give();
      }
      return ownQuota;
    }
    return null;
  }

  /** One item less. */
  void giveQuotas() {
    if (ownQuota != null) {
      ownQuota.give();
    }
    if (processQuota != null) {
      processQuota.give();
    }
  }
}
