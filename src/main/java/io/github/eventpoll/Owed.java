package io.github.eventpoll;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a thread owes to others once it holds no lock of the library: wakes of inner polls whose
 * list it has put back, wakes that exclusive items had used up in vain, and warnings. Used by one
 * thread at a time; empty nearly always.
 */
final class Owed {
  private static final Logger LOG = LoggerFactory.getLogger(EventPoll.class);

  /** For calls that cannot come to owe anything. */
  static final Owed NOTHING = new Owed();

  private @Nullable List<EventPoll> wakes;
  private @Nullable List<EpItem> giveBacks;
  private @Nullable List<Seat> flushes;
  private @Nullable List<EpItem> demands;
  private @Nullable List<Runnable> warnings;

  /** A scan of this poll has ended with something left on its list. */
  void wake(EventPoll poll) {
    wakes = appended(wakes, poll);
  }

  /** This exclusive item left the list with an event that nobody got. */
  void giveBack(EpItem item) {
    giveBacks = appended(giveBacks, item);
  }

  /** A driver shall make a pass that gives up what nobody watches any more. */
  void flush(Seat seat) {
    if (flushes == null || !flushes.contains(seat)) {
      flushes = appended(flushes, seat);
    }
  }

  /** This item is gone, and with it what its source asks of the poll's waiters. */
  void demandChanged(EpItem item) {
    if (item.queue.demand != null) {
      demands = appended(demands, item);
    }
  }

  /** The source of this item has thrown. */
  void warn(EpItem item, Throwable thrown) {
    warnings = appended(warnings, () -> LOG.warn("the source of {} has thrown", item, thrown));
  }

  private <T> List<T> appended(@Nullable List<T> list, T element) {
    assert this != NOTHING;
    List<T> to = list == null ? new ArrayList<>() : list;
    to.add(element);
    return to;
  }

  /** Pays. No lock of the library may be held. */
  void settle() {
    if (wakes != null) {
      wakes.forEach(poll -> poll.sleepers.wakeOne());
      wakes.clear();
    }
    if (giveBacks != null) {
      giveBacks.forEach(item -> item.queue.giveBack(readinessOf(item)));
      giveBacks.clear();
    }
    if (flushes != null) {
      flushes.forEach(Seat::flushIfRequested);
      flushes.clear();
    }
    if (demands != null) {
      demands.forEach(item -> item.poll.demandChanged(item));
      demands.clear();
    }
    if (warnings != null) {
      warnings.forEach(Runnable::run);
      warnings.clear();
    }
  }

  /**
   * What happened, for the wake that is given back; everything if the source cannot tell: then it
   * reaches all, and is used up by nobody who may not want it (KR-14).
   */
  private static int readinessOf(EpItem item) {
    try {
      return item.source.readiness();
    } catch (Throwable e) {
      return ~Events.FLAGS; // even an Error: the wake is owed all the same, and all will ask, too
    }
  }
}
