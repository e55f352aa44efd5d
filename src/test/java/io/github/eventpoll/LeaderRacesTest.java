package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of a driver's turn, each forced step by step: KR-25 to KR-30, 37, 41 to 44. */
@EveryPath
class LeaderRacesTest extends LeaderScene {
  // ------------------------------------------------------------------------------------ KR-25

  @Test
  void kr25_followersOfAnotherPollAreReachedWhileOneLeads() {
    a.add(c, IN);
    b.add(d, IN);
    b.add(memory, IN_ET);
    Wait leader = leading(a);
    Wait forEvent = parked(b);
    memory.tryWrite(1);
    assertThat(forEvent.source()).isSameAs(memory);
    Wait forTime = parks(waiters.await(b, SECOND), b);
    time.advance(SECOND);
    assertThat(forTime.result()).isZero();
    Wait forInterrupt = parked(b);
    forInterrupt.thread.interrupt();
    assertThat(forInterrupt.failure()).isInstanceOf(InterruptedException.class);
    leads(leader, a);
    assertThat(driver.wakeups()).isZero();
    assertThat(driver.sleeps()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-26

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr26a_eventInMemoryWhileALeaderFallsAsleep(Step at) {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Hold falling = steps.hold(at);
    Wait l = waiters.await(a);
    falling.reached();
    memory.tryWrite(1);
    falling.release();
    assertThat(l.source()).isSameAs(memory);
    assertThat(driver.wakeups()).as("it was awake").isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr26a_channelReadyWhileALeaderFallsAsleep(Step at) {
    a.add(c, IN);
    Hold falling = steps.hold(at);
    Wait l = waiters.await(a);
    falling.reached();
    c.arrive(1);
    falling.release();
    assertThat(l.source()).isSameAs(c);
  }

  @ParameterizedTest
  @EnumSource(names = {"ENLISTED", "PLANNING", "LOOKED"})
  void kr26a_closeWhileALeaderFallsAsleep(Step at) {
    a.add(c, IN);
    Hold falling = steps.hold(at);
    Wait l = waiters.await(a);
    falling.reached();
    a.close();
    falling.release();
    assertThat(l.failure()).isInstanceOf(ClosedEventPollException.class);
  }

  @Test
  void kr26b_aLateWakeMeetsTheNextLeader() {
    a.add(c, IN_ET);
    a.add(memory, IN_ET);
    Wait first = leads(waiters.await(a, 2), a);
    Hold chosen = steps.hold(Step.CHOSEN);
    waiters.start("p", () -> memory.tryWrite(1) ? 0 : 1);
    chosen.reached(); // p has claimed the wake of the first leader
    c.arrive(1);
    assertThat(first.result()).as("it returned because of the channel").isEqualTo(2);
    Wait second = leading(a);
    long passes = driver.passes();
    chosen.release();
    Waiters.until(() -> driver.wakeups() == 1 && driver.passes() > passes, () -> state(a));
    leads(second, a); // a return with nothing is nothing to the user
    memory.tryWrite(1);
    assertThat(second.source()).isSameAs(memory);
  }

  @Test
  void kr26c_anEventWhileTheLeadersWakeIsClaimedAlready() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait l = leading(a);
    Waiter leader = seatOf(a).leader();
    int before = leader.kick(); // p1 has claimed the wake, and is delayed
    memory.tryWrite(1); // p2 sees that, and saves its own
    assertThat(driver.wakeups()).isZero();
    leader.wake(before);
    assertThat(l.source()).isSameAs(memory);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr26_aReturnWithNothingIsNoEvent() {
    a.add(c, IN);
    Wait l = leading(a);
    for (int i = 2; i < 5; i++) {
      int expected = i;
      assertThat(driver.release()).isTrue();
      Waiters.until(() -> driver.sleeps() == expected, () -> state(a));
    }
    leads(l, a);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
  }

  // ------------------------------------------------------------------------------------ KR-27

  @Test
  void kr27_aParkedWaiterThatNowLeadsIsWokenInTheDriver() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait l = leading(a);
    Wait f = parked(a);
    l.thread.interrupt();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class);
    leads(f, a);
    memory.tryWrite(1);
    assertThat(f.source()).isSameAs(memory);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr27_aKickBetweenTheChoiceAndTheWakeOfACrowd() {
    a.add(c, IN);
    Waiter waiter = new Waiter(Thread.currentThread());
    waiter.lead(seatOf(a));
    assertThat(waiter.trySelect()).isTrue();
    waiter.chooseForLater(0);
    waiter.kickAndWake(); // sees that it was chosen, and leaves the wake to the chooser
    assertThat(driver.wakeups()).isZero();
    waiter.wakeChosen();
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-28

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr28a_theTurnIsFreedWhileACandidateFallsAsleep(Step at) {
    a.add(c, IN);
    Wait l = leading(a);
    Hold falling = steps.hold(at);
    Wait f = waiters.await(a);
    falling.reached();
    l.thread.interrupt();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class);
    falling.release();
    leads(f, a);
    c.arrive(1);
    assertThat(f.source()).isSameAs(c);
  }

  @Test
  void kr28a_theTurnIsTakenWhileTheOneWhoGaveItUpHasNotLooked() {
    a.add(c, IN);
    Wait l = leading(a);
    Hold freed = steps.hold(Step.TURN_FREED, seatOf(a));
    l.thread.interrupt();
    freed.reached();
    Wait f = leading(a);
    freed.release();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class);
    c.arrive(1);
    assertThat(f.source()).isSameAs(c);
  }

  @ParameterizedTest
  @ValueSource(strings = {"interrupt", "timeout", "event", "wakeup"})
  void kr28b_theOneWhoWasKickedLeaves(String reason) {
    a.add(c, IN);
    b.add(d, IN);
    b.add(memory, IN_ET);
    Wait l = leading(a);
    Wait g = parked(a);
    Wait f = parks(waiters.await(b, SECOND), b); // came last: is kicked first
    Hold stopped = steps.hold(Step.STOPPED);
    Map<String, Runnable> ways =
        Map.of(
            "interrupt",
            f.thread::interrupt,
            "timeout",
            () -> time.advance(SECOND),
            "event",
            () -> memory.tryWrite(1),
            "wakeup",
            b::wakeup);
    ways.get(reason).run();
    stopped.reached();
    l.thread.interrupt();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class);
    stopped.release();
    leads(g, a);
    Waiters.until(f::isDone, f::toString);
  }

