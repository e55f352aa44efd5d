package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The wake-up handle: wakeup() for one wait, sticky; wakeupAll() for the present ones. */
@EveryPath
class WakeupTest {
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final EventFd source = EventFd.create();

  // ------------------------------------------------------------------------------------ wakeup()

  @Test
  @DisplayName("S173: before the wait: it returns at once, once; two calls count as one")
  void s173_beforeTheWait() {
    poll.wakeup();
    poll.wakeup();
    try (Waiters waiters = new Waiters()) {
      assertThat(waiters.await(poll).result()).isZero();
      Wait next = waiters.await(poll);
      waiters.settle();
      assertThat(next.isDone()).as("used up").isFalse();
    }
  }

  @Test
  void s173_beforeATimedWait() throws Exception {
    poll.wakeup();
    assertThat(poll.await(new ReadyEvents(1), Duration.ofDays(1))).isZero();
  }

  @Test
  @DisplayName("S178: eight waiters, one wakeup: the one that came last returns 0")
  void s178_wakesOne() {
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 8);
      poll.wakeup();
      assertThat(waits.get(7).result()).isZero();
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      poll.wakeup();
      assertThat(waits.get(6).result()).isZero();
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("KR-6: as many wakeups as waiters end them all, and leave nothing behind")
  void oneEach() {
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 5);
      waits.forEach(wait -> poll.wakeup());
      assertThat(waits).allMatch(wait -> wait.result() == 0);
      Wait next = waiters.await(poll);
      waiters.settle();
      assertThat(next.isDone()).isFalse();
    }
  }

  @Test
  @DisplayName("S175, I-34, KR-6: waits with timeout zero do not use it up")
  void s175_zeroTimeoutDoesNotSteal() throws Exception {
    ReadyEvents batch = new ReadyEvents(1);
    poll.wakeup();
    for (int i = 0; i < 3; i++) {
      assertThat(poll.await(batch, Duration.ZERO)).isZero();
      assertThat(poll.awaitNanos(batch, -1)).isZero();
      assertThat(poll.awaitNow(batch)).isZero();
    }
    assertThat(poll.await(batch)).as("still there for the one that would sleep").isZero();
  }

  @Test
  @DisplayName(
      "S175, I-34: another thread's wait with timeout zero comes between choice and return")
  void s175_zeroTimeoutWhileTheChosenReturns() throws Exception {
    Gate gate = Gate.at(Probe.Step.LEFT, 1);
    EventPoll gated = gate.poll();
    try (Waiters waiters = new Waiters()) {
      Wait sleeper = waiters.awaiting(gated, 1).get(0);
      gated.wakeup();
      gate.awaitArrivals(1);
      assertThat(gated.await(new ReadyEvents(1), Duration.ZERO)).isZero();
      gate.open();
      assertThat(sleeper.result()).isZero();
    }
  }

  @Test
  @DisplayName("I-35: a blocking wait on another poll, in a handler, does not use it up")
  void anotherPollsWaitDoesNotSteal() throws Exception {
    EventPoll inner = Polls.on(time);
    inner.add(source, Events.IN);
    source.tryWrite(1);
    poll.add(inner, Events.IN);
    ReadyEvents batch = new ReadyEvents(1);
    poll.wakeup();
    assertThat(inner.await(batch)).isEqualTo(1);
    assertThat(inner.await(batch, Duration.ofDays(1))).isEqualTo(1);
    assertThat(poll.await(batch)).as("events come first, and do not use it up").isEqualTo(1);
    source.tryRead();
    assertThat(poll.await(batch)).as("this one would sleep").isZero();
  }

  @Test
  void doesNotDisturbItems() throws Exception {
    poll.add(source, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      poll.wakeup();
      assertThat(wait.result()).isZero();
      source.tryWrite(1);
      assertThat(poll.await(new ReadyEvents(1))).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("woken up, then an event before the return: the event is returned")
  void eventAfterTheChoice() {
    Gate gate = Gate.at(Probe.Step.LEFT, 1);
    EventPoll gated = gate.poll();
    gated.add(source, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(gated, 1).get(0);
      gated.wakeup();
      gate.awaitArrivals(1);
      source.tryWrite(1);
      gate.open();
      assertThat(wait.source()).isSameAs(source);
    }
  }

  @Test
  @DisplayName("wakeup and interrupt: returns 0 and keeps the status for whoever waits next")
  void wakeupAndInterrupt() {
    Gate gate = Gate.at(Probe.Step.LEFT, 1);
    EventPoll gated = gate.poll();
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(gated, 1).get(0);
      gated.wakeup();
      gate.awaitArrivals(1);
      wait.thread.interrupt();
      gate.open();
      assertThat(wait.result()).isZero();
      assertThat(wait.interruptedAtEnd()).isTrue();
    }
  }

  @Test
  @DisplayName("interrupted, then woken up before it left: one of the two, and neither is lost")
  void interruptThenWakeup() {
    Gate gate = Gate.at(Probe.Step.STOPPED, 1);
    EventPoll gated = gate.poll();
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(gated, 1).get(0);
      wait.thread.interrupt();
      gate.awaitArrivals(1);
      gated.wakeup(); // it is on the list still: chosen
      gate.open();
      assertThat(wait.result()).isZero();
      assertThat(wait.interruptedAtEnd()).isTrue();
      Wait next = waiters.await(gated);
      waiters.settle();
      assertThat(next.isDone()).as("used up by the first").isFalse();
    }
  }

  @Test
  void wakesAnUninterruptibleWait() {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitUninterruptibly(poll);
      Waiters.awaitAsleep(poll, 1);
      poll.wakeup();
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  void wakesNobodyOfAnOuterPoll() {
    EventPoll outer = Polls.on(time);
    outer.add(poll, Events.IN);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(outer, 1);
      poll.wakeup();
      poll.wakeupAll();
      waiters.settle();
      assertThat(waiters.returned()).isZero();
    }
  }

  // --------------------------------------------------------------------------------- wakeupAll()

  @Test
  void wakeupAll_endsThePresentWaitsAndNoLaterOne() {
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 8);
      poll.wakeupAll();
      assertThat(waits).allMatch(wait -> wait.result() == 0);
      poll.wakeupAll(); // nobody there
      Wait later = waiters.await(poll);
      waiters.settle();
      assertThat(later.isDone()).isFalse();
    }
  }

  @Test
  void wakeupAll_leavesATokenAlone() throws Exception {
    poll.wakeup();
    poll.wakeupAll();
    assertThat(poll.await(new ReadyEvents(1))).isZero();
  }

  @Test
  void closedPollRefusesBoth() {
    poll.close();
    assertThatThrownBy(poll::wakeup).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(poll::wakeupAll).isInstanceOf(ClosedEventPollException.class);
  }

  // ----------------------------------------------------------------------------------- protocols

  @Test
  @DisplayName("S176, I-32: tasks behind a flag and wakeup(): none is left behind")
  void s176_flagProtocol() {
    int tasks = 50_000;
    ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    AtomicBoolean woken = new AtomicBoolean();
    try (Waiters waiters = new Waiters()) {
      Wait consumer =
          waiters.start(
              "consumer",
              () -> {
                ReadyEvents batch = new ReadyEvents(1);
                int done = 0;
                while (done < tasks) {
                  woken.set(false);
                  while (queue.poll() != null) {
                    done++;
                  }
                  if (done < tasks) {
                    poll.await(batch);
                  }
                }
                return done;
              });
      for (int p = 0; p < 2; p++) {
        waiters.start(
            "producer",
            () -> {
              for (int i = 0; i < tasks / 2; i++) {
                queue.add(i);
                if (woken.compareAndSet(false, true)) {
                  poll.wakeup();
                }
              }
              return tasks / 2;
            });
      }
      assertThat(consumer.result()).isEqualTo(tasks);
      waiters.join();
    }
  }

  @Test
  @DisplayName("S179, I-17: an edge-triggered waker that nobody drains works every time")
  void s179_wakeWithoutDrain() throws Exception {
    poll.add(source, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      for (int i = 0; i < 3; i++) {
        Wait wait = waiters.awaiting(poll, 1).get(0);
        source.tryWrite(1);
        assertThat(wait.source()).isSameAs(source);
      }
    }
    assertThat(source.count()).isEqualTo(3);
  }

  @Test
  @DisplayName(
      "S208, I-106: an endless wait on an empty poll shows in dump(), and wakeup() ends it")
  void s208_endlessWaitOnAnEmptyPoll() {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      assertThat(poll.dump()).contains("0 items", "1 waiters", wait.thread.getName() + " parked");
      poll.wakeup();
      assertThat(wait.result()).isZero();
      assertThat(poll.dump()).contains("0 waiters");
    }
  }
}
