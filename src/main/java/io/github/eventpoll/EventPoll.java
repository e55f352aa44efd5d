package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.ControlLock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches any number of sources; any number of threads wait on it for what has happened, in time
 * that depends on the number of ready sources only. Semantics are those of Linux's epoll(7): level-
 * and edge-triggered, one-shot, exclusive and nested watching.
 *
 * <pre>{@code
 * try (EventPoll poll = EventPoll.create()) {
 *   poll.add(source, Events.IN, "an attachment");
 *   ReadyEvents ready = new ReadyEvents(64);
 *   int n = poll.await(ready);
 *   for (int i = 0; i < n; i++) {
 *     handle(ready.source(i), ready.events(i), ready.attachment(i));
 *   }
 * }
 * }</pre>
 *
 * <p>Every method may be called by any thread at any time, but not by a source that this poll is
 * just asking ({@link IllegalStateException}). A poll is itself a source, ready for {@link
 * Events#IN} and {@link Events#RDNORM} while one of its items is ready.
 *
 * <p>Memory consistency effects: what a thread did before it woke a source's queue is visible to
 * the thread that gets the event from an {@code await} (claim MO-PUB-1).
 *
 * @since 0.1
 */
public final class EventPoll implements Pollable, AutoCloseable {
  /*
   * Locks, outer before inner:
   *
   *   control                      this poll's registrations and scans; the outer poll's before the
   *                                inner's. A source is asked under it.
   *   TopologyLocks                the graph of polls, whole process; while an addition is checked
   *   the path's lock              lists and item state; a few instructions
   *   Sleepers.guard, Deadlines.guard   leaves, never together
   *
   * A wait queue has no lock: registration is a CAS. Downward, from outer to inner poll, control
   * locks nest; upward (callbacks, demands, kicks, close of a source) only path locks and leaves are
   * taken, one at a time (KR-47). Nobody is unparked and no queue is woken for an event under any of
   * them, except by a user's source that rings from inside readiness(). Kicks are another matter:
   * where what is asked of a driver changes, waiters are made to look again under the control lock.
   */
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  final WaitQueue waitQueue;
  private final @Nullable Probe probe;
  final boolean maskPreCheck;
  final boolean notifiedFastPath;

  /** A daemon looks for stalls. */
  private final boolean watched;

  final Clock clock;

  /** How long a wait looks again before it sleeps; 0 for not at all. */
  final long busyPollNanos;

  final ControlLock control = new ControlLock();
  final CallbackPath path;

  /** Null unless the poll counts. */
  final @Nullable Counters counters;

  private final Stats stats;

  final Sleepers sleepers = new Sleepers(this);
  final Deadlines deadlines = new Deadlines();
  final Drivers drivers;
  final Harvest harvest;
  final Registry registry;
  private final Waiting waiting;
  final StallCheck stalls;

  /** Set once, under the control lock; read volatile by waiters: MO-CLOSE-1. */
  private volatile boolean closed;

  EventPoll(EventPollBuilder settings) {
    clock = settings.clock;
    busyPollNanos = clock == Clock.system() ? settings.busyPollNanos : 0;
    probe = settings.probe;
    maskPreCheck = settings.maskPreCheck;
    notifiedFastPath = settings.notifiedFastPath;
    drivers = new Drivers(settings.driver);
    counters = settings.countStats ? new Counters(this, drivers) : null;
    stats = counters != null ? counters : new Uncounted(this);
    path = CallbackPath.of(settings, counters);
    waitQueue = new WaitQueue(new TimersBelow());
    WatchQuota own =
        settings.maxWatches == Long.MAX_VALUE
            ? null
            : new WatchQuota(toString(), settings.maxWatches);
    registry = new Registry(this, own, settings);
    harvest = new Harvest(this);
    waiting = new Waiting(this);
    watched = settings.stallPeriod > 0;
    stalls = new StallCheck(this, watched ? settings.stallPeriod : StallCheck.PERIOD);
  }

  /**
   * Makes a poll with default settings.
   *
   * @return a new, empty poll
   */
  public static EventPoll create() {
    return builder().build();
  }

  /**
   * Begins a poll with other settings.
   *
   * @return a new builder
   */
  public static EventPollBuilder builder() {
    return new EventPollBuilder();
  }

  // ------------------------------------------------------------------------- registrations

  /**
   * Watches a source under tag 0, without attachment; otherwise as {@link #add(Pollable, long, int,
   * Object)}.
   *
   * @param source what to watch
   * @param mask event bits and mode flags of {@link Events}
   * @return the registration
   */
  public EpItem add(Pollable source, int mask) {
    return add(source, 0, mask, null);
  }

  /**
   * Watches a source under tag 0; otherwise as {@link #add(Pollable, long, int, Object)}.
   *
   * @param source what to watch
   * @param mask event bits and mode flags of {@link Events}
   * @param attachment the user's object, handed out with every event
   * @return the registration
   */
  public EpItem add(Pollable source, int mask, @Nullable Object attachment) {
    return add(source, 0, mask, attachment);
  }

  /**
   * Watches a source (Linux: epoll_ctl(2), EPOLL_CTL_ADD). {@link Events#ERR} and {@link
   * Events#HUP} are watched in any case. A source that is ready already is reported, also to
   * edge-triggered and exclusive items. On failure nothing is registered.
   *
   * @param source what to watch; its identity is {@code ==}
   * @param tag tells several registrations of one source apart
   * @param mask event bits and mode flags of {@link Events}
   * @param attachment the user's object, handed out with every event
   * @return the registration
   * @throws EventPollArgumentException EPERM if the source has no wait queue; EINVAL if it is this
   *     poll, the mask has unknown bits, {@link Events#EXCLUSIVE} is asked for a poll or together
   *     with a bit it does not go with, or too many paths would lead from one source to polls that
   *     nobody watches ({@link EventPollBuilder#pathLimits}); ELOOP if polls would watch each other
   *     in a circle or more than five in a row
   * @throws EventPollStateException EBADF if this poll or the source is closed; EEXIST if the
   *     source is registered under this tag; ENOSPC if a watch quota is used up
   * @throws IllegalStateException if called by a source that this poll is just asking
   */
  public EpItem add(Pollable source, long tag, int mask, @Nullable Object attachment) {
    Objects.requireNonNull(source, "source");
    return registry.add(source, tag, mask, attachment);
  }

  /**
   * Finds the registration of a source under tag 0. Never waits.
   *
   * @param source the source
   * @return its item, null if there is none
   */
  public @Nullable EpItem find(Pollable source) {
    return find(source, 0);
  }

  /**
   * Finds the registration of a source under a tag. Never waits.
   *
   * @param source the source
   * @param tag the tag given to add
   * @return its item, null if there is none
   */
  public @Nullable EpItem find(Pollable source, long tag) {
    Objects.requireNonNull(source, "source");
    WaitQueue queue = source.waitQueue();
    if (queue == null) {
      return null;
    }
    EpItem found = registry.interest.find(queue, tag);
    return found == null || found.source != source ? null : found;
  }

  /**
   * The items that are registered now, in the order of their sources' creation. Never waits; with
   * changes going on, each item that was there all the time is in the list.
   *
   * @return a snapshot, unmodifiable
   */
  public List<EpItem> items() {
    return List.copyOf(registry.interest.inOrder());
  }

  /**
   * How many items are registered. Never waits.
   *
   * @return the number of items
   */
  public int size() {
    return registry.size();
  }

  // ----------------------------------------------------------------------------------- await

  /**
   * Waits for events without limit of time (Linux: epoll_wait(2) with timeout −1). Which of several
   * waiters wakes first: the one that came last.
   *
   * @param ready the batch to fill; its capacity is the most that is taken
   * @return how many events were taken; 0 only if {@link #wakeup()} ended the wait
   * @throws InterruptedException if the thread is interrupted and there are no events; the status
   *     is cleared. Events that are there are returned instead, and the status is kept
   * @throws ClosedEventPollException if the poll is or gets closed
   * @throws IllegalStateException if the batch is in use by another wait, or a source calls that
   *     this poll is just asking
   */
  public int await(ReadyEvents ready) throws InterruptedException {
    return waiting.await(Objects.requireNonNull(ready, "ready"), Clock.NEVER);
  }

  /**
   * Waits for events, at most for a time; otherwise as {@link #await(ReadyEvents)}.
   *
   * @param ready the batch to fill
   * @param timeout the longest to wait; zero or negative does not wait at all, then an interrupt is
   *     ignored and a {@code wakeup()} not used up
   * @return how many events were taken; 0 on timeout, never before, and on {@link #wakeup()}
   * @throws InterruptedException as for {@link #await(ReadyEvents)}
   */
  public int await(ReadyEvents ready, Duration timeout) throws InterruptedException {
    return awaitNanos(ready, nanosOf(timeout));
  }

  /**
   * Waits for events, at most for a number of nanoseconds; otherwise as {@link #await(ReadyEvents,
   * Duration)}.
   *
   * @param ready the batch to fill
   * @param timeoutNanos the longest to wait, in nanoseconds
   * @return how many events were taken
   * @throws InterruptedException as for {@link #await(ReadyEvents)}
   */
  public int awaitNanos(ReadyEvents ready, long timeoutNanos) throws InterruptedException {
    Objects.requireNonNull(ready, "ready");
    return waiting.await(ready, deadlineAfter(timeoutNanos));
  }

  /**
   * Waits for events until a point in time; otherwise as {@link #await(ReadyEvents, Duration)}.
   *
   * @param ready the batch to fill
   * @param nanoDeadline a value of {@link System#nanoTime()}; one that has passed does not wait
   * @return how many events were taken
   * @throws InterruptedException as for {@link #await(ReadyEvents)}
   */
  public int awaitUntil(ReadyEvents ready, long nanoDeadline) throws InterruptedException {
    Objects.requireNonNull(ready, "ready");
    return waiting.await(ready, deadlineAfter(nanoDeadline - clock.raw()));
  }

  /**
   * Takes what is ready and never waits; interrupts are ignored and {@code wakeup()} is not used
   * up.
   *
   * @param ready the batch to fill
   * @return how many events were taken, 0 if nothing is ready
   * @throws ClosedEventPollException if the poll is closed
   */
  public int awaitNow(ReadyEvents ready) {
    return waiting.awaitUninterruptibly(Objects.requireNonNull(ready, "ready"), Waiting.NOW);
  }

  /**
   * Waits for events without limit of time, through interrupts: the thread's status is set again on
   * return. Otherwise as {@link #await(ReadyEvents)}.
   *
   * @param ready the batch to fill
   * @return how many events were taken; 0 only if {@link #wakeup()} ended the wait
   */
  public int awaitUninterruptibly(ReadyEvents ready) {
    return waiting.awaitUninterruptibly(Objects.requireNonNull(ready, "ready"), Clock.NEVER);
  }

  /**
   * Waits for events, at most for a time, through interrupts.
   *
   * @param ready the batch to fill
   * @param timeout the longest to wait; zero or negative does not wait at all
   * @return how many events were taken; 0 on timeout and on {@link #wakeup()}
   */
  public int awaitUninterruptibly(ReadyEvents ready, Duration timeout) {
    Objects.requireNonNull(ready, "ready");
    return waiting.awaitUninterruptibly(ready, deadlineAfter(nanosOf(timeout)));
  }

  /**
   * Ends one blocking wait: the present one of the waiter that came last, or else the next one that
   * would sleep. Several calls before that count as one. Waits with timeout zero neither end nor
   * use it up.
   *
   * @throws ClosedEventPollException if the poll is closed
   */
  public void wakeup() {
    requireOpen();
    sleepers.wakeup();
  }

  /**
   * Ends the present wait of every waiter, and of no later one.
   *
   * @throws ClosedEventPollException if the poll is closed
   */
  public void wakeupAll() {
    requireOpen();
    sleepers.chooseAll(Waiter.AWOKEN);
  }

  /**
   * Waits on one source without a poll (Linux: poll(2) with one descriptor). A source that closes
   * meanwhile is reported as {@link Events#HUP}.
   *
   * @param source the source
   * @param mask event bits; ERR and HUP are always looked for; mode flags are refused
   * @param timeout the longest to wait; zero or negative does not wait; null waits without limit
   * @return what the source is ready for, as far as it is in the mask; 0 on timeout
   * @throws InterruptedException if the thread is interrupted and the source is not ready; the
   *     status is cleared
   * @throws EventPollArgumentException EPERM if the source has no wait queue, EINVAL for a bad mask
   * @throws EventPollStateException EBADF if the source is closed
   */
  public static int awaitOne(Pollable source, int mask, @Nullable Duration timeout)
      throws InterruptedException {
    WaitQueue queue = source.waitQueue();
    if (queue == null) {
      throw new EventPollArgumentException(
          Errno.EPERM, source + " cannot be watched: it has no wait queue");
    }
    Events.requireKnown(mask);
    if ((mask & Events.FLAGS) != 0) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "mode flags mean nothing here: " + Events.toString(mask));
    }
    long deadline = Clock.NEVER;
    if (timeout != null) {
      long nanos = nanosOf(timeout);
      deadline = nanos <= 0 ? Waiting.NOW : OneWaiter.clockOf(source, queue).after(nanos);
    }
    return OneWaiter.await(source, queue, mask, deadline);
  }

  private long deadlineAfter(long nanos) {
    return nanos <= 0 ? Waiting.NOW : clock.after(nanos);
  }

  static long nanosOf(Duration timeout) {
    try {
      return timeout.toNanos();
    } catch (ArithmeticException e) {
      return timeout.isNegative() ? 0 : Long.MAX_VALUE;
    }
  }

  // ----------------------------------------------------------------------------- as a source

  /**
   * Whether an await would find something: asks the sources of queued items until one is ready, and
   * takes nothing (Linux: fs/eventpoll.c:ep_eventpoll_poll).
   */
  @Override
  public int readiness() {
    requireNotAsking("readiness");
    if (deadlines.nearest() != Clock.NEVER) {
      expireDue(clock.now());
    }
    Owed owed = new Owed();
    try {
      return harvest.revalidate(owed);
    } finally {
      owed.settle();
    }
  }

  @Override
  public WaitQueue waitQueue() {
    return waitQueue;
  }

  /** The demand of this poll as a source: the timers in it and below it. */
  private final class TimersBelow implements Demand {
    @Override
    public long nearestDeadline() {
      return deadlines.nearest();
    }

    @Override
    public void expire(long now) {
      expireDue(now);
    }

    @Override
    public Clock clock() {
      return clock;
    }
  }

  // ----------------------------------------------------------------------------- the way of an
  // event

  /** A source's queue was woken: list the item, wake one waiter, tell those who watch this poll. */
  boolean callback(EpItem item, int key) {
    at(Probe.Step.CALLBACK, item, key);
    if (item.isSkippable()) {
      skipped(item);
      return false;
    }
    if (item.isUnwanted(key)) { // to an exclusive item the wake is not used up (KR-14)
      dropped(item);
      return false;
    }
    if (!path.accept(item, key)) {
      at(Probe.Step.REFUSED, item);
      tidyIfIdle();
      return false;
    }
    at(Probe.Step.CALLBACK_LISTED, item);
    boolean chosen = announce();
    boolean used = chosen && consumes(item, key); // MO-EXCL-1: has chosen, not merely seen one
    at(Probe.Step.CALLBACK_DONE, item, used ? 1 : 0);
    return used;
  }

  private void skipped(EpItem item) {
    if (counters != null) {
      counters.skipped.increment();
    }
    at(Probe.Step.SKIPPED, item);
  }

  private void dropped(EpItem item) {
    if (counters != null) {
      counters.dropped.increment();
    }
    at(Probe.Step.UNWANTED, item);
  }

  /** Nobody counts or sees what callbacks do. */
  boolean isQuiet() {
    return probe == null && counters == null;
  }

  /**
   * After something was listed: one waiter and all watchers. Linux passes on the key IN whatever
   * happened below (fs/eventpoll.c:ep_poll_callback).
   */
  boolean announce() {
    boolean chosen = sleepers.wakeOne();
    if (counters != null) {
      count(counters, chosen);
    }
    waitQueue.wakeOrdered(Events.IN);
    return chosen;
  }

  private void count(Counters to, boolean chosen) {
    if (chosen) {
      to.waiters.increment();
    }
    if (waitQueue.hasEntries()) {
      to.watchers.increment();
    }
  }

  /** Whether an exclusive item that woke somebody has used the wake up. */
  private static boolean consumes(EpItem item, int key) {
    int direction = key & (Events.IN | Events.OUT);
    if (direction == 0) {
      return true;
    }
    return direction != (Events.IN | Events.OUT) && (item.interest() & direction) != 0;
  }

  /** A source asks for other things than before; carried to those who watch this poll (KR-45). */
  void demandChanged(EpItem item) {
    boolean changed = item.source instanceof EventPoll inner && drivers.update(item, inner);
    if (changed) {
      at(Probe.Step.DEMAND_CHANGED, this);
      sleepers.kickAll();
    }
    Demand demand = Objects.requireNonNull(item.queue.demand);
    long before = deadlines.update(item, demand);
    at(Probe.Step.DEADLINE_READ, item);
    long nearest = deadlines.nearest();
    if (nearest < before) {
      sleepers.deadlineNearer(nearest);
    }
    if (changed || nearest != before) {
      waitQueue.demandChanged();
    }
  }

  /** This poll depends on other drivers than before (KR-45). */
  void driversChanged() {
    at(Probe.Step.DEMAND_CHANGED, this);
    sleepers.kickAll();
    waitQueue.demandChanged();
  }

  /** Gives every source whose deadline has come its turn. No lock held. */
  void expireDue(long now) {
    while (deadlines.nearest() <= now) {
      EpItem item = deadlines.firstDue(now);
      if (item == null) {
        return;
      }
      at(Probe.Step.DUE, item);
      Objects.requireNonNull(item.queue.demand).expire(now);
      demandChanged(item);
    }
  }

  /** A chosen waiter could not harvest: somebody else must (KR-3, KR-18). No lock held. */
  void passOn() {
    if (path.available() && !sleepers.wakeOne()) {
      giveBackListed();
    }
  }

  /** Nobody of this poll will look soon: the exclusive items on its list give their wakes back. */
  void giveBackListed() {
    Owed owed = new Owed();
    control.lock();
    try {
      for (EpItem item : path.listedExclusives()) {
        owed.giveBack(item);
      }
    } finally {
      releaseControl();
    }
    owed.settle();
  }

  // -------------------------------------------------------------------------------- the dead

  /** Gives the control lock back; every holder does it here. */
  void releaseControl() {
    control.unlock(); // MO-BURY-1: released, then it is looked for dead items
    tidyIfIdle();
  }

  /**
   * Takes an item off the list that died without the control lock. Never waits for that: who holds
   * it may be waiting for this thread, and will do it (KR-23).
   */
  void bury(EpItem item) {
    if (control.tryLock()) {
      try {
        path.bury(item);
      } finally {
        releaseControl();
      }
    } else {
      path.leaveDead(); // MO-BURY-1: said, then the lock is tried again
      tidyIfIdle();
    }
  }

  private void tidyIfIdle() {
    while (path.untidy && !control.isHeldByCurrentThread() && control.tryLock()) {
      try {
        path.tidy();
      } finally {
        control.unlock();
      }
    }
  }

  // ------------------------------------------------------------------------------------ close

  /**
   * Closes the poll: its items are gone, every waiter returns with its events or with {@link
   * ClosedEventPollException}, polls that watch it lose their item. Sources stay open. Closing
   * twice does nothing.
   *
   * @throws IllegalStateException if called by a source that this poll is just asking
   */
  @Override
  public void close() {
    requireNotAsking("close");
    Owed owed = new Owed();
    control.lock();
    try {
      if (closed) {
        return;
      }
      closed = true; // MO-CLOSE-1: volatile store, then the waiters are looked for
      at(Probe.Step.CLOSE_MARKED, this);
      registry.endAll(owed);
    } finally {
      releaseControl();
      sleepers.chooseAll(0);
      waitQueue.close();
      owed.settle();
      endStallChecks();
    }
  }

  private void endStallChecks() {
    stalls.endIfClosed();
    if (watched) {
      StallWatch.end(this);
    }
  }

  /**
   * Tells whether the poll was closed.
   *
   * @return true once {@link #close} was called
   */
  public boolean isClosed() {
    return closed;
  }

  void requireOpen() {
    if (closed) {
      throw closedException();
    }
  }

  ClosedEventPollException closedException() {
    return new ClosedEventPollException(toString());
  }

  /** KR-21: the control lock would let its owner in again, under the feet of its own scan. */
  void requireNotAsking(String call) {
    if (control.isHeldByCurrentThread()) {
      EpItem item = harvest.inHand();
      throw new IllegalStateException(
          (item == null ? "a source" : item.source.toString())
              + " called "
              + call
              + " on "
              + this
              + ", which is just asking it");
    }
  }

  void at(Probe.Step step, Object who) {
    if (probe != null) {
      probe.at(step, who);
    }
  }

  void at(Probe.Step step, Object who, int bits) {
    if (probe != null) {
      probe.at(step, who, bits);
    }
  }

  // ------------------------------------------------------------------------------------- looking

  /**
   * A description of the poll for people: items with their masks, whether they are queued and
   * armed, why they failed; waiters, where and how long they sleep; who watches the poll; the
   * drivers of its channels and who leads them; and the same of the polls in it, each once. All
   * instants are nanoseconds from now. Never waits; with changes going on it may be out of date.
   *
   * @return several lines of text, for people: its form is no promise
   */
  public String dump() {
    return Dump.of(this);
  }

  /**
   * Counts of what this poll did, and what it has. The counts are zero unless {@link
   * EventPollBuilder#countStats} was chosen.
   *
   * @return a live view
   */
  public Stats stats() {
    return stats;
  }

  /**
   * Looks for what does not go on: see {@link Stall.Kind}. A finding is what this call and earlier
   * ones have seen over a second at least, or over the time given to {@link
   * EventPollBuilder#watchForStalls}, in the same state all the time; so the first call finds
   * nothing. What is found is also logged, as one warning with the {@link #dump()} of this poll, at
   * most once in a minute.
   *
   * <p>Asks no source, but may ask for its text. Waits for no lock of the poll. Costs time in
   * proportion to the items where there is something to look for.
   *
   * @return the findings, most often none; unmodifiable
   */
  public List<Stall> checkStalls() {
    return stalls.look();
  }

  @Override
  public String toString() {
    return "EventPoll#" + number;
  }
}
