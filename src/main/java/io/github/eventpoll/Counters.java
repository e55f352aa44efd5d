package io.github.eventpoll;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counters behind {@link Stats}: striped, so that counting adds no line that all write. They
 * order nothing.
 */
final class Counters implements Stats {
  final LongAdder dropped = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder locked = new LongAdder();
  final LongAdder queued = new LongAdder();
  final LongAdder overflowed = new LongAdder();
  final LongAdder waiters = new LongAdder();
  final LongAdder watchers = new LongAdder();
  final LongAdder topologyLocked = new LongAdder();

  private final boolean counting;

  Counters(boolean counting) {
    this.counting = counting;
  }

  @Override
  public boolean isCounting() {
    return counting;
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
}
