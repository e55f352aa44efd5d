package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.testkit.ScriptedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of what a driver is asked and told, each forced: KR-31 to KR-36, 38 to 40. */
@EveryPath
class ChannelRacesTest extends LeaderScene {
  /** Makes the leader return with nothing, and sees it asleep in another pass. */
  private void anotherPass(Wait leader, EventPoll poll) {
    leads(leader, poll);
    long sleeps = driver.sleeps();
    assertThat(driver.release()).isTrue();
    Waiters.until(() -> driver.sleeps() > sleeps, () -> state(poll));
    leads(leader, poll);
  }

  // ------------------------------------------------------------------------------------ KR-31

  @Test
  void kr31a_anEdgeThatWasToldOutlivesTheNextPass() {
    a.add(d, IN);
    b.add(c, IN_ET);
    Wait l = leading(a);
    Wait f = parked(b);
    Hold chosen = steps.hold(Step.STOPPED);
    c.arrive(1);
    chosen.reached();
    anotherPass(l, a);
    assertThat(c.inForce()).as("told, so not asked for").isZero();
    chosen.release();
    assertThat(f.source()).isSameAs(c);
  }

  @Test
  void kr31b_anEdgeThatWasDroppedBesideALevelIsToldAgain() {
    a.add(c, IN);
    b.add(c, IN_ET);
    Wait l = leading(a);
    Wait f = parked(b);
    Hold chosen = steps.hold(Step.STOPPED);
    chosen.except(l.thread);
    c.arrive(1);
    chosen.reached();
    assertThat(l.source()).as("delivered: what was believed is to be confirmed").isSameAs(c);
    chosen.release();
    assertThat(f.source()).as("by its next pass").isSameAs(c);
    assertThat(driver.reports()).isEqualTo(2);
  }

  @Test
  void kr31c_aDrainedChannelIsReportedNoMore() {
    a.add(c, IN);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    assertThat(c.takeUnnoticed()).isTrue();
    assertThat(now(a)).isZero();
    Wait l = leading(a);
    assertThat(driver.reports()).isEqualTo(1);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
  }

  @Test
  void kr31_levelIsReportedAgainUntilDrained() {
    a.add(c, IN);
    c.arrive(2);
    assertThat(now(a)).isEqualTo(1);
    assertThat(now(a)).isEqualTo(1);
    assertThat(c.take()).isTrue();
    assertThat(c.take()).isTrue();
    assertThat(now(a)).isZero();
  }

  @Test
  void kr31_edgeIsReportedAgainAfterWouldBlockOnly() {
    a.add(c, IN_ET);
    c.arrive(2);
    assertThat(now(a)).isEqualTo(1);
    assertThat(c.take()).isTrue();
    assertThat(now(a)).isZero();
    assertThat(c.take()).isTrue();
    assertThat(c.take()).isFalse();
    assertThat(now(a)).isZero();
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
  }

  @Test
  void kr31_inputThatArrivesWithWouldBlockIsAnEdge() {
    a.add(c, IN_ET);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    assertThat(c.take()).isTrue();
    assertThat(c.take()).isFalse();
    c.arrive(1); // before the next pass
    Wait l = waiters.await(a);
    assertThat(l.source()).isSameAs(c);
  }

  // ------------------------------------------------------------------------------------ KR-32

