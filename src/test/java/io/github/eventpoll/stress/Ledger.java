package io.github.eventpoll.stress;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The attachment of an item in a stress round: what it watches and when it was last delivered. */
final class Ledger {
  /** Null for an item on a poll. */
  final @Nullable StressSource source;

  private final AtomicLong delivered = new AtomicLong(Long.MIN_VALUE);

  Ledger(@Nullable StressSource source) {
    this.source = source;
  }

  /** An await that delivered the item has returned. */
  void delivered(long when) {
    delivered.accumulateAndGet(when, Math::max);
  }

  long lastDelivery() {
    return delivered.get();
  }
}
