package io.github.eventpoll;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counters behind {@link Stats}: striped, so that counting adds no line that all write. They
 * order nothing.
 */
final class Counters extends Uncounted {
  final LongAdder dropped = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder locked = new LongAdder();
  final LongAdder queued = new LongAdder();
  final LongAdder overflowed = new LongAdder();
  final LongAdder waiters = new LongAdder();
  final LongAdder watchers = new LongAdder();
  final LongAdder topologyLocked = new LongAdder();

  final LongAdder timeouts = new LongAdder();
  final LongAdder wakeups = new LongAdder();
  final LongAdder passes = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final LongAdder sleeps = new LongAdder();

  private final Drivers drivers;

  Counters(EventPoll poll, Drivers drivers) {
    super(poll);
    this.drivers = drivers;
  }

  /** A wait has ended, with so many events. */
  void waited(int found) {
    waits.increment();
    if (found > 0) {
      events.add(found);
    }
  }

  /** A waiter has slept, parked or in a driver. */
  void slept(boolean inDriver) {
    sleeps.increment();
    if (inDriver) {
      passes.increment();
    }
  }

  @Override
  public boolean isCounting() {
    return true;
  }

  @Override
  public long droppedByMask() {
    return dropped.sum();
  }

  @Override
  public long skippedAsNotified() {
    return skipped.sum();
  }

  @Override
  public long locksTaken() {
    return locked.sum();
  }

  @Override
  public long queued() {
    return queued.sum();
  }

  @Override
  public long overflowed() {
    return overflowed.sum();
  }

  @Override
  public long waitersWoken() {
    return waiters.sum();
  }

  @Override
  public long watchersWoken() {
    return watchers.sum();
  }

  @Override
  public long topologyLocksTaken() {
    return topologyLocked.sum();
  }

  @Override
  public long waits() {
    return waits.sum();
  }

  @Override
  public long timeouts() {
    return timeouts.sum();
  }

  @Override
  public long wakeups() {
    return wakeups.sum();
  }

  @Override
  public long events() {
    return events.sum();
  }

  @Override
  public long sleeps() {
    return sleeps.sum();
  }

  @Override
  public long passes() {
    return passes.sum();
  }

  @Override
  public long helpersStarted() {
    return drivers.helpersStarted();
  }
}
