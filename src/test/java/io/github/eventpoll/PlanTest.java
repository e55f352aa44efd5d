package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Probe;
import org.junit.jupiter.api.Test;

/** Until when a waiter plans to sleep if deadlines move while it plans (MO-TIMER-1, MO-DUTY-1). */
@EveryPath
class PlanTest {
  private static final long OWN_TIMEOUT = 100;

  private final EventPollBuilder builder = Polls.builder();
  private final OneDeadline deadline = new OneDeadline();
  private Runnable whilePlanning = () -> {};
  private final EventPoll poll = poll();
  private final Waiter waiter = new Waiter(new Thread(() -> {}));

  private EventPoll poll() {
    builder.seams(
        Clock.system(),
        (step, who) -> {
          if (step == Probe.Step.PLANNING) {
            Runnable once = whilePlanning;
            whilePlanning = () -> {};
            once.run();
          }
        });
    return builder.build();
  }

  /**
   * The waiter keeps time until 50. It looks again and finds the deadline at 200, behind its own
   * time-out; while it gives up the duty, the deadline comes to 80. Whoever sets that still sees
   * the duty kept until 50, and kicks nobody.
   */
  @Test
  void kr54_deadlineThatComesNearerWhileTheKeeperResigns() {
    keepTimeUntil(50);
    deadline.set(200);
    whilePlanning = () -> deadline.set(80);
    assertThat(plan(OWN_TIMEOUT)).isEqualTo(80);
    assertThat(waiter.plan).isEqualTo(80);
  }

  @Test
  void kr55_aDeadlineBehindTheOwnTimeoutIsLeftToAnother() {
    keepTimeUntil(50);
    deadline.set(200);
    assertThat(plan(OWN_TIMEOUT)).isEqualTo(OWN_TIMEOUT);
    Waiter other = new Waiter(new Thread(() -> {}));
    poll.sleepers.enlist(other);
    assertThat(poll.sleepers.plan(other, Clock.NEVER, poll.deadlines)).isEqualTo(200);
  }

  private void keepTimeUntil(long first) {
    poll.add(deadline, Events.IN);
    deadline.set(first);
    poll.sleepers.enlist(waiter);
    assertThat(plan(OWN_TIMEOUT)).isEqualTo(first);
  }

  /** The plan alone, without the reset before the look: it must be right by itself. */
  private long plan(long ownDeadline) {
    return poll.sleepers.plan(waiter, ownDeadline, poll.deadlines);
  }

  /** A source that is never ready and wants a turn at one instant. */
  private static final class OneDeadline implements Pollable, Demand {
    private final WaitQueue queue = new WaitQueue(this);
    private volatile long instant = Clock.NEVER;

    void set(long next) {
      instant = next;
      queue.demandChanged();
    }

    @Override
    public long nearestDeadline() {
      return instant;
    }

    @Override
    public void expire(long now) {}

    @Override
    public Clock clock() {
      return Clock.system();
    }

    @Override
    public int readiness() {
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
