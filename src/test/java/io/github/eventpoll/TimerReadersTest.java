package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Threads that wait in the read of a timer, without a poll. */
@EveryPath
class TimerReadersTest {
  private final VirtualTime time = VirtualTime.create();
  private final Timer timer = time.timer();

  @Test
  void aReadWaitsForTheExpiry() {
    timer.set(millis(10), millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      time.advance(millis(9));
      waiters.settle();
      assertThat(read.isDone()).isFalse();
      time.advance(millis(16));
      assertThat(read.result()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("KR-54: set, and set to sooner, while a thread reads")
  void kr54_setWhileAThreadReads() {
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      timer.set(Duration.ofSeconds(10));
      waiters.settle();
      timer.set(millis(10));
      waiters.settle();
      assertThat(read.isDone()).isFalse();
      time.advance(millis(10));
      assertThat(read.result()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-56c: set to later while a thread reads")
  void kr56_setToLaterWhileAThreadReads() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      timer.set(millis(30));
      time.advance(millis(10));
      waiters.settle();
      assertThat(read.isDone()).isFalse();
      time.advance(millis(20));
      assertThat(read.result()).isEqualTo(1);
    }
  }

  @Test
  void setToThePastWhileAThreadReads() {
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      timer.setAt(time.nanoTime() - 50, Duration.ofNanos(10));
      assertThat(read.result()).isEqualTo(6);
    }
  }

  @Test
  void ofTwoReadersOneGetsTheTick() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      waiters.start("read", () -> (int) timer.read());
      waiters.start("read", () -> (int) timer.read());
      Waiters.awaitAsleepOn(timer, 2);
      time.advance(millis(10));
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      assertThat(waiters.served()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-56a: a reader and a waiter of a poll expire one timer")
  void kr56_readerAndWaiter() {
    EventPoll poll = Polls.on(time);
    poll.add(timer, Events.IN | Events.ET);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait seen = waiters.awaitOne(timer, Events.IN, null);
      Waiters.awaitAsleepOn(timer, 1);
      Wait wait = waiters.awaiting(poll, 1).get(0);
      time.advance(millis(10));
      assertThat(seen.result()).isEqualTo(Events.IN);
      assertThat(wait.source()).isSameAs(timer);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  void aReadWithATimeoutEndsByTheTimersOwnClock() {
    timer.set(Duration.ofSeconds(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = waiters.start("read", () -> (int) timer.read(millis(10)));
      Waiters.awaitAsleepOn(timer, 1);
      time.advance(Duration.ofNanos(9_999_999));
      waiters.settle();
      assertThat(read.isDone()).isFalse();
      time.advance(Duration.ofNanos(1));
      assertThat(read.result()).isZero();
    }
  }

  @Test
  void aReadWithATimeoutReturnsTheTickThatCameFirst() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = waiters.start("read", () -> (int) timer.read(Duration.ofSeconds(Long.MAX_VALUE)));
      Waiters.awaitAsleepOn(timer, 1);
      time.advance(millis(10));
      assertThat(read.result()).isEqualTo(1);
    }
  }

  @Test
  void closingEndsARead() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      timer.close();
      assertThat(read.failure())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Timer[")
          .hasMessageContaining("closed");
    }
  }

  @Test
  void anInterruptEndsAReadAndTakesNothing() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait read = reading(waiters);
      read.thread.interrupt();
      assertThat(read.failure()).isInstanceOf(InterruptedException.class);
      assertThat(read.interruptedAtEnd()).isFalse();
      time.advance(millis(10));
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  private Wait reading(Waiters waiters) {
    Wait read = waiters.start("read", () -> (int) timer.read());
    Waiters.awaitAsleepOn(timer, 1);
    return read;
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
