package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Probe;
import org.jspecify.annotations.Nullable;

/** Settings of a poll to be made; {@link EventPoll#builder()}. Not thread-safe. */
public final class EventPollBuilder {
  long maxWatches = Long.MAX_VALUE;
  @Nullable WatchQuota processQuota = WatchQuota.PROCESS;
  Clock clock = Clock.system();
  @Nullable Probe probe;
  @Nullable Driver driver;

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

  void seams(Clock newClock, @Nullable Probe newProbe) {
    clock = newClock;
    probe = newProbe;
  }

  /**
   * Makes the poll.
   *
   * @return a new, empty poll
   */
  public EventPoll build() {
    return new EventPoll(this);
  }
}
