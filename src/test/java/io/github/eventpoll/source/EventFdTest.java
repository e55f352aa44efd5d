package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.scenarios.Taken;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios S146 to S149: a counter by itself, in one thread. */
@EveryPath
class EventFdTest {
  private static final long MAX = -1L; // 2^64 - 1, unsigned
  private static final int IN_OUT = Events.IN | Events.OUT;
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final EventFd counter = EventFd.create();

  // ---------------------------------------------------------------------------- the boundary

  @Test
  void s146_theBoundary() {
    assertThat(counter.tryWrite(MAX - 2)).isTrue();
    assertThat(counter.readiness()).isEqualTo(IN_OUT);
    assertThat(counter.tryWrite(1)).isTrue();
    assertThat(counter.readiness()).isEqualTo(Events.IN);
    assertThat(counter.tryWrite(1)).isFalse();
    assertThat(counter.tryWrite(0)).isTrue();
    assertThat(counter.count()).isEqualTo(MAX - 1);
    assertThat(counter.tryRead()).isEqualTo(MAX - 1);
    assertThat(counter.readiness()).isEqualTo(Events.OUT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 1L << 32, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, -3, -2})
  void s146_aValueFitsUpTo2To64Minus2(long value) {
    assertThat(counter.tryWrite(MAX - 1 - value)).isTrue();
    assertThat(counter.tryWrite(value)).isTrue(); // 2^64 - 2 together
    assertThat(counter.count()).isEqualTo(MAX - 1);
    counter.tryRead();
    assertThat(counter.tryWrite(MAX - value)).isTrue();
    assertThat(counter.tryWrite(value)).isFalse(); // 2^64 - 1 together
    assertThat(counter.count()).isEqualTo(MAX - value);
  }