  @Test
  void kr28c_aKickIsNoChoice() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait l = leading(a);
    Hold looked = steps.hold(Step.LOOKED);
    Wait f = waiters.await(a, SECOND);
    looked.reached();
    l.thread.interrupt();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class); // f is kicked
    assertThat(looked.waiter().isChosen()).isFalse();
    assertThat(a.sleepers.snapshot()).contains(looked.waiter());
    looked.release();
    leads(f, a); // and has not returned 0
    time.advance(SECOND);
    assertThat(f.result()).isZero();
  }

  @Test
  void kr28_candidatesAreThoseOfAllPolls() {
    a.add(c, IN);
    b.add(d, IN);
    Wait l = leading(a);
    Wait f = parked(b);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
    leads(f, b);
    d.arrive(1);
    assertThat(f.source()).isSameAs(d);
  }

  // ------------------------------------------------------------------------------------ KR-29

  @Test
  void kr29_theLeaderServesWhatItDispatches() {
    a.add(c, IN_ET);
    Wait l = leading(a);
    Wait f = parked(a); // came last
    Waiter record = a.sleepers.snapshot().get(0);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
    leads(f, a);
    assertThat(driver.wakeups()).isZero();
    assertThat(a.sleepers.snapshot()).as("never chosen, only kicked").containsExactly(record);
  }

  @Test
  void kr29_inMemoryEventsAreForFollowersFirstAndForTheLeaderLast() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait first = leading(a);
    Wait follower = parked(a);
    Wait leader = parked(a); // came last
    first.thread.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    leads(leader, a);
    memory.tryWrite(1);
    assertThat(follower.source()).isSameAs(memory);
    assertThat(driver.wakeups()).isZero();
    memory.tryWrite(1);
    assertThat(leader.source()).isSameAs(memory);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr29_anExclusiveChannelIsUsedUpByTheLeaderItself() {
    a.add(c, IN_EXCLUSIVE);
    b.add(c, IN_EXCLUSIVE);
    Wait onB = leading(b);
    Wait onA = parked(a);
    c.arrive(1);
    assertThat(onA.source()).as("a registered first: used up by its waiter").isSameAs(c);
    waiters.settle();
    leads(onB, b);
  }

  // ------------------------------------------------------------------------------------ KR-30

  @Test
  void kr30_aPassIsDispatchedToTheEnd() {
    a.add(c, IN_ET);
    b.add(d, IN_ET);
    Hold looked = steps.hold(Step.LOOKED);
    Wait l = waiters.await(a);
    looked.reached();
    Hold before = steps.hold(Step.LOOKED);
    Wait f = waiters.await(b);
    before.reached();
    before.release();
    parks(f, b);
    c.arrive(1);
    d.arrive(1);
    looked.release(); // its first pass finds both
    assertThat(l.source()).isSameAs(c);
    assertThat(f.source()).isSameAs(d);
    assertThat(driver.passes()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-37

  @Test
  void kr37_nobodySelectsUnderTheControlLockOrWaitsForTheLeader() {
    a.add(c, IN);
    Wait l = leading(a);
    long passes = driver.passes();
    assertThat(a.readiness()).isZero();
    assertThat(now(a)).as("the leader asks for the same channels").isZero();
    assertThat(driver.passes()).isEqualTo(passes);
    EpItem other = a.add(d, IN_ONESHOT);
    other.modify(IN);
    other.remove();
    leads(l, a);
    Waiters.until(() -> driver.sleeper() != null, () -> state(a)); // it selects again
  }

  @Test
  void kr37_zeroTimeoutMakesAPassIfNobodyLeads() {
    a.add(c, IN);
    assertThat(now(a)).isZero();
    assertThat(driver.passes()).isEqualTo(1);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    assertThat(driver.sleeps()).isZero();
  }

  @Test
  void kr37_aPassOfSomebodyElseGivesTheTurnUpOnce() {
    a.add(c, IN);
    Hold freed = steps.hold(Step.TURN_FREED, seatOf(a));
    waiters.start("passes", () -> now(a));
    freed.reached(); // the turn is free
    Wait l = leading(a);
    freed.release(); // and must not be given up again
    waiters.settle();
    assertThat(seatOf(a).leader()).isNotNull();
    assertThat(now(a)).isZero();
    leads(l, a);
  }

  // ------------------------------------------------------------------------------------ KR-41

  @Test
  void kr41_theLastFractionIsSpentParkedWithTheTurnKept() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait l = leads(waiters.await(a, Duration.ofNanos(500_000)), a);
    assertThat(driver.sleeper()).as("parked").isNull();
    assertThat(seatOf(a).isFree()).isFalse();
    memory.tryWrite(1);
    assertThat(l.source()).isSameAs(memory);
    assertThat(driver.wakeups()).as("unparked").isZero();
  }

  @Test
  void kr41_onePassAfterTheLastFraction() {
    a.add(c, IN);
    Wait l = leads(waiters.await(a, Duration.ofNanos(500_000)), a);
    c.arrive(1);
    time.advanceNanos(500_000);
    assertThat(l.source()).isSameAs(c);
    assertThat(driver.sleeps()).isZero();
  }

  @Test
  void kr41_timeoutsEndInTheDriverAndAfterIt() {
    a.add(c, IN);
    Wait l = leads(waiters.await(a, Duration.ofNanos(2_300_000)), a);
    time.advanceNanos(2_000_000); // as a driver that reckons in milliseconds
    driver.release();
    Waiters.until(() -> driver.sleeper() == null, () -> state(a));
    waiters.settle();
    assertThat(l.isDone()).isFalse();
    time.advanceNanos(300_000);
    assertThat(l.result()).isZero();
  }

  // ------------------------------------------------------------------------------------ KR-42

  @Test
  void kr42_aWakeThatIsLostIsNotNeededByALeaderThatReturned() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    Wait l = leading(a);
    Hold chosen = steps.hold(Step.CHOSEN);
    waiters.start("p", () -> memory.tryWrite(1) ? 0 : 1);
    chosen.reached(); // has claimed the wake; the old selector would be closed now
    driver.release();
    assertThat(l.source()).isSameAs(memory);
    assertThat(driver.wakeups()).isZero();
  }

  // ------------------------------------------------------------------------------------ KR-43

  @Test
  void kr43_anInterruptedLeaderDoesNotSpin() {
    a.add(c, IN);
    Wait l = leads(waiters.awaitUninterruptibly(a), a);
    l.thread.interrupt();
    Waiters.until(() -> driver.sleeps() == 2, () -> state(a));
    waiters.settle();
    assertThat(driver.passes()).isEqualTo(2);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
    assertThat(l.interruptedAtEnd()).isTrue();
  }

  @Test
  void kr43_anInterruptedLeaderHandsTheTurnOn() {
    a.add(c, IN);
    Wait l = leading(a);
    Wait f = parked(a);
    l.thread.interrupt();
    assertThat(l.failure()).isInstanceOf(InterruptedException.class);
    assertThat(l.interruptedAtEnd()).isFalse();
    leads(f, a);
  }

  // ------------------------------------------------------------------------------------ KR-44

  @Test
  void kr44_aListThatIsNeverEmptyDoesNotHideTheChannels() {
    memory.tryWrite(1);
    a.add(memory, IN);
    a.add(c, IN);
    c.arrive(1);
    ReadyEvents ready = new ReadyEvents(8);
    int most = 0;
    for (int i = 0; i < 64; i++) {
      most = Math.max(most, a.awaitNow(ready));
    }
    assertThat(most).isEqualTo(2);
    assertThat(driver.passes()).as("one every 64 awaits").isEqualTo(1);
  }

  @Test
  void kr44_aPassOfABusyWaiterIsNotMadeInPlaceOfTheLeader() {
    memory.tryWrite(1);
    a.add(memory, IN);
    a.add(c, IN);
    b.add(d, IN);
    Wait l = leading(b);
    for (int i = 0; i < 200; i++) {
      assertThat(now(a)).isEqualTo(1);
    }
    assertThat(driver.passes()).isEqualTo(driver.sleeps());
    leads(l, b);
  }
}
