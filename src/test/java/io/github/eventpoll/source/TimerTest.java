package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A timer by itself, and as a source of one poll in one thread, on virtual time. */
class TimerTest {
  private final VirtualTime time = VirtualTime.create();
  private final Timer timer = time.timer();

  @Test
  void s130_periodic() {
    timer.set(Duration.ofMillis(5), Duration.ofMillis(5));
    time.advance(Duration.ofMillis(17));
    assertThat(timer.tryRead()).isEqualTo(3);
    assertThat(timer.tryRead()).isZero();
  }

  @Test
  void absolutePastCountsAllPeriods() {
    timer.setAt(time.nanoTime() - 1_000_000_000, Duration.ofMillis(10));
    assertThat(timer.tryRead()).isEqualTo(101);
  }

  @Test
  void s050_edgeOnceUntilRead() {
    try (EventPoll poll = time.poll()) {
      poll.add(timer, Events.IN | Events.ET);
      ReadyEvents ready = new ReadyEvents(8);
      timer.set(Duration.ofMillis(5), Duration.ofMillis(5));
      time.advance(Duration.ofMillis(5));
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      time.advance(Duration.ofMillis(50));
      assertThat(poll.awaitNow(ready)).isZero();
      assertThat(timer.tryRead()).isEqualTo(11);
      time.advance(Duration.ofMillis(5));
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
    }
  }
}