  @Test
  void s146_theLargestNumberCannotBeWritten() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> counter.tryWrite(MAX))
        .withMessageContaining("2^64 - 1")
        .withMessageContaining("EventFd[0]");
    assertThatIllegalArgumentException().isThrownBy(() -> counter.write(MAX));
    assertThatIllegalArgumentException().isThrownBy(() -> counter.write(MAX, SHORT));
    assertThat(counter.count()).isZero();
  }

  // ---------------------------------------------------------------------- reading and writing

  @Test
  void s148_addsUpAndIsZeroAfterRead() {
    counter.tryWrite(3);
    counter.tryWrite(4);
    counter.tryWrite(0);
    assertThat(counter.tryRead()).isEqualTo(7);
    assertThat(counter.tryRead()).isZero();
  }

  @Test
  void s149_aSemaphoreGivesOneAtATime() {
    EventFd semaphore = EventFd.semaphore(0);
    semaphore.tryWrite(3);
    for (int i = 0; i < 3; i++) {
      assertThat(semaphore.readiness()).isEqualTo(IN_OUT);
      assertThat(semaphore.tryRead()).isEqualTo(1);
    }
    assertThat(semaphore.tryRead()).isZero();
    assertThat(semaphore.readiness()).isEqualTo(Events.OUT);
  }

  @Test
  void s149_aSemaphoreWithMoreThanHalfTheRange() {
    EventFd semaphore = EventFd.semaphore(0);
    semaphore.tryWrite(MAX - 1);
    assertThat(semaphore.tryRead()).isEqualTo(1);
    assertThat(semaphore.count()).isEqualTo(MAX - 2);
    assertThat(semaphore.readiness()).isEqualTo(IN_OUT);
  }

  @Test
  void theFirstCountIsUnsigned() {
    assertThat(EventFd.create(-1).tryRead()).isEqualTo(0xFFFF_FFFFL);
    assertThat(EventFd.semaphore(-1).count()).isEqualTo(0xFFFF_FFFFL);
    assertThat(EventFd.create(5).readiness()).isEqualTo(IN_OUT);
  }

  @Test
  void readingAndWritingWithATimeoutThatIsOver() throws InterruptedException {
    for (Duration over : new Duration[] {Duration.ZERO, SHORT.negated(), FOR_EVER.negated()}) {
      EventFd full = EventFd.create();
      assertThat(full.read(over)).isZero();
      assertThat(full.write(MAX - 1, over)).isTrue();
      assertThat(full.write(1, over)).isFalse();
      assertThat(full.write(0, over)).isTrue();
      assertThat(full.read(over)).isEqualTo(MAX - 1);
    }
    assertThat(counter.read(SHORT)).isZero();
    assertThat(counter.write(MAX - 1, SHORT)).isTrue();
    assertThat(counter.write(1, SHORT)).isFalse();
    assertThat(counter.count()).isEqualTo(MAX - 1);
    assertThatNullPointerException().isThrownBy(() -> counter.read(null));
    assertThatNullPointerException().isThrownBy(() -> counter.write(1, null));
  }

  // --------------------------------------------------------------------------------- signal

  @Test
  @DisplayName("a signal fills the counter up, stays there, and reports ERR until it is read")
  void signalSaturates() {
    counter.signal();
    assertThat(counter.count()).isEqualTo(1);
    counter.tryWrite(MAX - 2);
    assertThat(counter.readiness()).isEqualTo(Events.IN);
    counter.signal();
    assertThat(counter.readiness()).isEqualTo(Events.IN | Events.ERR);
    counter.signal();
    assertThat(counter.count()).isEqualTo(MAX);
    assertThat(counter.tryWrite(1)).isFalse();
    assertThat(counter.tryWrite(0)).isFalse(); // Linux: not legal at 2^64 - 1
    assertThat(counter.tryRead()).isEqualTo(MAX);
    assertThat(counter.readiness()).isEqualTo(Events.OUT);
  }

  @Test
  void everySignalIsAnEdgeAlsoOfAFullCounter() {
    EventPoll poll = Polls.create();
    poll.add(counter, Events.IN | Events.ET, "counter");
    counter.tryWrite(MAX - 1);
    assertThat(Taken.now(poll)).containsExactly("counter IN");
    for (int i = 0; i < 3; i++) {
      counter.signal();
      assertThat(Taken.now(poll)).containsExactly("counter IN|ERR");
      assertThat(Taken.now(poll)).isEmpty();
    }
  }

  @Test
  void aWriteThatDoesNotFitIsNoEdgeAndARefusedReadNeither() {
    EventPoll poll = Polls.create();
    poll.add(counter, IN_OUT | Events.ET, "counter");
    assertThat(Taken.now(poll)).containsExactly("counter OUT");
    counter.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
    counter.tryWrite(MAX - 1);
    assertThat(Taken.now(poll)).containsExactly("counter IN");
    counter.tryWrite(1);
    assertThat(Taken.now(poll)).isEmpty();
  }

  // ---------------------------------------------------------------------------------- close

  @Test
  void aClosedCounterRefusesEverythingAndLeavesItsPolls() {
    EventPoll poll = Polls.create();
    EpItem item = poll.add(counter, Events.IN);
    counter.tryWrite(3);
    counter.close();
    counter.close();
    for (Runnable call :
        new Runnable[] {counter::tryRead, counter::signal, () -> counter.tryWrite(1)}) {
      assertThatIllegalStateException()
          .isThrownBy(call::run)
          .withMessageContaining("EventFd[3]")
          .withMessageContaining("closed");
    }
    assertThatIllegalStateException().isThrownBy(counter::read);
    assertThatIllegalStateException().isThrownBy(() -> counter.write(1));
    assertThatIllegalStateException().isThrownBy(() -> counter.read(SHORT));
    assertThatIllegalStateException().isThrownBy(() -> counter.write(1, SHORT));
    assertThat(item.isValid()).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void itsTextShowsTheCountUnsigned() {
    counter.tryWrite(MAX - 1);
    assertThat(counter).hasToString("EventFd[18446744073709551614]");
    assertThat(EventFd.semaphore(2)).hasToString("EventFd[semaphore 2]");
  }
}
