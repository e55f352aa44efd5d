package io.github.eventpoll;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How many items may be registered, in one poll or in all of a process. Exact with any threads. */
final class WatchQuota {
  /** System property with the limit for the whole process; none if absent. */
  static final String PROPERTY = "io.github.eventpoll.maxWatches";

  /** The quota that all polls of this process share, null for none. */
  static final @Nullable WatchQuota PROCESS = ofProcess();

  private final String what;
  private final long limit;

  /** A count, changed by CAS and decrement: it orders nothing. */
  private final AtomicLong taken = new AtomicLong();

  WatchQuota(String what, long limit) {
    this.what = what;
    this.limit = limit;
  }

  private static @Nullable WatchQuota ofProcess() {
    Long limit = Long.getLong(PROPERTY);
    return limit == null ? null : new WatchQuota("this process", limit);
  }

  /** Counts one more, unless the limit is reached. */
  boolean tryTake() {
    long now;
    do {
      now = taken.get();
      if (now >= limit) {
        return false;
      }
    } while (!taken.compareAndSet(now, now + 1));
    return true;
  }

  EventPollStateException exception(Pollable source) {
    return new EventPollStateException(
        Errno.ENOSPC, "no room for " + source + ": " + what + " may watch " + limit);
  }

  void give() {
    taken.getAndDecrement();
  }
}
