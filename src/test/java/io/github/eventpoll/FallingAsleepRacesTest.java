package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of falling asleep and being woken, each forced step by step: KR-1 to KR-7. */
@EveryPath
class FallingAsleepRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = steps.poll(time);
  private final EventFd source = EventFd.create();

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  // ------------------------------------------------------------------------------------- KR-1

  /** Holds a waiter while it falls asleep, lets something happen, and lets it go. */
  private Wait fallingAsleep(Step at, Runnable event) {
    Hold falling = steps.hold(at);
    Wait waiter = waiters.await(poll);
    falling.reached();
    event.run();
    EngineInvariants.check(steps, poll);
    falling.release();
    return waiter;
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr01_eventWhileAWaiterFallsAsleep(Step at) {
    poll.add(source, IN_ET);
    Wait w = fallingAsleep(at, () -> source.tryWrite(1));
    assertThat(w.source()).isSameAs(source);
    EngineInvariants.check(poll);
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr01_itemArmedOnAReadySourceWhileAWaiterFallsAsleep(Step at) {
    EpItem item = poll.add(EventFd.create(1), Events.PRI);
    Wait w = fallingAsleep(at, () -> item.modify(IN_ET));
    assertThat(w.result()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr01_closeWhileAWaiterFallsAsleep(Step at) {
    Wait w = fallingAsleep(at, poll::close);
    assertThat(w.failure()).isInstanceOf(ClosedEventPollException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr01_wakeupWhileAWaiterFallsAsleep(Step at) {
    assertThat(fallingAsleep(at, poll::wakeup).result()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr01_earlierDeadlineWhileAWaiterFallsAsleep(Step at) {
    Alarm alarm = new Alarm(time);
    poll.add(alarm, IN_ET);
    Wait w = fallingAsleep(at, () -> alarm.in(10));
    Waiters.awaitAsleep(poll, 1);
    EngineInvariants.check(poll);
    time.advanceNanos(10);
    assertThat(w.source()).isSameAs(alarm);
  }

  @Test
  void kr01_dutyReleasedWhileAWaiterFallsAsleep() {
    Alarm alarm = new Alarm(time).in(100);
    poll.add(alarm, IN_ET);
    Wait keeper = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Hold leaving = steps.hold(Step.STOPPED);
    keeper.thread.interrupt();
    leaving.reached();
    Wait w =
        fallingAsleep(
            Step.LOOKED, // has seen that somebody keeps time
            () -> {
              leaving.release();
              assertThat(keeper.failure()).isInstanceOf(InterruptedException.class);
            });
    Waiters.awaitAsleep(poll, 1);
    EngineInvariants.check(poll);
    time.advanceNanos(100);
    assertThat(w.source()).isSameAs(alarm);
  }

  @Test
  void kr01_wakeupAllBetweenTwoSleepsOfOneWait() {
    poll.add(source, IN_ET);
    Wait w = waiters.awaiting(poll, 1).get(0);
    Hold awake = steps.hold(Step.LEFT);
    source.tryWrite(1);
    awake.reached();
    source.tryRead(); // so that the wait goes on
    poll.wakeupAll();
    awake.release();
    assertThat(w.result()).isZero();
    EngineInvariants.check(poll);
  }

  @Test
  void kr01_wakeupAllBetweenAnInterruptAndTheNextSleep() {
    Hold interrupted = steps.hold(Step.RETURNED);
    Wait w = waiters.awaitUninterruptibly(poll);
    Waiters.until(() -> poll.sleepers.snapshot().stream().anyMatch(Waiter::isAsleep), poll::dump);
    w.thread.interrupt();
    interrupted.reached();
    poll.wakeupAll();
    interrupted.release();
    assertThat(w.result()).isZero();
    EngineInvariants.check(poll);
  }

  // ------------------------------------------------------------------------------------- KR-2

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "PLANNING", "LOOKED"})
  void kr02_permitUsedUpBetweenLookAndPark(Step at) {
    poll.add(source, IN_ET);
    Hold falling = steps.hold(at); // the hold itself parks: that takes the permit
    Wait w = waiters.await(poll);
    falling.reached();
    source.tryWrite(1);
    assertThat(falling.waiter().isChosen()).isTrue();
    LockSupport.unpark(w.thread);
    falling.release();
    assertThat(w.result()).isEqualTo(1);
  }

  @Test
  void kr02_permitsOfTheUserDoNotEndTheSleep() {
    poll.add(source, IN_ET);
    ReadyEvents ready = new ReadyEvents(1);
    Wait w =
        waiters.start(
            "with a permit",
            () -> {
              LockSupport.unpark(Thread.currentThread());
              return poll.await(ready);
            });
    Waiters.awaitAsleep(poll, 1);
    Waiter asleep = poll.sleepers.snapshot().get(0);
    LockSupport.unpark(w.thread);
    waiters.settle();
    assertThat(poll.sleepers.snapshot()).containsExactly(asleep); // kept its place all the time
    source.tryWrite(1);
    assertThat(w.result()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------- KR-3

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr03_chosenAfterTheDeadlinePassedOrTheInterruptCame(boolean interrupt) {
    poll.add(source, IN_ET);
    Wait w = waiters.await(poll, SECOND);
    Waiters.awaitAsleep(poll, 1);
    Hold leaving = steps.hold(Step.STOPPED);
    endTheSleep(w, interrupt);
    leaving.reached();
    source.tryWrite(1);
    assertThat(leaving.waiter().isChosen()).isTrue();
    EngineInvariants.check(steps, poll);
    leaving.release();
    assertThat(w.source()).isSameAs(source);
    assertThat(w.interruptedAtEnd()).isEqualTo(interrupt);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr03_leftBeforeTheEvent(boolean interrupt) {
    poll.add(source, IN_ET);
    Wait next = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Wait w = waiters.await(poll, SECOND);
    Waiters.awaitAsleep(poll, 2);
    Hold left = steps.hold(Step.LEFT);
    endTheSleep(w, interrupt);
    left.reached();
    source.tryWrite(1);
    assertThat(next.source()).isSameAs(source);
    left.release();
    if (interrupt) {
      assertThat(w.failure()).isInstanceOf(InterruptedException.class);
    } else {
      assertThat(w.result()).isZero();
    }
  }

  private void endTheSleep(Wait w, boolean interrupt) {
    if (interrupt) {
      w.thread.interrupt();
    } else {
      time.advance(SECOND);
    }
  }

  @Test
  void kr03_chosenAndThenAnErrorInsteadOfSleep() {
    FailingClock clock = new FailingClock();
    EventPoll failing = steps.poll(clock);
    failing.add(source, IN_ET);
    Wait next = waiters.await(failing);
    Waiters.awaitAsleep(failing, 1);
    Hold leaving = steps.hold(Step.STOPPED);
    ReadyEvents ready = new ReadyEvents(1);
    Wait w =
        waiters.start(
            "fails",
            () -> {
              clock.failMe();
              return failing.await(ready);
            });
    leaving.reached();
    source.tryWrite(1);
    assertThat(leaving.waiter().isChosen()).isTrue();
    leaving.release();
    assertThat(w.failure()).isSameAs(FailingClock.FAILURE);
    assertThat(next.source()).isSameAs(source);
  }

  @Test
  void kr03_chosenAndThenAnErrorOfTheSource() {
    Scripted broken = new Scripted();
    poll.add(broken, IN_ET);
    Wait next = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Wait w = waiters.await(poll);
    Waiters.awaitAsleep(poll, 2);
    broken.failOnce(new StackOverflowError("scripted"));
    broken.ready(Events.IN);
    assertThat(w.failure()).isInstanceOf(StackOverflowError.class);
    assertThat(next.source()).isSameAs(broken);
    EngineInvariants.check(poll);
  }

  @Test
  void kr03_chosenAndFoundNothingWhileAnotherEventCame() {
    EventFd second = EventFd.create();
    poll.add(source, IN_ET);
    poll.add(second, IN_ET);
    waiters.awaiting(poll, 2);
    Hold asked = steps.hold(Step.SCAN_ASKED);
    source.tryWrite(0); // an edge and nothing to read
    asked.reached();
    second.tryWrite(1); // chooses the other one, but the first one may take it as well
    EngineInvariants.check(steps, poll);
    asked.release();
    waiters.settle();
    assertThat(waiters.served()).isEqualTo(1);
    EngineInvariants.check(poll);
  }

  // ------------------------------------------------------------------------------------- KR-4

  @Test
  void kr04_chosenInOnePollAndAsleepInAnother() {
    EventPoll other = steps.poll(time);
    EventFd elsewhere = EventFd.create();
    poll.add(source, IN_ET);
    other.add(elsewhere, IN_ET);
    ReadyEvents ready = new ReadyEvents(1);
    Wait w = waiters.start("two polls", () -> poll.await(ready, SECOND) * 10 + other.await(ready));
    Waiters.awaitAsleep(poll, 1);
    Waiter first = poll.sleepers.snapshot().get(0);

    Hold chosen = steps.hold(Step.CHOSEN, first);
    Wait p = waiters.start("P", () -> source.tryWrite(1) ? 1 : 0);
    chosen.reached();
    time.advance(SECOND); // wakes W, which harvests and goes to the other poll
    Waiters.awaitAsleep(other, 1);
    Waiter second = other.sleepers.snapshot().get(0);
    assertThat(second).isNotSameAs(first);
    chosen.release(); // the late unpark
    assertThat(p.result()).isEqualTo(1);
    Waiters.awaitAsleep(other, 1);
    assertThat(other.sleepers.snapshot()).containsExactly(second);
    assertThat(second.isChosen()).isFalse();
    elsewhere.tryWrite(1);
    assertThat(w.result()).isEqualTo(11);
  }

  // ------------------------------------------------------------------------------------- KR-5

  @Test
  void kr05_wakerStopsBetweenChoosingAndUnparking() {
    poll.add(source, IN_ET);
    Wait w = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Hold chosen = steps.hold(Step.CHOSEN);
    Wait p = waiters.start("P", () -> source.tryWrite(1) ? 1 : 0);
    chosen.reached();
    source.tryWrite(1); // nobody is left to be chosen
    EngineInvariants.check(steps, poll);
    assertThat(w.isDone()).isFalse(); // a claimed wake is delivered when the claimer runs
    assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1); // a newcomer finds the event
    source.tryWrite(1);
    chosen.release();
    assertThat(p.result()).isEqualTo(1);
    assertThat(w.source()).isSameAs(source);
    assertThat(source.tryRead()).isEqualTo(3);
  }

  // ------------------------------------------------------------------------------------- KR-6

  @Test
  void kr06_tokenIsForTheSleeperAndNotForWhoComesBy() {
    Hold enlisted = steps.hold(Step.LOOKED);
    Wait a = waiters.await(poll);
    enlisted.reached();
    poll.wakeup();
    assertThat(poll.awaitNow(new ReadyEvents(1))).isZero();
    Wait b = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1); // A is chosen, B sleeps
    enlisted.release();
    assertThat(a.result()).isZero();
    assertThat(b.isDone()).isFalse();
    poll.wakeup();
    assertThat(b.result()).isZero();
  }

  @Test
  void kr06_tokenSurvivesWaitsThatDoNotSleep() {
    poll.add(source, IN_ET);
    poll.wakeup();
    poll.wakeup(); // counts once
    assertThat(poll.awaitNow(new ReadyEvents(1))).isZero();
    source.tryWrite(1);
    assertThat(waiters.await(poll).result()).isEqualTo(1); // had no need to sleep
    assertThat(waiters.await(poll).result()).isZero();
    Wait w = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    source.tryWrite(1);
    assertThat(w.result()).isEqualTo(1);
  }

  @Test
  void kr06_chosenForTheTokenAndTimedOutLeavesNoToken() {
    Wait w = waiters.await(poll, SECOND);
    Waiters.awaitAsleep(poll, 1);
    Hold leaving = steps.hold(Step.STOPPED);
    time.advance(SECOND);
    leaving.reached();
    poll.wakeup();
    leaving.release();
    assertThat(w.result()).isZero();
    Waiters.awaitAsleep(poll, 0);
    waiters.await(poll);
    Waiters.awaitAsleep(poll, 1); // and is not sent away at once
  }

  // ------------------------------------------------------------------------------------- KR-7

  @ParameterizedTest
  @EnumSource(names = {"SCAN_STARTED", "SCAN_ASK", "SCAN_ASKED"})
  void kr07_zeroTimeoutAndSleeperMeetARunningScan(Step at) {
    poll.add(EventFd.create(1), Events.IN); // level: ready all the time
    Hold scanning = steps.hold(at);
    Wait scanner = waiters.await(poll);
    scanning.reached();
    Wait z = waiters.start("Z", () -> poll.awaitNow(new ReadyEvents(1)));
    Wait w = waiters.await(poll);
    assertThat(poll.path.available()).isTrue();
    Waiters.until(() -> poll.control.isQueued(z.thread), poll::dump);
    Waiters.until(() -> poll.control.isQueued(w.thread), poll::dump);
    scanning.release();
    assertThat(scanner.result() + z.result() + w.result()).isEqualTo(3);
    EngineInvariants.check(poll);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN_STARTED", "SCAN_ASK", "SCAN_ASKED"})
  void kr07_sleeperMeetsARunningRevalidation(Step at) {
    poll.add(EventFd.create(1), IN_ET);
    Hold asking = steps.hold(at, at == Step.SCAN_STARTED ? poll : poll.items().get(0));
    Wait outer = waiters.start("outer", poll::readiness);
    asking.reached();
    Wait w = waiters.await(poll);
    Waiters.until(() -> poll.control.isQueued(w.thread), poll::dump);
    asking.release();
    assertThat(outer.result()).isEqualTo(Events.IN | Events.RDNORM);
    assertThat(w.result()).isEqualTo(1);
    EngineInvariants.check(poll);
  }

  @Test
  void kr07_endOfARevalidationWakesASleeper() {
    poll.add(source, IN_ET);
    Wait w = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Hold listed = steps.hold(Step.CALLBACK_LISTED);
    Wait p = waiters.start("P", () -> source.tryWrite(1) ? 1 : 0);
    listed.reached();
    assertThat(poll.readiness()).isEqualTo(Events.IN | Events.RDNORM);
    assertThat(w.source()).isSameAs(source); // not by P, which is held still
    listed.release();
    assertThat(p.result()).isEqualTo(1);
    EngineInvariants.check(poll);
  }
}
