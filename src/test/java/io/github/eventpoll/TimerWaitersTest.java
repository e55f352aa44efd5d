package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that sleep towards a timer: who keeps time, who wakes, and when not. */
@EveryPath
class TimerWaitersTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final Timer timer = time.timer();

  // ------------------------------------------------------------------------- one waiter

  @Test
  @DisplayName("KR-54, I-31: a nearer deadline set while the waiter sleeps")
  void kr54_nearerDeadline() {
    poll.add(timer, Events.IN);
    timer.set(Duration.ofSeconds(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      timer.set(millis(10));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-54: the first deadline of all, set while the waiter sleeps")
  void kr54_firstDeadline() {
    poll.add(timer, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      timer.set(millis(10));
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-54: a timer added while the waiter sleeps")
  void kr54_addedTimer() {
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      poll.add(timer, Events.IN);
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-54: a periodic timer that is armed again by a read while the waiter sleeps")
  void kr54_armedAgainByRead() {
    poll.add(timer, IN_ET);
    timer.set(millis(10), millis(10));
    time.advance(millis(10));
    assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      time.advance(millis(100));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      assertThat(timer.tryRead()).isEqualTo(11);
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-56c: set to later, disarmed, removed, closed: the waiter sleeps on")
  void kr56_laterDeadline() {
    Timer disarmed = time.timer();
    Timer removed = time.timer();
    Timer closed = time.timer();
    EpItem item = poll.add(removed, Events.IN);
    for (Timer each : List.of(timer, disarmed, closed)) {
      poll.add(each, Events.IN);
    }
    for (Timer each : List.of(timer, disarmed, removed, closed)) {
      each.set(millis(10));
    }
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      timer.set(millis(30));
      disarmed.disarm();
      item.remove();
      closed.close();
      time.advance(millis(10));
      waiters.settle();
      time.advance(millis(19));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(millis(1));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-56c: a sleep that ends early for a timer is not the user's timeout")
  void kr56_ownDeadline() {
    poll.add(timer, Events.IN);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, millis(20));
      Waiters.awaitAsleep(poll, 1);
      timer.disarm();
      time.advance(millis(10));
      waiters.settle();
      time.advance(millis(9));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(millis(1));
      assertThat(wait.result()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Probe.Step.class,
      names = {"ENLISTED", "LOOKED"})
  void s200_theTimerFiresJustWhenTheWaiterParks(Probe.Step when) {
    AtomicInteger fired = new AtomicInteger();
    EventPoll probed =
        probed(
            (step, who) -> {
              if (step == when && fired.getAndIncrement() == 0) {
                time.advance(millis(10));
              }
            });
    probed.add(timer, Events.IN);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      assertThat(waiters.await(probed).source()).isSameAs(timer);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Probe.Step.class,
      names = {"ENLISTED", "LOOKED"})
  @DisplayName("KR-54: a nearer deadline set just when the waiter parks")
  void kr54_setJustWhenTheWaiterParks(Probe.Step when) {
    AtomicInteger set = new AtomicInteger();
    EventPoll probed =
        probed(
            (step, who) -> {
              if (step == when && set.getAndIncrement() == 0) {
                timer.set(millis(10));
              }
            });
    probed.add(timer, Events.IN);
    timer.set(Duration.ofSeconds(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(probed, 1).get(0);
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("S145: the waiter's own clock wraps while it sleeps")
  void s145_sleepAcrossTheWrap() {
    VirtualTime wrapping = VirtualTime.startingAt(Long.MAX_VALUE - 1000);
    EventPoll late = Polls.on(wrapping);
    Timer lateTimer = wrapping.timer();
    late.add(lateTimer, Events.IN);
    lateTimer.set(Duration.ofNanos(2000));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(late, 1).get(0);
      wrapping.advanceNanos(1999);
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      wrapping.advanceNanos(1);
      assertThat(wait.source()).isSameAs(lateTimer);
    }
  }

  // ------------------------------------------------------------------------- several waiters

  @Test
  @DisplayName("KR-55a: of eight sleepers one wakes for a tick, and nobody else even looks")
  void kr55_oneKeepsTime() {
    AtomicInteger looks = new AtomicInteger();
    EventPoll probed =
        probed(
            (step, who) -> {
              if (step == Probe.Step.LOOKED) {
                looks.getAndIncrement();
              }
            });
    probed.add(timer, IN_ET);
    timer.set(millis(10), millis(10));
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(probed, 8);
      int before = looks.get();
      for (int tick = 1; tick <= 5; tick++) {
        time.advance(millis(10));
        waiters.settle();
        assertThat(waiters.returned()).isEqualTo(tick);
        assertThat(timer.tryRead()).isEqualTo(1);
        waiters.settle();
        assertThat(looks.get() - before).as("one successor for each tick").isEqualTo(tick);
      }
      assertThat(waiters.served()).isEqualTo(5);
    }
  }

  /** How the thread that keeps time stops doing so. */
  private enum Leaving {
    CHOSEN,
    WAKEUP,
    INTERRUPT,
    TIMEOUT
  }

  @ParameterizedTest
  @EnumSource(Leaving.class)
  @DisplayName("KR-55b: the duty is handed on, however its holder leaves")
  void kr55_dutyHandedOn(Leaving how) {
    EventFd counter = EventFd.create();
    poll.add(timer, IN_ET);
    poll.add(counter, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 2);
      // The waiter that came last is asked to keep time first.
      Wait last = how == Leaving.TIMEOUT ? waiters.await(poll, millis(5)) : waiters.await(poll);
      Waiters.awaitAsleep(poll, 3);
      timer.set(millis(10));
      waiters.settle();
      switch (how) {
        case CHOSEN -> counter.tryWrite(1);
        case WAKEUP -> poll.wakeup();
        case INTERRUPT -> last.thread.interrupt();
        case TIMEOUT -> time.advance(millis(5));
      }
      waiters.settle();
      // CHOSEN: its successor, woken to keep time, may have been quicker and taken the event.
      assertThat(waiters.returned()).isEqualTo(1);
      time.advance(millis(10));
      waiters.settle();
      assertThat(waiters.returned()).as("returned for the timer").isEqualTo(2);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-55b: the holder that leaves last but one for ever: each in turn")
  void kr55_dutyHandedOnAgainAndAgain() {
    poll.add(timer, IN_ET);
    timer.set(Duration.ofSeconds(1));
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 5);
      for (Wait wait : waits.subList(0, 4)) {
        wait.thread.interrupt();
        waiters.settle();
        assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
      }
      time.advance(Duration.ofSeconds(1));
      assertThat(waits.get(4).source()).isSameAs(timer);
    }
  }

  @Test
  @DisplayName("KR-56a: two polls watch one timer: each wakes one waiter, the tick counts once")
  void kr56_twoPolls() {
    EventPoll other = Polls.on(time);
    poll.add(timer, IN_ET);
    other.add(timer, IN_ET);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 2);
      waiters.awaiting(other, 2);
      time.advance(millis(10));
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(2);
      assertThat(Waiters.asleep(poll)).isEqualTo(1);
      assertThat(Waiters.asleep(other)).isEqualTo(1);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-56a: two polls watch one timer exclusively: one waiter returns")
  void kr56_exclusive() {
    EventPoll other = Polls.on(time);
    poll.add(timer, IN_ET | Events.EXCLUSIVE);
    other.add(timer, IN_ET | Events.EXCLUSIVE);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 1);
      waiters.awaiting(other, 1);
      time.advance(millis(10));
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------------------- polls in polls

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  @DisplayName("KR-45: a deadline appears below while a thread sleeps above")
  void kr45_deadlineBelow(int levels) {
    EventPoll bottom = chainBelow(poll, levels);
    bottom.add(timer, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      timer.set(Duration.ofSeconds(10));
      waiters.settle();
      timer.set(millis(10));
      waiters.settle();
      time.advance(millis(9));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(millis(1));
      assertThat(wait.result()).isEqualTo(1);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-45: a timer is added below while a thread sleeps above")
  void kr45_timerAddedBelow() {
    EventPoll bottom = chainBelow(poll, 2);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      bottom.add(timer, Events.IN);
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.result()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-46: a poll with an armed timer is added while a thread sleeps")
  void kr46_pollAdded() {
    EventPoll inner = Polls.on(time);
    inner.add(timer, Events.IN);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      poll.add(inner, Events.IN);
      waiters.settle();
      time.advance(millis(10));
      assertThat(wait.source()).isSameAs(inner);
    }
  }

  @Test
  @DisplayName("KR-46: threads sleep on both polls; each gets its event, the tick counts once")
  void kr46_innerAndOuter() {
    EventPoll inner = chainBelow(poll, 1);
    inner.add(timer, Events.IN);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait above = waiters.awaiting(poll, 1).get(0);
      Wait below = waiters.awaiting(inner, 1).get(0);
      time.advance(millis(10));
      assertThat(above.source()).isSameAs(inner);
      assertThat(below.source()).isSameAs(timer);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-48c: the inner poll is removed: its timer ends no sleep above any more")
  void kr48_pollRemoved() {
    EventPoll inner = Polls.on(time);
    inner.add(timer, Events.IN);
    EpItem item = poll.add(inner, Events.IN);
    timer.set(millis(10));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      item.remove();
      time.advance(millis(10));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      assertThat(poll.deadlines.nearest()).isEqualTo(Long.MAX_VALUE);
    }
  }

  // ------------------------------------------------------------------------- helpers

  /** Puts polls below one another; the lowest. */
  private EventPoll chainBelow(EventPoll top, int levels) {
    EventPoll above = top;
    for (int i = 0; i < levels; i++) {
      EventPoll below = Polls.on(time);
      above.add(below, Events.IN);
      above = below;
    }
    return above;
  }

  /** A poll on this test's time that shows its steps. */
  private EventPoll probed(Probe probe) {
    EventPollBuilder settings = Polls.builder();
    time.poll(settings).close(); // sets the clock
    settings.probe = probe;
    return settings.build();
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
