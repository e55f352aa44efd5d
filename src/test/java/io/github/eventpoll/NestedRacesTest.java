package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The races of polls in polls, KR-45 to KR-48, each forced step by step; deadlines are what an
 * inner poll needs from the waiters of the outer ones.
 */
@EveryPath
class NestedRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll outer = steps.poll(time);
  private final EventPoll inner = steps.poll(time);
  private final Alarm alarm = new Alarm(time);
  private final ReadyEvents ready = new ReadyEvents(8);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  private Wait run(Runnable action) {
    return waiters.start(
        "T",
        () -> {
          action.run();
          return 1;
        });
  }

  private Wait asleep(EventPoll poll) {
    Wait wait = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    return wait;
  }

  /** Time comes to the alarm, and the waiter gets the event. */
  private void ringsFor(Wait waiter, EventPoll poll) {
    Waiters.awaitAsleep(poll, 1);
    EngineInvariants.check(poll);
    time.advanceNanos(10);
    assertThat(waiter.result()).isEqualTo(1);
    assertThat(alarm.rung).hasValue(1);
  }

  // ------------------------------------------------------------------------------------ KR-45

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr45_deadlineAppearsBelowWhileAWaiterFallsAsleep(Step at) {
    outer.add(inner, Events.IN);
    Hold falling = steps.hold(at);
    Wait w = waiters.await(outer);
    falling.reached();
    inner.add(alarm.in(10), Events.IN);
    falling.release();
    ringsFor(w, outer);
  }

  @Test
  void kr45_deadlineAppearsThreeLevelsBelowAnybodyAsleep() {
    EventPoll top = steps.poll(time);
    top.add(outer, Events.IN);
    outer.add(inner, Events.IN);
    Wait w = asleep(top);
    inner.add(alarm, Events.IN);
    alarm.in(10);
    ringsFor(w, top);
  }

  @Test
  void kr45_callIsNotOverBeforeTheDeadlineIsKnownAbove() {
    outer.add(inner, Events.IN);
    inner.add(alarm, Events.IN);
    alarm.in(10);
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    alarm.in(5);
    assertThat(outer.deadlines.nearest()).isEqualTo(5);
    alarm.off();
    assertThat(outer.deadlines.nearest()).isEqualTo(Clock.NEVER);
  }

  // ------------------------------------------------------------------------------------ KR-46

  @Test
  void kr46_edgeIsLinkedAndHasNotReadWhenTheDeadlineAppears() {
    Hold registered = steps.hold(Step.ADD_REGISTERED, null);
    Wait t2 = run(() -> outer.add(inner, Events.IN));
    registered.reached();
    inner.add(alarm.in(10), Events.IN); // finds the parent
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    registered.release();
    t2.result();
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    ringsFor(asleep(outer), outer);
  }

  @Test
  void kr46_deadlineIsPublishedAndHasNotWalkedWhenTheEdgeIsLinked() {
    Hold published = steps.hold(Step.DEADLINE_READ);
    Wait t1 = run(() -> inner.add(alarm.in(10), Events.IN));
    published.reached(); // the parents come next
    outer.add(inner, Events.IN); // reads
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    Wait w = asleep(outer);
    published.release();
    t1.result();
    ringsFor(w, outer);
  }

  @Test
  void kr46_sourceIsSetAndHasNotToldWhenItIsAdded() {
    alarm.publish(10);
    inner.add(alarm, Events.IN);
    outer.add(inner, Events.IN);
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
  }

  @Test
  void kr46_twoChangesOvertakeEachOther() {
    outer.add(inner, Events.IN);
    inner.add(alarm, Events.IN);
    Hold published = steps.hold(Step.DEADLINE_READ);
    Wait t1 = run(() -> alarm.in(10));
    published.reached();
    alarm.in(3);
    alarm.in(7);
    published.release();
    t1.result();
    assertThat(inner.deadlines.nearest()).isEqualTo(7); // recomputed, not remembered
    assertThat(outer.deadlines.nearest()).isEqualTo(7);
  }

  @Test
  void kr46_diamondCountsNothingTwice() {
    EventPoll left = steps.poll(time);
    EventPoll right = steps.poll(time);
    EpItem toLeft = outer.add(left, Events.IN);
    EpItem toRight = outer.add(right, Events.IN);
    left.add(inner, Events.IN);
    EpItem rightToInner = right.add(inner, Events.IN);
    inner.add(alarm.in(10), Events.IN);
    toLeft.remove();
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    rightToInner.remove();
    assertThat(outer.deadlines.nearest()).isEqualTo(Clock.NEVER);
    right.add(inner, Events.IN);
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    toRight.remove();
    assertThat(outer.deadlines.nearest()).isEqualTo(Clock.NEVER);
    assertThat(left.deadlines.nearest()).isEqualTo(10);
  }

  // ------------------------------------------------------------------------------------ KR-47

  private enum Below {
    ADD_READY,
    ADD_ALARM,
    MODIFY,
    REMOVE,
    CLOSE_SOURCE,
    CLOSE_POLL
  }

  @ParameterizedTest
  @EnumSource
  void kr47_workBelowNeedsNoControlLockFromAbove(Below how) {
    EventFd low = EventFd.create(1);
    EpItem item = inner.add(low, how == Below.MODIFY ? Events.PRI : Events.IN);
    inner.add(alarm.in(10), Events.IN);
    EventFd high = EventFd.create(1);
    EpItem first = outer.add(high, Events.IN);
    outer.add(inner, Events.IN);
    Hold scanning = steps.hold(Step.SCAN_ASK, first);
    Wait scan = waiters.start("S", () -> outer.awaitNow(ready));
    scanning.reached(); // holds the outer poll's control lock
    Wait t = run(() -> below(how, low, item));
    t.result();
    assertThat(scan.isDone()).isFalse();
    scanning.release();
    assertThat(scan.result()).isPositive();
    EngineInvariants.check(outer);
  }

  private void below(Below how, EventFd low, EpItem item) {
    switch (how) {
      case ADD_READY -> inner.add(EventFd.create(1), Events.IN);
      case ADD_ALARM -> inner.add(new Alarm(time).in(5), Events.IN);
      case MODIFY -> item.modify(Events.IN);
      case REMOVE -> item.remove();
      case CLOSE_SOURCE -> low.close();
      case CLOSE_POLL -> inner.close();
    }
  }

  @Test
  void kr47_signalsAndDeadlinesPassUpThroughPollsThatAreScanned() {
    EventFd low = EventFd.create(1);
    EpItem item = inner.add(low, Events.IN);
    inner.add(alarm, Events.IN);
    EventFd other = EventFd.create();
    inner.add(other, Events.IN);
    outer.add(inner, Events.IN);
    Hold scanning = steps.hold(Step.SCAN_ASK, item);
    Wait scan = waiters.start("S", () -> outer.awaitNow(ready));
    scanning.reached(); // holds both control locks
    Wait t =
        run(
            () -> {
              other.tryWrite(1);
              alarm.in(10);
              low.close();
            });
    t.result();
    assertThat(outer.deadlines.nearest()).isEqualTo(10);
    scanning.release();
    int first = scan.result();
    assertThat(first + outer.awaitNow(ready)).isPositive(); // the other one is ready
    EngineInvariants.check(inner, outer);
  }

  // ------------------------------------------------------------------------------------ KR-48

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr48_whoKeepsTimeBelowLeavesAndTheOneAboveStillWakes(boolean chosen) {
    outer.add(inner, Events.IN);
    inner.add(alarm.in(10), Events.IN);
    EventFd low = EventFd.create();
    inner.add(low, IN_ET);
    Wait below = asleep(inner);
    Wait above = asleep(outer);
    EngineInvariants.check(inner, outer);
    if (chosen) {
      Hold left = steps.hold(Step.LEFT, null);
      low.tryWrite(0); // wakes both, for nothing
      left.reached();
      left.release();
      Waiters.awaitAsleep(inner, 1);
    } else {
      below.thread.interrupt();
      assertThat(below.failure()).isInstanceOf(InterruptedException.class);
    }
    ringsFor(above, outer);
  }

  @Test
  void kr48_oneWaiterKeepsTimeForTwoPollsBelow() {
    EventPoll second = steps.poll(time);
    outer.add(inner, Events.IN);
    outer.add(second, Events.IN);
    Alarm later = new Alarm(time).in(20);
    second.add(later, IN_ET);
    inner.add(alarm.in(10), IN_ET);
    ringsFor(asleep(outer), outer);
    assertThat(later.rung).hasValue(0);
    assertThat(inner.awaitNow(ready)).isEqualTo(1); // else the outer poll stays ready
    Wait again = asleep(outer);
    time.advanceNanos(10);
    assertThat(again.source()).isSameAs(second);
    assertThat(later.rung).hasValue(1);
  }

  @Test
  void kr48_pollBelowIsTakenAwayFromWhoKeptItsTime() {
    EpItem edge = outer.add(inner, Events.IN);
    inner.add(alarm.in(10), Events.IN);
    Wait w = waiters.await(outer, Duration.ofNanos(100));
    Waiters.awaitAsleep(outer, 1);
    edge.remove();
    Hold looked = steps.hold(Step.LOOKED);
    time.advanceNanos(10);
    looked.reached(); // the old plan has ended its sleep, and it will sleep again
    looked.release();
    Waiters.awaitAsleep(outer, 1);
    assertThat(alarm.asked).hasValue(0); // a stranger's by now
    assertThat(w.isDone()).isFalse();
    assertThat(inner.awaitNow(ready)).isEqualTo(1);
    time.advanceNanos(90);
    assertThat(w.result()).isZero();
  }
}
