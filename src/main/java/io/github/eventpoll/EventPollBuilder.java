package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Probe;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a poll to be made; {@link EventPoll#builder()}. Not thread-safe.
 *
 * @since 0.1
 */
public final class EventPollBuilder {
  long maxWatches = Long.MAX_VALUE;
  @Nullable WatchQuota processQuota = WatchQuota.PROCESS;
  Clock clock = Clock.system();
  @Nullable Probe probe;
  @Nullable Driver driver;
  LockKind lock = LockKind.LOCK_FREE;
  boolean maskPreCheck = true;
  boolean notifiedFastPath = true;
  boolean countStats;

  /** In nanoseconds; 0 for none. */
  long stallPeriod;

  long busyPollNanos;
  Topology topology = Topology.STRIPED;
  PathLimits pathLimits = PathLimits.KERNEL;

  EventPollBuilder() {}

  /**
   * Limits how many items the poll may hold; without a limit unless called. A limit for all polls
   * of the process together is given by the system property {@code io.github.eventpoll.maxWatches}.
   *
   * @param limit the most items, at least 1
   * @return this builder
   * @throws EventPollArgumentException EINVAL if the limit is less than 1
   */
  public EventPollBuilder maxWatches(long limit) {
    if (limit < 1) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "a limit of " + limit + " watches would refuse every source");
    }
    maxWatches = limit;
    return this;
  }

  /**
   * Chooses how callbacks and scans are kept apart; {@link LockKind#LOCK_FREE} unless called.
   *
   * @param kind the variant
   * @return this builder
   */
  public EventPollBuilder lock(LockKind kind) {
    lock = Objects.requireNonNull(kind, "kind");
    return this;
  }

  /**
   * Chooses whether an event that an item does not want is dropped before any lock is taken and
   * anything is written. On unless called.
   *
   * @param on true to test the mask first
   * @return this builder
   */
  public EventPollBuilder maskPreCheck(boolean on) {
    maskPreCheck = on;
    return this;
  }

  /**
   * Chooses whether a wake by a source with trait {@link Pollable#ORDERED_STATE} does nothing at
   * all for a level-triggered item that is on the ready list already: whoever takes it from there
   * will ask the source. Such a wake then wakes no further waiter. No effect on edge-triggered,
   * one-shot and exclusive items, nor while somebody watches or waits on the poll as a source. On
   * unless called; off, every wake wakes one more waiter, as in Linux without that patch.
   *
   * @param on true to skip such wakes
   * @return this builder
   */
  public EventPollBuilder notifiedFastPath(boolean on) {
    notifiedFastPath = on;
    return this;
  }

  /**
   * Lets a wait that finds nothing look again and again for a while before it sleeps (Linux: busy
   * polling of epoll sockets). An event that comes meanwhile costs no switch of threads, which
   * takes some microseconds on both sides; the price is a processor that is busy for up to that
   * time in each wait that sleeps in the end. Less than about 10 microseconds is too short to gain
   * anything. Only for in-memory sources: a poll that depends on channels or set timers sleeps at
   * once, and so does one that lives by a virtual time. None unless called.
   *
   * @param budget how long to look, at most one second; zero for not at all
   * @return this builder
   * @throws EventPollArgumentException EINVAL if the budget is negative or more than one second
   */
  public EventPollBuilder busyPoll(Duration budget) {
    if (budget.isNegative() || budget.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "a budget of " + budget + " for busy polling is not in 0 .. 1 s");
    }
    busyPollNanos = budget.toNanos();
    return this;
  }

  /**
   * Chooses whether {@link EventPoll#stats()} counts.
   *
   * @param on true to count
   * @return this builder
   */
  public EventPollBuilder countStats(boolean on) {
    countStats = on;
    return this;
  }

  /**
   * Has a daemon thread call {@link EventPoll#checkStalls()} several times in each period, until
   * the poll is closed or nobody refers to it any more. All polls share one thread, which there is
   * only while it is needed. Off unless called.
   *
   * <p>What goes on, but more slowly than this, counts as a stall: a thread that was woken and gets
   * no processor for so long, a source that takes so long to answer. A second or more is
   * reasonable; the shorter the period, the more often the daemon itself comes too late and begins
   * anew.
   *
   * @param period how long something must last to be reported; positive
   * @return this builder
   * @throws EventPollArgumentException EINVAL if zero or negative
   */
  public EventPollBuilder watchForStalls(Duration period) {
    if (period.isNegative() || period.isZero()) {
      throw new EventPollArgumentException(Errno.EINVAL, "a period of " + period);
    }
    stallPeriod = EventPoll.nanosOf(period);
    return this;
  }

  /**
   * Chooses which locks of the whole process additions take. Polls of different kinds may watch
   * each other.
   *
   * @param kind the variant
   * @return this builder
   */
  public EventPollBuilder topology(Topology kind) {
    topology = Objects.requireNonNull(kind, "kind");
    return this;
  }

  /**
   * Limits on how many paths an event of one source may climb, from poll to watching poll, to polls
   * that no poll watches. Counted are paths, not polls: a poll that is reached in two ways counts
   * twice. Through one poll, the number of paths is not limited. An addition that would make more
   * paths than the poll that is added to allows is refused with EINVAL, also where a source is
   * added last, below polls that watch each other already. Removing and closing are not checked:
   * they may turn long paths into more short ones than allowed. The limits are those of Linux, 500,
   * 100, 50 and 10, unless called.
   *
   * @param throughTwo the most paths through two polls: one in which the source is, and one that
   *     watches it
   * @param throughThree the most paths through three polls
   * @param throughFour the most paths through four polls
   * @param throughFive the most paths through five polls, the most there may be in a row
   * @return this builder
   * @throws EventPollArgumentException EINVAL if a limit is negative; 0 forbids such paths
   */
  public EventPollBuilder pathLimits(
      int throughTwo, int throughThree, int throughFour, int throughFive) {
    if (Math.min(Math.min(throughTwo, throughThree), Math.min(throughFour, throughFive)) < 0) {
      throw new EventPollArgumentException(Errno.EINVAL, "a negative limit of paths");
    }
    pathLimits = new PathLimits(throughTwo, throughThree, throughFour, throughFive);
    return this;
  }

  void seams(Clock newClock, @Nullable Probe newProbe) {
    clock = newClock;
    if (newProbe != null) {
      probe = Probe.both(probe, newProbe);
    }
  }

  void watch(Probe first) {
    probe = probe == null ? first : Probe.both(first, probe);
  }

  /**
   * Makes the poll.
   *
   * @return a new, empty poll
   */
  public EventPoll build() {
    EventPoll poll = new EventPoll(this);
    if (stallPeriod > 0) {
      StallWatch.begin(poll, stallPeriod);
    }
    return poll;
  }
}
