package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;

/** The text of {@link EventPoll#dump()}. Takes no lock. */
final class Dump {
  private Dump() {}

  static String of(EventPoll poll) {
    StringBuilder text = new StringBuilder();
    int queued = 0;
    for (EpItem item : poll.registry.tree.items()) {
      queued += item.isQueued() ? 1 : 0;
      text.append("  item ").append(describe(item)).append('\n');
    }
    int waiters = 0;
    for (Waiter waiter : poll.sleepers.snapshot()) {
      waiters++;
      text.append("  waiter ").append(waiter).append('\n');
    }
    String head =
        poll
            + (poll.isClosed() ? " closed" : "")
            + ": "
            + poll.size()
            + " items, "
            + queued
            + " queued, "
            + waiters
            + " waiters"
            + nearest(poll)
            + "\n";
    return head + text;
  }

  private static String nearest(EventPoll poll) {
    long nearest = poll.deadlines.nearest();
    return nearest == Clock.NEVER
        ? ""
        : ", next deadline in " + (nearest - poll.clock.now()) + " ns";
  }

  private static String describe(EpItem item) {
    Throwable failure = item.failure();
    return item.source
        + (item.tag == 0 ? "" : " tag " + item.tag)
        + " "
        + Events.toString(item.interest())
        + (item.isArmed() ? "" : " disarmed")
        + (item.isQueued() ? " queued" : "")
        + (failure == null ? "" : " failed: " + failure);
  }
}
