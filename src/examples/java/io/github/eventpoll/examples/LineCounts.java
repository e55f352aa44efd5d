package io.github.eventpoll.examples;

import java.util.concurrent.atomic.LongAdder;

/** What a {@link LineServer} counts while it runs. */
final class LineCounts {
  final LongAdder accepted = new LongAdder();
  final LongAdder acceptFailures = new LongAdder();
  final LongAdder lines = new LongAdder();
  final LongAdder announced = new LongAdder();
  final LongAdder idleClosed = new LongAdder();

  /** How often a connection was not read from because of what waited for it. */
  final LongAdder heldBack = new LongAdder();

  /** Connections closed because they read too slowly. */
  final LongAdder tooSlow = new LongAdder();

  /** Items added, armed again or removed. */
  final LongAdder changes = new LongAdder();

  final LongAdder failures = new LongAdder();
}
