package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of walking a wait queue without a lock, each forced step by step: KR-13 to KR-20. */
@EveryPath
class QueueWalkRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final int SHARED = Events.IN | Events.EXCLUSIVE;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final EventPoll a = steps.poll();
  private final EventPoll b = steps.poll();
  private final EventFd source = EventFd.create();
  private final ReadyEvents ready = new ReadyEvents(8);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  private Wait write() {
    return waiters.start("Wk", () -> source.tryWrite(1) ? 1 : 0);
  }

  private Wait asleep(EventPoll poll) {
    Wait wait = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    return wait;
  }

  // ------------------------------------------------------------------------------------ KR-13

  private enum End {
    REMOVE,
    CLOSE_POLL,
    CLOSE_SOURCE
  }

  @ParameterizedTest
  @EnumSource
  void kr13_walkerMeetsAnItemThatHasEnded(End how) {
    EpItem item = a.add(source, IN_ET, "attached");
    b.add(source, IN_ET); // newest first: the walk begins here
    EventPoll outer = steps.poll();
    EpItem watched = outer.add(a, IN_ET);
    Hold onTheWay = steps.hold(Step.CALLBACK, item);
    Wait wk = write();
    onTheWay.reached();
    switch (how) {
      case REMOVE -> item.remove();
      case CLOSE_POLL -> a.close();
      case CLOSE_SOURCE -> source.close();
    }
    assertThat(item.isValid()).isFalse();
    assertThat(a.size()).isZero();
    onTheWay.release();
    assertThat(wk.result()).isEqualTo(1);
    assertThat(item.isQueued()).isFalse();
    assertThat(a.path.available()).isFalse();
    assertThat(watched.isQueued()).isFalse(); // not even the watchers were told
  }

  @Test
  void kr13_callbackWokeSomebodyForAnItemThatIsRemovedThen() {
    EpItem item = a.add(source, IN_ET);
    Wait w = asleep(a);
    Hold listed = steps.hold(Step.CALLBACK_LISTED);
    Wait wk = write();
    listed.reached();
    item.remove();
    assertThat(item.isQueued()).isFalse();
    listed.release(); // the tail of a callback that came before the removal
    assertThat(wk.result()).isEqualTo(1);
    waiters.settle();
    assertThat(w.isDone()).isFalse();
    EngineInvariants.check(a);
    EventFd another = EventFd.create(1);
    a.add(another, IN_ET);
    assertThat(w.source()).isSameAs(another);
  }

  @Test
  void kr13_itemEndsWhileAScanHasIt() {
    EpItem item = a.add(source, Events.IN);
    source.tryWrite(1);
    Hold asked = steps.hold(Step.SCAN_ASKED);
    Wait scan = waiters.start("S", () -> a.awaitNow(ready));
    asked.reached();
    source.close();
    assertThat(a.size()).isZero();
    asked.release();
    assertThat(scan.result()).isZero();
    assertThat(item.isQueued()).isFalse();
    EngineInvariants.check(a);
  }

  // ------------------------------------------------------------------------------------ KR-14

  private enum Dead {
    REMOVED,
    MISMATCHED,
    NOBODY_ASLEEP
  }

  @ParameterizedTest
  @EnumSource
  void kr14_entryThatCannotUseTheWakePassesItOn(Dead how) {
    int mask = how == Dead.MISMATCHED ? Events.OUT | Events.EXCLUSIVE : SHARED;
    EpItem first = a.add(source, mask | Events.ET);
    b.add(source, SHARED);
    a.awaitNow(ready);
    Wait inA = how == Dead.NOBODY_ASLEEP ? null : asleep(a);
    Wait inB = asleep(b);
    Hold onTheWay = steps.hold(Step.CALLBACK, first);
    Wait wk = write();
    onTheWay.reached();
    if (how == Dead.REMOVED) {
      first.remove();
    }
    onTheWay.release();
    assertThat(wk.result()).isEqualTo(1);
    assertThat(inB.source()).isSameAs(source);
    assertThat(inA == null || !inA.isDone()).isTrue();
    EngineInvariants.check(a, b);
  }

  // ------------------------------------------------------------------------------------ KR-15

  @Test
  void kr15_twoWalkersMeetOneSleeper() {
    EpItem first = a.add(source, SHARED);
    b.add(source, SHARED);
    Wait inA = asleep(a);
    Wait inB = asleep(b);
    Hold listed = steps.hold(Step.CALLBACK_LISTED, first);
    Wait wk1 = write();
    listed.reached(); // has seen nothing yet but could have seen the sleeper
    source.tryWrite(1); // chooses it
    assertThat(inA.source()).isSameAs(source);
    assertThat(inB.isDone()).isFalse();
    listed.release(); // chooses nobody here: not consumed
    assertThat(wk1.result()).isEqualTo(1);
    assertThat(inB.source()).isSameAs(source);
  }

  @Test
  void kr15_callbackOfAnItemOnTheListChoosesAndConsumes() {
    a.add(source, SHARED);
    EpItem other = b.add(source, SHARED);
    List<Wait> inA = waiters.awaiting(a, 2);
    Wait inB = asleep(b);
    Hold stopped = steps.hold(Step.STOPPED);
    source.tryWrite(1);
    stopped.reached(); // one is chosen, and the item still listed
    source.tryWrite(1); // for the other one
    assertThat(other.isQueued()).isFalse();
    stopped.release();
    assertThat(inA.get(0).result() + inA.get(1).result()).isEqualTo(2);
    assertThat(inB.isDone()).isFalse();
  }

  // ------------------------------------------------------------------------------------ KR-16

  @Test
  void kr16_queueIsEditedUnderAWalker() {
    EventPoll c = steps.poll();
    EpItem oldest = c.add(source, IN_ET);
    EpItem middle = b.add(source, IN_ET);
    EpItem newest = a.add(source, IN_ET);
    Hold onTheWay = steps.hold(Step.CALLBACK, newest);
    Wait wk = write();
    onTheWay.reached();
    newest.remove(); // the walker stands on it
    middle.remove();
    EpItem again = b.add(source, IN_ET);
    assertThat(again.isQueued()).isTrue(); // it came later: so it has asked
    onTheWay.release();
    assertThat(wk.result()).isEqualTo(1);
    assertThat(oldest.isQueued()).isTrue(); // the tail was not missed
    assertThat(b.awaitNow(ready)).isEqualTo(1);
    assertThat(b.awaitNow(ready)).isZero();
    EngineInvariants.check(a, b, c);
  }

  @Test
  void kr16_entryComesBetweenTheStoreAndTheWalk() {
    Scripted late = new Scripted();
    late.store(Events.IN);
    Hold registered = steps.hold(Step.ADD_REGISTERED);
    Wait adder = waiters.start("A", () -> a.add(late, IN_ET) == null ? 0 : 1);
    registered.reached();
    late.ring(Events.IN); // meets the entry
    assertThat(a.items().get(0).isQueued()).isTrue();
    registered.release(); // and it asks, too
    assertThat(adder.result()).isEqualTo(1);
    assertThat(a.awaitNow(ready)).isEqualTo(1);
    assertThat(a.awaitNow(ready)).isZero();
  }

  @Test
  void kr16_everyWalkTellsEdgeWatchersThoughNothingChanged() {
    a.add(source, IN_ET);
    for (int i = 0; i < 3; i++) {
      source.tryWrite(1);
      assertThat(a.awaitNow(ready)).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------------------------------ KR-17

  @Test
  void kr17_queueClosesAfterTheChecksOfAnAddition() {
    Scripted closing = new Scripted();
    closing.whenTraits(() -> closing.waitQueue().close()); // asked between check and registration
    assertThatThrownBy(() -> a.add(closing, Events.IN))
        .isInstanceOfSatisfying(
            EventPollStateException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    assertThat(a.size()).isZero();
    assertThat(a.items()).isEmpty();
    assertThat(a.control.isLocked()).isFalse();
  }

  @Test
  void kr17_queueClosesWhileAnAdditionAsks() {
    source.tryWrite(1);
    Hold registered = steps.hold(Step.ADD_REGISTERED);
    Wait adder = waiters.start("A", () -> a.add(source, Events.IN).isValid() ? 1 : 0);
    registered.reached();
    source.close();
    assertThat(a.size()).isZero();
    registered.release();
    assertThat(adder.result()).isZero();
    assertThat(a.awaitNow(ready)).isZero();
    EngineInvariants.check(a);
  }

  // ------------------------------------------------------------------------------------ KR-18

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr18_wakeIsGivenBackByWhoEndsTheItem(boolean closePoll) {
    EpItem first = a.add(source, SHARED);
    b.add(source, SHARED);
    Wait inA = asleep(a);
    Wait inB = asleep(b);
    Hold stopped = steps.hold(Step.STOPPED);
    Wait wk = write();
    stopped.reached();
    assertThat(wk.result()).isEqualTo(1);
    assertThat(inB.isDone()).isFalse(); // consumed by A
    if (closePoll) {
      a.close();
    } else {
      first.remove();
    }
    assertThat(inB.source()).isSameAs(source);
    stopped.release();
    waiters.settle();
    assertThat(inA.isDone()).isEqualTo(closePoll);
    EngineInvariants.check(a, b);
  }

  @Test
  void kr18_wakeIsGivenBackThoughTheSourceBreaksMeanwhile() {
    Scripted broken = new Scripted();
    EpItem first = a.add(broken, SHARED);
    b.add(broken, SHARED);
    asleep(a);
    Wait inB = asleep(b);
    Hold stopped = steps.hold(Step.STOPPED);
    broken.ready(Events.IN);
    stopped.reached();
    broken.failOnce(new StackOverflowError("scripted")); // met by who gives back
    first.remove();
    assertThat(inB.source()).isSameAs(broken);
  }

  @Test
  void kr18_wakeIsGivenBackByWhoMeetsAnErrorInTheScan() {
    Scripted broken = new Scripted();
    a.add(broken, SHARED);
    b.add(broken, SHARED);
    Wait inA = asleep(a);
    Wait inB = asleep(b);
    broken.failOnce(new StackOverflowError("scripted"));
    broken.ready(Events.IN);
    assertThat(inA.failure()).isInstanceOf(StackOverflowError.class);
    assertThat(inB.source()).isSameAs(broken);
    EngineInvariants.check(a, b);
  }

  @Test
  void kr18_wakeIsGivenBackByWhoMeetsAnErrorInsteadOfSleep() {
    FailingClock clock = new FailingClock();
    EventPoll failing = steps.poll(clock);
    failing.add(source, SHARED);
    b.add(source, SHARED);
    Wait inB = asleep(b);
    Hold stopped = steps.hold(Step.STOPPED);
    Wait w =
        waiters.start(
            "fails",
            () -> {
              clock.failMe();
              return failing.await(new ReadyEvents(1));
            });
    stopped.reached();
    source.tryWrite(1);
    assertThat(stopped.waiter().isChosen()).isTrue();
    stopped.release();
    assertThat(w.failure()).isSameAs(FailingClock.FAILURE);
    assertThat(inB.source()).isSameAs(source);
  }

  @Test
  void kr18_wakeIsNotGivenBackAfterANotReadyAnswer() {
    a.add(source, SHARED);
    EpItem other = b.add(source, SHARED);
    Wait inA = asleep(a);
    Wait inB = asleep(b);
    Hold stopped = steps.hold(Step.STOPPED);
    source.tryWrite(1);
    stopped.reached();
    source.tryRead(); // somebody else was quicker
    stopped.release();
    waiters.settle();
    assertThat(List.of(inA.isDone(), inB.isDone(), other.isQueued())).containsOnly(false);
    source.tryWrite(1);
    assertThat(inA.source()).isSameAs(source);
  }

  // ------------------------------------------------------------------------------------ KR-19

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr19_lateBellIsAnotherEdge(boolean storeIsLate) {
    Scripted counted = new Scripted();
    a.add(counted, IN_ET);
    if (!storeIsLate) {
      counted.store(Events.IN); // T1 stores and is delayed
    }
    counted.ready(Events.IN); // T2
    assertThat(a.awaitNow(ready)).isEqualTo(1);
    assertThat(a.awaitNow(ready)).isZero();
    if (storeIsLate) {
      counted.store(Events.IN | Events.OUT); // T1 had not stored: this edge is a real one
    }
    counted.ring(Events.IN); // T1
    assertThat(a.awaitNow(ready)).isEqualTo(1); // twice rather than never: see docs/decisions.md
    assertThat(a.awaitNow(ready)).isZero();
  }

  // ------------------------------------------------------------------------------------ KR-20

  @ParameterizedTest
  @EnumSource(names = {"CALLBACK", "CALLBACK_LISTED"})
  void kr20_twoCallbacksOfOneItemAtOnce(Step at) {
    EpItem item = a.add(source, IN_ET);
    List<Wait> sleeping = waiters.awaiting(a, 2);
    Hold one = steps.hold(at, item);
    Hold two = steps.hold(at, item);
    Wait wk1 = write();
    one.reached();
    Wait wk2 = write();
    two.reached();
    EngineInvariants.check(steps, a);
    Hold left = steps.hold(Step.LEFT);
    Hold left2 = steps.hold(Step.LEFT);
    one.release();
    two.release();
    left.reached(); // both were chosen, though the item is linked once
    left2.reached();
    assertThat(wk1.result() + wk2.result()).isEqualTo(2);
    EngineInvariants.check(steps, a);
    left.release();
    left2.release();
    waiters.settle();
    assertThat(waiters.served()).isEqualTo(2 + 1); // two writers, and one of the two waiters
    assertThat(sleeping.stream().filter(Wait::isDone).count()).isEqualTo(1);
    EngineInvariants.check(a);
  }
}
