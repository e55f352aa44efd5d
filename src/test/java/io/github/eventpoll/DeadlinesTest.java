package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import org.junit.jupiter.api.Test;

/** The deadlines of a poll's items, where two items of one source overlap for a moment. */
@EveryPath
class DeadlinesTest {
  private static final long DEADLINE = 100;

  private final Deadlines deadlines = new Deadlines();
  private final Demand demand = new At(DEADLINE);
  private final EventPoll poll = Polls.create();
  private final WaitQueue queue = new WaitQueue(demand);

  /**
   * A removal tells of the gone deadline after it has released the control lock; by then another
   * thread may have added the same source again, under the same tag and with the same deadline.
   */
  @Test
  void kr56_aRemovedItemDoesNotTakeItsSuccessorsDeadlineAway() {
    EpItem removed = item();
    EpItem successor = item();
    deadlines.update(removed, demand);
    removed.dead = true;
    deadlines.update(successor, demand);
    deadlines.update(removed, demand);
    assertThat(deadlines.nearest()).isEqualTo(DEADLINE);
    assertThat(deadlines.firstDue(DEADLINE)).isSameAs(successor);
  }

  @Test
  void kr56_aRemovedItemIsNotNotedAgain() {
    EpItem removed = item();
    removed.dead = true;
    deadlines.update(removed, demand);
    assertThat(deadlines.nearest()).isEqualTo(Clock.NEVER);
  }

  private EpItem item() {
    return new EpItem(poll, new Source(queue), queue, 0, Events.IN, null);
  }

  private record Source(WaitQueue waitQueue) implements Pollable {
    @Override
    public int readiness() {
      return 0;
    }
  }

  private record At(long nearestDeadline) implements Demand {
    @Override
    public void expire(long now) {}

    @Override
    public Clock clock() {
      return Clock.system();
    }
  }
}