  @Test
  void kr32_twoPollsWantDifferentThingsOfOneChannel() {
    EpItem both = a.add(c, IN);
    b.add(c, IN_ONESHOT);
    c.arrive(1);
    assertThat(now(b)).isEqualTo(1); // fired: wants nothing
    both.modify(IN | Events.OUT);
    c.takeUnnoticed();
    assertThat(now(a)).isZero();
    assertThat(c.inForce()).isEqualTo(IN | Events.OUT);
    c.makeRoom(1);
    assertThat(now(a)).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-33

  @Test
  void kr33_reArmWhileTheLeaderSelects() {
    EpItem item = a.add(c, IN_ONESHOT);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    Wait l = leading(a);
    assertThat(c.inForce()).isZero();
    item.modify(IN_ONESHOT);
    assertThat(l.source()).isSameAs(c);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr33_oneWakeForABatchOfChanges() {
    EpItem ofC = a.add(c, IN_ONESHOT);
    EpItem ofD = a.add(d, IN_ONESHOT);
    c.arrive(1);
    d.arrive(1);
    assertThat(a.awaitNow(new ReadyEvents(2))).isEqualTo(2);
    Wait l = leads(waiters.await(a, 2), a);
    Hold awake = steps.hold(Step.REPORTED, seatOf(a));
    ofC.modify(IN_ONESHOT);
    awake.reached();
    ofD.modify(IN_ONESHOT); // it is awake: its next pass applies that
    assertThat(driver.wakeups()).isEqualTo(1);
    awake.release();
    assertThat(l.result()).isEqualTo(2);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr33_addingWhileTheLeaderSelectsIsEffectiveAtOnce() {
    a.add(c, IN);
    Wait l = leading(a);
    d.arrive(1);
    a.add(d, IN);
    assertThat(l.source()).isSameAs(d);
  }

  // ------------------------------------------------------------------------------------ KR-34

  @Test
  void kr34_anUnharvestedEventOfAnotherPollDoesNotMakeTheLeaderSpin() {
    a.add(d, IN);
    b.add(c, IN);
    Wait l = leading(a);
    c.arrive(1);
    Waiters.until(() -> driver.sleeps() == 2, () -> state(a));
    waiters.settle();
    assertThat(driver.passes()).isEqualTo(2);
    assertThat(driver.reports()).isEqualTo(1);
    assertThat(now(b)).isEqualTo(1);
    leads(l, a);
  }

  @Test
  void kr34_theOneWaiterLoopChangesNoMask() {
    a.add(c, IN);
    for (int i = 0; i < 5; i++) {
      Wait l = leading(a);
      c.arrive(1);
      assertThat(l.source()).isSameAs(c);
      assertThat(c.take()).isTrue();
    }
    assertThat(driver.maskChanges()).as("asked for once and never taken off").isEqualTo(1);
    assertThat(driver.passes()).isEqualTo(5);
    assertThat(driver.wakeups()).isZero();
  }

  // ------------------------------------------------------------------------------------ KR-35

  @ParameterizedTest
  @ValueSource(ints = {IN, IN_ET, IN_ONESHOT})
  void kr35_whatAPassDoesNotReportIsNotForgotten(int mask) {
    List<ScriptedChannel> many = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ScriptedChannel channel = driver.channel("many-" + i);
      many.add(channel);
      a.add(channel, mask);
      channel.arrive(1);
    }
    driver.reportAtMost(2);
    List<Pollable> got = new ArrayList<>();
    ReadyEvents ready = new ReadyEvents(8);
    for (int round = 0; round < 3; round++) {
      int n = a.awaitNow(ready);
      for (int i = 0; i < n; i++) {
        got.add(ready.source(i));
        ((ScriptedChannel) ready.source(i)).takeUnnoticed();
      }
    }
    assertThat(got).hasSize(5);
    assertThat(Set.copyOf(got)).isEqualTo(Set.copyOf(many));
  }

  @Test
  void kr35_anUnharvestedEdgeOutlivesPassesWithoutItsChannel() {
    b.add(c, IN_ET);
    a.add(d, IN);
    c.arrive(1);
    assertThat(now(a)).isZero(); // tells b
    for (int i = 0; i < 3; i++) {
      assertThat(now(a)).isZero();
    }
    assertThat(now(b)).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-36

  @Test
  void kr36_oneHolderAtATime() {
    a.add(c, IN_EXCLUSIVE);
    b.add(c, IN_EXCLUSIVE);
    Wait onA = leading(a);
    Wait onB = parked(b);
    c.arrive(2);
    assertThat(onA.source()).isSameAs(c);
    waiters.settle();
    leads(onB, b);
    assertThat(driver.reports()).as("no herd").isEqualTo(1);
    assertThat(c.asked()).isZero();
    assertThat(c.take()).isTrue();
    assertThat(onB.source()).as("no stall").isSameAs(c);
  }

  @ParameterizedTest
  @ValueSource(strings = {"await", "remove", "close", "would-block"})
  void kr36_theHolderLetsGo(String how) throws Exception {
    EpItem item = a.add(c, IN_EXCLUSIVE);
    b.add(c, IN_EXCLUSIVE);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    Wait onB = leading(b);
    assertThat(c.asked()).isZero();
    switch (how) {
      case "await" -> now(a);
      case "remove" -> item.remove();
      case "close" -> a.close();
      default -> {
        assertThat(c.takeUnnoticed()).isTrue(); // somebody else was faster
        assertThat(c.take()).isFalse();
        c.arrive(1);
      }
    }
    if (how.equals("await")) {
      Waiters.until(
          () -> driver.reports() == 2, () -> state(b)); // a registered first: has it again
      waiters.settle();
      assertThat(onB.isDone()).as("a has no waiter, so everybody has it").isTrue();
    }
    assertThat(onB.source()).isSameAs(c);
  }

  @Test
  void kr36_theWakeOfAWaiterThatCannotHarvestIsGivenBack() {
    EpItem item = a.add(c, IN_EXCLUSIVE);
    b.add(c, IN_EXCLUSIVE);
    b.add(d, IN);
    Wait onB = leading(b);
    Wait onA = parked(a);
    Hold chosen = steps.hold(Step.STOPPED);
    c.arrive(1);
    chosen.reached();
    assertThat(chosen.waiter().isChosen()).isTrue();
    item.remove();
    chosen.release();
    assertThat(onB.source()).isSameAs(c);
    waiters.settle();
    assertThat(onA.isDone()).isFalse();
  }

  // ------------------------------------------------------------------------------------ KR-38

  @Test
  void kr38_closeFlushesAtOnceIfNobodyLeads() {
    a.add(c, IN);
    assertThat(now(a)).isZero();
    assertThat(c.isRegistered()).isTrue();
    c.close();
    assertThat(c.isRegistered()).isFalse();
    assertThat(a.size()).isZero();
    assertThat(a.drivers.seats()).isEmpty();
  }

  @Test
  void kr38_closeWakesTheLeaderThatSleeps() {
    a.add(c, IN);
    a.add(d, IN);
    Wait l = leading(a);
    c.close();
    Waiters.until(() -> !c.isRegistered(), () -> state(a));
    leads(l, a);
    assertThat(driver.wakeups()).isEqualTo(1);
  }

  @Test
  void kr38_closeWhileTheHolderOfTheTurnIsAwake() {
    a.add(c, IN);
    a.add(d, IN);
    Wait l = leading(a);
    Hold awake = steps.hold(Step.REPORTED, seatOf(a));
    d.arrive(1);
    awake.reached();
    c.close(); // leaves the request: the turn is not free
    assertThat(c.isRegistered()).isTrue();
    awake.release();
    assertThat(l.source()).isSameAs(d); // gone to its user: it has looked for requests before
    assertThat(c.isRegistered()).isFalse();
  }

  @Test
  void kr38_closeWhileTheTurnWasJustGivenUp() {
    a.add(c, IN);
    a.add(d, IN);
    Wait l = leading(a);
    Hold freed = steps.hold(Step.TURN_FREED, seatOf(a));
    d.arrive(1);
    freed.reached();
    c.close();
    assertThat(c.isRegistered()).as("flushed here").isFalse();
    freed.release();
    assertThat(l.source()).isSameAs(d);
  }

  @Test
  void kr38_removeFlushesSoThatTheChannelCanBeClosedByItself() {
    EpItem item = a.add(c, IN);
    assertThat(now(a)).isZero();
    item.remove();
    assertThat(c.isRegistered()).isFalse();
    assertThat(driver.flushes()).isEqualTo(1);
  }

  @Test
  void kr38_aChannelThatIsStillWatchedElsewhereStays() {
    EpItem item = a.add(c, IN);
    b.add(c, IN);
    assertThat(now(a)).isZero();
    item.remove();
    assertThat(c.isRegistered()).isTrue();
    c.arrive(1);
    assertThat(now(b)).isEqualTo(1);
  }

  @Test
  void kr38_aChannelClosedByItselfEndsNoPass() {
    EpItem gone = a.add(c, IN);
    a.add(d, IN);
    Wait l = leading(a);
    c.closeUnnoticed();
    d.arrive(1);
    assertThat(l.source()).isSameAs(d);
    assertThat(gone.isValid()).isFalse();
    assertThat(c.isRegistered()).isFalse();
  }

  @Test
  void kr38_awaitOneLeavesNothingBehind() throws Exception {
    c.arrive(1);
    assertThat(EventPoll.awaitOne(c, IN, null)).isEqualTo(IN);
    assertThat(c.isRegistered()).isFalse();
    assertThat(c.takeUnnoticed()).isTrue();
    assertThat(EventPoll.awaitOne(c, IN, Duration.ZERO)).as("asked anew").isZero();
  }

  // ------------------------------------------------------------------------------------ KR-39

  @Test
  void kr39_removeThenAddWhileTheLeaderSleeps() {
    a.add(d, IN);
    EpItem item = a.add(c, IN);
    Wait l = leading(a);
    item.remove();
    a.add(c, IN);
    leads(l, a);
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
  }

  @Test
  void kr39_removeThenAddBeforeTheNextPass() {
    a.add(d, IN);
    EpItem item = a.add(c, IN);
    Wait l = leading(a);
    Hold awake = steps.hold(Step.REPORTED, seatOf(a));
    driver.release();
    awake.reached();
    item.remove();
    a.add(c, IN);
    awake.release();
    leads(l, a);
    assertThat(driver.flushes()).as("the key was kept").isZero();
    c.arrive(1);
    assertThat(l.source()).isSameAs(c);
  }

  // ------------------------------------------------------------------------------------ KR-40

  @Test
  void kr40_closingAPollUnderAnotherPollsLeader() {
    a.add(c, IN);
    b.add(d, IN);
    Wait f = leading(b);
    a.close();
    Waiters.until(() -> !c.isRegistered(), () -> state(b));
    leads(f, b);
    d.arrive(1);
    assertThat(f.source()).isSameAs(d);
  }

  @Test
  void kr40_closingTheLastPollGivesAllChannelsUp() {
    a.add(c, IN);
    a.add(d, IN);
    Wait l = leading(a);
    a.close();
    assertThat(l.failure()).isInstanceOf(ClosedEventPollException.class);
    Waiters.until(() -> !c.isRegistered() && !d.isRegistered(), () -> state(a));
  }

  @Test
  void kr40_closingAPollThatNobodyWaitsOnGivesAllChannelsUp() {
    a.add(c, IN);
    a.add(d, IN);
    assertThat(now(a)).isZero();
    a.close();
    assertThat(driver.flushes()).isEqualTo(2);
  }
}
