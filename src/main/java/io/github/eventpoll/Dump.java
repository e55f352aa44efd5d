package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of {@link EventPoll#dump()}: a poll, what it watches, the polls below it, who waits and
 * where. Takes no lock that it would have to wait for. Used by one thread.
 */
final class Dump {
  /** Shows everything. */
  static final int ALL = Integer.MAX_VALUE;

  /** How many items of a poll are shown where the text goes into a log. */
  static final int SOME = 100;

  private final StringBuilder text = new StringBuilder();
  private final int mostItems;

  /** Polls that are shown already: one that is watched in two ways is shown once. */
  private final Set<EventPoll> shown = Collections.newSetFromMap(new IdentityHashMap<>());

  private Dump(int mostItems) {
    this.mostItems = mostItems;
  }

  static String of(EventPoll poll) {
    return of(poll, ALL);
  }

  /** The same with no more than so many items of each poll. */
  static String of(EventPoll poll, int mostItems) {
    Dump dump = new Dump(mostItems);
    dump.poll(poll, "");
    return dump.text.toString();
  }

  private void poll(EventPoll poll, String indent) {
    text.append(indent).append(poll);
    if (!shown.add(poll)) {
      text.append(": see above\n");
      return;
    }
    text.append(poll.isClosed() ? " closed: " : ": ").append(poll.size()).append(" items, ");
    text.append(queued(poll)).append(" queued, ");
    text.append(poll.sleepers.snapshot().size()).append(" waiters");
    long nearest = poll.deadlines.nearest();
    if (nearest != Clock.NEVER) {
      text.append(", next deadline ").append(in(nearest, poll));
    }
    text.append('\n');
    String inner = indent + "  ";
    asking(poll, inner);
    items(poll, inner);
    waiters(poll, inner);
    watchers(poll, inner);
    for (Seat seat : poll.drivers.seats()) {
      seat(seat, inner);
    }
  }

  private static int queued(EventPoll poll) {
    int queued = 0;
    for (EpItem item : poll.registry.interest.anyOrder()) {
      queued += item.isQueued() ? 1 : 0;
    }
    return queued;
  }

  /** Who has the control lock: of a poll that hangs, the thread whose source does not answer. */
  private void asking(EventPoll poll, String indent) {
    long owner = poll.control.owner();
    if (owner == 0) {
      return;
    }
    text.append(indent).append("locked by thread #").append(owner);
    EpItem asked = poll.harvest.inHand();
    if (asked != null) {
      text.append(", source asked last: ").append(name(asked.source));
    }
    text.append('\n');
  }

  private void items(EventPoll poll, String indent) {
    int left = mostItems;
    for (EpItem item : poll.registry.interest.inOrder()) {
      if (left-- == 0) {
        text.append(indent).append("... of ").append(poll.size()).append(" items\n");
        return;
      }
      item(item, indent);
      if (item.source instanceof EventPoll below) {
        poll(below, indent + "  ");
      }
    }
  }

  private void item(EpItem item, String indent) {
    text.append(indent).append("item ").append(name(item.source));
    if (item.tag != 0) {
      text.append(" tag ").append(item.tag);
    }
    text.append(' ').append(Events.toString(item.interest()));
    text.append(item.isArmed() ? "" : " disarmed").append(item.isQueued() ? " queued" : "");
    Demand demand = item.queue.demand;
    long deadline = demand == null ? Clock.NEVER : demand.nearestDeadline();
    if (deadline != Clock.NEVER) {
      text.append(" deadline ").append(in(deadline, item.poll));
    }
    Throwable failure = item.failure();
    if (failure != null) {
      text.append(" failed: ").append(name(failure));
    }
    text.append('\n');
  }

  private void waiters(EventPoll poll, String indent) {
    Waiter keeper = poll.sleepers.timekeeper();
    for (Waiter waiter : poll.sleepers.snapshot()) {
      text.append(indent).append("waiter ").append(waiter).append('\n');
      long plan = waiter.plan;
      Seat led = waiter.leads();
      if (plan != Clock.NEVER) {
        text.append(indent).append("  wakes at the latest ").append(in(plan, poll));
        text.append(waiter == keeper ? ", keeps time\n" : "\n");
      }
      if (led != null) {
        text.append(indent).append("  leads ").append(led.driver).append('\n');
      }
    }
  }

  private void watchers(EventPoll poll, String indent) {
    for (WaitEntry entry : poll.waitQueue().snapshot()) {
      if (entry instanceof EpItem item) {
        text.append(indent).append("watched by ").append(item.poll).append('\n');
      } else if (entry instanceof OneWaiter one) {
        text.append(indent).append("waited for by ").append(one.waiter).append('\n');
      }
    }
  }

  private void seat(Seat seat, String indent) {
    String detail = seat.driver.detail();
    text.append(indent).append("driver ").append(seat).append(detail.isEmpty() ? "" : ", ");
    text.append(detail).append('\n');
    seat.describe(text, indent + "  ");
  }

  private static String in(long instant, EventPoll poll) {
    return "in " + (instant - poll.clock.now()) + " ns";
  }

  /** What users' objects say of themselves must not cost the rest of the text. */
  static String name(@Nullable Object of) {
    try {
      return String.valueOf(of);
    } catch (RuntimeException e) {
      return Objects.requireNonNull(of).getClass().getName()
          + " (toString threw "
          + e.getClass().getName()
          + ")";
    }
  }
}
