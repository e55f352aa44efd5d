package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S196, KR-1: whatever ends a sleep may come at any moment of falling asleep: a thread is held
 * after it has enlisted, or after its last look, while something happens.
 */
@EveryPath
class SleepHandshakeTest {
  private final VirtualTime time = VirtualTime.create();
  private final EventFd source = EventFd.create();
  private final Timer timer = time.timer();

  /** A thread held on its way to sleep in a poll. */
  private final class Held implements AutoCloseable {
    final Gate gate;
    final EventPoll poll;
    final Waiters waiters = new Waiters();
    final Wait wait;

    Held(Step step, Preparation before) {
      this(step, before, null);
    }

    Held(Step step, Preparation before, Duration timeout) {
      gate = Gate.at(step, 1);
      poll = gate.poll(time);
      before.prepare(poll);
      wait = timeout == null ? waiters.await(poll) : waiters.await(poll, timeout);
      gate.awaitArrivals(1);
    }

    void goOn() {
      gate.open();
    }

    @Override
    public void close() {
      gate.open();
      waiters.close();
      poll.close();
    }
  }

  private interface Preparation {
    void prepare(EventPoll poll);
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_write(Step step) {
    try (Held held = new Held(step, poll -> poll.add(source, Events.IN | Events.ET))) {
      source.tryWrite(1);
      held.goOn();
      assertThat(held.wait.source()).isSameAs(source);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_addOfAReadySource(Step step) {
    source.tryWrite(1);
    try (Held held = new Held(step, poll -> {})) {
      held.poll.add(source, Events.IN | Events.ET);
      held.goOn();
      assertThat(held.wait.source()).isSameAs(source);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_modifyToReady(Step step) {
    source.tryWrite(1);
    try (Held held = new Held(step, poll -> poll.add(source, 0))) {
      held.poll.find(source).modify(Events.IN | Events.ET);
      held.goOn();
      assertThat(held.wait.source()).isSameAs(source);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_wakeup(Step step) {
    try (Held held = new Held(step, poll -> {})) {
      held.poll.wakeup();
      held.goOn();
      assertThat(held.wait.result()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_wakeupAll(Step step) {
    try (Held held = new Held(step, poll -> {})) {
      held.poll.wakeupAll();
      held.goOn();
      assertThat(held.wait.result()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_close(Step step) {
    try (Held held = new Held(step, poll -> {})) {
      held.poll.close();
      held.goOn();
      assertThat(held.wait.failure()).isInstanceOf(ClosedEventPollException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_interrupt(Step step) {
    try (Held held = new Held(step, poll -> {})) {
      held.wait.thread.interrupt();
      held.goOn();
      assertThat(held.wait.failure()).isInstanceOf(InterruptedException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  void s196_theDeadlinePasses(Step step) {
    try (Held held = new Held(step, poll -> {}, Duration.ofMillis(10))) {
      time.advance(Duration.ofMillis(10));
      held.goOn();
      assertThat(held.wait.result()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  @DisplayName("S200: the timer fires exactly when the thread parks")
  void s200_theTimerFires(Step step) {
    timer.set(Duration.ofMillis(10));
    try (Held held = new Held(step, poll -> poll.add(timer, Events.IN))) {
      time.advance(Duration.ofMillis(10));
      held.goOn();
      assertThat(held.wait.source()).isSameAs(timer);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  @DisplayName(
      "S196, KR-54, I-31: an earlier deadline; the thread planned for a later one, or none")
  void s196_anEarlierDeadline(Step step) {
    for (Duration first : new Duration[] {Duration.ZERO, Duration.ofHours(1)}) {
      timer.set(first);
      try (Held held = new Held(step, poll -> poll.add(timer, Events.IN))) {
        timer.set(Duration.ofMillis(10));
        held.goOn();
        Waiters.awaitAsleep(held.poll, 1);
        time.advance(Duration.ofMillis(10));
        assertThat(held.wait.source()).isSameAs(timer);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  @DisplayName("S196, KR-45: a timer is added to an inner poll of an inner poll")
  void s196_aTimerFarBelow(Step step) {
    EventPoll middle = Polls.on(time);
    EventPoll inner = Polls.on(time);
    middle.add(inner, Events.IN);
    timer.set(Duration.ofMillis(10));
    try (Held held = new Held(step, poll -> poll.add(middle, Events.IN))) {
      inner.add(timer, Events.IN);
      held.goOn();
      Waiters.awaitAsleep(held.poll, 1);
      time.advance(Duration.ofMillis(10));
      assertThat(held.wait.source()).isSameAs(middle);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "LOOKED"})
  @DisplayName("S196, KR-46: an inner poll with a timer is added")
  void s196_anInnerPollWithATimer(Step step) {
    EventPoll inner = Polls.on(time);
    timer.set(Duration.ofMillis(10));
    inner.add(timer, Events.IN);
    try (Held held = new Held(step, poll -> {})) {
      held.poll.add(inner, Events.IN);
      held.goOn();
      Waiters.awaitAsleep(held.poll, 1);
      time.advance(Duration.ofMillis(10));
      assertThat(held.wait.source()).isSameAs(inner);
    }
  }
}
