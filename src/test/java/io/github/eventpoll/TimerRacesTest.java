package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of timers and those who keep their time, step by step: KR-54 to KR-56. */
@EveryPath
class TimerRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = steps.poll(time);
  private final Timer timer = time.timer();
  private final ReadyEvents ready = new ReadyEvents(8);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  private static Duration nanos(long nanos) {
    return Duration.ofNanos(nanos);
  }

  private Wait asleep(EventPoll on) {
    Wait wait = waiters.await(on);
    Waiters.awaitAsleep(on, 1);
    return wait;
  }

  private Wait set(long delay) {
    return waiters.start(
        "T",
        () -> {
          timer.set(nanos(delay));
          return 1;
        });
  }

  // ------------------------------------------------------------------------------------ KR-54

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr54_earlierDeadlineWhileAWaiterFallsAsleep(Step at) {
    timer.set(nanos(10_000));
    poll.add(timer, Events.IN);
    Hold falling = steps.hold(at);
    Wait w = waiters.await(poll);
    falling.reached();
    timer.set(nanos(10));
    falling.release();
    ringsFor(w, 10);
  }

  private void ringsFor(Wait w, long after) {
    Waiters.awaitAsleep(poll, 1);
    EngineInvariants.check(poll);
    time.advanceNanos(after);
    assertThat(w.source()).isSameAs(timer);
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  void kr54_earlierDeadlineWhileAWaiterSleeps() {
    timer.set(nanos(10_000));
    poll.add(timer, Events.IN);
    Wait w = asleep(poll);
    timer.set(nanos(10));
    ringsFor(w, 10);
  }

  @ParameterizedTest
  @EnumSource(names = {"DUE", "PLANNING", "LOOKED"})
  void kr54_newDeadlineWhileTheKeeperLooksAgain(Step at) {
    Timer silent = time.timer();
    silent.set(nanos(40));
    poll.add(silent, Events.PRI); // rings for nobody
    poll.add(timer, Events.IN);
    Wait w = asleep(poll);
    Hold due = steps.hold(Step.DUE);
    time.advanceNanos(40);
    due.reached();
    Hold again = at == Step.DUE ? due : steps.hold(at);
    if (again != due) {
      due.release();
      again.reached(); // its plan was of the past, and it sees no deadline any more
    }
    timer.set(nanos(10));
    again.release();
    ringsFor(w, 10);
  }

  @Test
  void kr54_setterIsStuckBetweenPublishingAndTelling() {
    poll.add(timer, Events.IN);
    Hold published = steps.hold(Step.DEADLINE_READ);
    Wait t = set(10);
    published.reached();
    Wait w = asleep(poll); // enlists, then reads
    time.advanceNanos(10);
    assertThat(w.source()).isSameAs(timer);
    published.release();
    assertThat(t.result()).isEqualTo(1);
  }

  @Test
  void kr54_twoSettersAndTheEarlierOneIsStuck() {
    poll.add(timer, Events.IN);
    Timer other = time.timer();
    poll.add(other, Events.IN);
    Wait w = asleep(poll);
    Hold published = steps.hold(Step.DEADLINE_READ);
    Wait t = set(10);
    published.reached();
    other.set(nanos(20)); // is not the nearest
    published.release();
    assertThat(t.result()).isEqualTo(1);
    ringsFor(w, 10);
  }

  // ------------------------------------------------------------------------------------ KR-55

  @Test
  void kr55_oneOfEightKeepsTime() {
    Alarm alarm = new Alarm(time).in(10);
    poll.add(alarm, Events.PRI); // its ring wakes nobody
    List<Wait> eight = waiters.awaiting(poll, 8);
    List<Waiter> asleep = poll.sleepers.snapshot();
    assertThat(asleep).filteredOn(waiter -> waiter.plan == 10).hasSize(1);
    assertThat(asleep).filteredOn(waiter -> waiter.plan == Clock.NEVER).hasSize(7);
    time.advanceNanos(10);
    Waiters.until(() -> alarm.rung.get() == 1, poll::dump);
    waiters.settle();
    assertThat(alarm.asked).hasValue(1);
    assertThat(eight).noneMatch(Wait::isDone);
    assertThat(poll.sleepers.snapshot()).isEqualTo(asleep);
  }

  private enum Leaving {
    INTERRUPTED,
    CHOSEN,
    AWOKEN
  }

  @ParameterizedTest
  @EnumSource
  void kr55_keeperLeavesAndAnotherOneKeepsTime(Leaving how) {
    EventFd source = EventFd.create();
    poll.add(source, IN_ET);
    poll.add(timer, IN_ET);
    List<Wait> two = waiters.awaiting(poll, 2);
    Wait next = two.get(0);
    Wait keeper = two.get(1);
    timer.set(nanos(1000)); // kicks the one that came last
    Waiters.awaitAsleep(poll, 2);
    switch (how) {
      case INTERRUPTED -> keeper.thread.interrupt();
      case CHOSEN -> source.tryWrite(1);
      case AWOKEN -> poll.wakeup();
    }
    waiters.settle();
    assertThat(waiters.returned()).isEqualTo(1);
    EngineInvariants.check(poll);
    // Who is told to keep time looks at everything, and may take the event of the one before.
    Wait left = how == Leaving.CHOSEN && next.isDone() ? keeper : next;
    time.advanceNanos(1000);
    assertThat(left.source()).isSameAs(timer);
  }

  @Test
  void kr55_keeperIsWokenForNothingAndSleepsOn() {
    timer.set(nanos(10));
    poll.add(timer, Events.IN);
    EventFd source = EventFd.create();
    poll.add(source, IN_ET);
    Wait w = asleep(poll);
    Hold left = steps.hold(Step.LEFT);
    source.tryWrite(0); // an edge, and nothing to read
    left.reached();
    left.release();
    ringsFor(w, 10);
  }

  @Test
  void kr55_waiterWithAnEarlierTimeoutLeavesTheDutyToOthers() {
    timer.set(nanos(100));
    poll.add(timer, Events.IN);
    Wait untimed = asleep(poll);
    Wait timed = waiters.await(poll, nanos(50));
    Waiters.awaitAsleep(poll, 2);
    EngineInvariants.check(poll);
    time.advanceNanos(50);
    assertThat(timed.result()).isZero();
    Waiters.awaitAsleep(poll, 1);
    EngineInvariants.check(poll);
    time.advanceNanos(50);
    assertThat(untimed.source()).isSameAs(timer);
  }

  // ------------------------------------------------------------------------------------ KR-56

  @Test
  void kr56_twoPollsExpireOneTimer() {
    EventPoll other = steps.poll(time);
    timer.set(nanos(10));
    poll.add(timer, IN_ET);
    other.add(timer, IN_ET);
    Wait w1 = asleep(poll);
    Wait w2 = asleep(other);
    Hold one = steps.hold(Step.DUE);
    Hold two = steps.hold(Step.DUE);
    time.advanceNanos(10);
    one.reached();
    two.reached(); // both have read that it is due
    one.release();
    two.release();
    assertThat(w1.source()).isSameAs(timer);
    assertThat(w2.source()).isSameAs(timer);
    assertThat(timer.tryRead()).isEqualTo(1);
    assertThat(poll.awaitNow(ready) + other.awaitNow(ready)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 50})
  void kr56_timerIsSetAgainWhileItExpires(long delay) {
    timer.set(nanos(10));
    poll.add(timer, Events.IN);
    Wait w = asleep(poll);
    Hold due = steps.hold(Step.DUE);
    time.advanceNanos(10);
    due.reached();
    timer.set(nanos(delay)); // another generation; 0 disarms
    due.release();
    Waiters.awaitAsleep(poll, 1);
    assertThat(w.isDone()).isFalse();
    assertThat(timer.tryRead()).isZero();
    EngineInvariants.check(poll);
    if (delay == 0) {
      timer.set(nanos(50));
    }
    ringsFor(w, 50);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr56_timerThatSetThePlanIsGone(boolean close) {
    timer.set(nanos(10));
    EpItem item = poll.add(timer, Events.IN);
    Wait w = waiters.await(poll, nanos(100));
    Waiters.awaitAsleep(poll, 1);
    if (close) {
      timer.close();
    } else {
      item.remove();
    }
    Hold looked = steps.hold(Step.LOOKED);
    time.advanceNanos(10); // ends the sleep early
    looked.reached(); // and it will sleep again
    looked.release();
    Waiters.awaitAsleep(poll, 1);
    time.advanceNanos(89);
    waiters.settle();
    assertThat(w.isDone()).isFalse();
    time.advanceNanos(1);
    assertThat(w.result()).isZero();
  }
}
