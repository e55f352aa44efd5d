package io.github.eventpoll;

/** The {@link Stats} of a poll that does not count: what it has at present, and zeroes. */
class Uncounted implements Stats {
  private final EventPoll poll;

  Uncounted(EventPoll poll) {
    this.poll = poll;
  }

  @Override
  public boolean isCounting() {
    return false;
  }

  @Override
  public final int items() {
    return poll.size();
  }

  @Override
  public final int waiters() {
    return poll.sleepers.size();
  }

  @Override
  public long droppedByMask() {
    return 0;
  }

  @Override
  public long skippedAsNotified() {
    return 0;
  }

  @Override
  public long locksTaken() {
    return 0;
  }

  @Override
  public long queued() {
    return 0;
  }

  @Override
  public long overflowed() {
    return 0;
  }

  @Override
  public long waitersWoken() {
    return 0;
  }

  @Override
  public long watchersWoken() {
    return 0;
  }

  @Override
  public long topologyLocksTaken() {
    return 0;
  }

  @Override
  public long waits() {
    return 0;
  }

  @Override
  public long timeouts() {
    return 0;
  }

  @Override
  public long wakeups() {
    return 0;
  }

  @Override
  public long events() {
    return 0;
  }

  @Override
  public long sleeps() {
    return 0;
  }

  @Override
  public long passes() {
    return 0;
  }

  @Override
  public long helpersStarted() {
    return 0;
  }
}
