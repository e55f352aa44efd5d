package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.testkit.VirtualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a change costs in a poll with 100 000 timers, counted in questions to the sources: the
 * sorted set does the rest in O(log n).
 */
@Timeout(60)
class ManyTimersTest {
  private static final int COUNT = 100_000;
  private static final long FIRST = 1_000_000;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final Counted[] timers = new Counted[COUNT];
  private int asked;
  private int expired;

  @BeforeEach
  void addThem() {
    for (int i = 0; i < COUNT; i++) {
      timers[i] = new Counted(FIRST + (long) i * 7919 % COUNT);
      poll.add(timers[i], Events.IN);
    }
    assertThat(asked).as("once for each addition").isEqualTo(COUNT);
    asked = 0;
  }

  @Test
  void aChangeAsksTheTimerThatChangesAndNoOther() {
    timers[COUNT / 2].set(FIRST - 1);
    assertThat(poll.deadlines.nearest()).isEqualTo(FIRST - 1);
    timers[COUNT / 2].set(FIRST + 2L * COUNT);
    assertThat(poll.deadlines.nearest()).isEqualTo(FIRST);
    timers[COUNT / 2].set(Clock.NEVER);
    poll.find(timers[COUNT / 3]).modify(Events.IN | Events.ET);
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void aWaitAsksNobodyUntilOneIsDueAndThenThisOne() {
    ReadyEvents ready = new ReadyEvents(1);
    assertThat(poll.awaitNow(ready)).isZero();
    time.advanceNanos(FIRST - 1);
    assertThat(poll.awaitNow(ready)).isZero();
    assertThat(asked + expired).isZero();
    time.advanceNanos(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(ready.source(0)).isSameAs(timers[0]);
    assertThat(asked).isEqualTo(1);
    assertThat(expired).isEqualTo(1);
  }

  @Test
  void aRemovalAsksNobody() {
    poll.find(timers[0]).remove();
    assertThat(asked).isZero();
    assertThat(poll.deadlines.nearest()).isEqualTo(FIRST + 1);
  }

  private final class Counted implements Pollable, Demand {
    private final WaitQueue queue = new WaitQueue(this);
    private long deadline;
    private boolean ready;

    Counted(long deadline) {
      this.deadline = deadline;
    }

    void set(long newDeadline) {
      deadline = newDeadline;
      queue.demandChanged();
    }

    @Override
    public long nearestDeadline() {
      asked++;
      return deadline;
    }

    @Override
    public void expire(long now) {
      expired++;
      deadline = Clock.NEVER;
      ready = true;
      queue.wake(Events.IN);
    }

    @Override
    public Clock clock() {
      return poll.clock;
    }

    @Override
    public int readiness() {
      return ready ? Events.IN : 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
