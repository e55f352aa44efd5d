package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The races that the filters in front of the lock open, KR-8 to KR-12, step by step on the path
 * without filters: with them the same steps must lose nothing either.
 */
@EveryPath
class FilterRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final int SOMETHING = Events.IN | Events.RDNORM;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final EventPoll poll = steps.poll();
  private final EventFd source = EventFd.create();
  private final ReadyEvents ready = new ReadyEvents(8);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  private Wait write(EventFd to) {
    return waiters.start("P", () -> to.tryWrite(1) ? 1 : 0);
  }

  private Wait harvest() {
    return waiters.start("S", () -> poll.awaitNow(new ReadyEvents(1)));
  }

  // ------------------------------------------------------------------------------------- KR-8

  @ParameterizedTest
  @EnumSource(names = {"SCAN_STARTED", "SCAN_ASK", "SCAN_ASKED"})
  void kr08_writeWhileAScanHasTheItemInHand(Step at) {
    EpItem item = poll.add(source, IN_ET);
    source.tryWrite(0); // listed, and not ready
    Hold inHand = steps.hold(at);
    Wait scan = harvest();
    inHand.reached();
    source.tryWrite(1);
    EngineInvariants.check(steps, poll);
    inHand.release();
    int first = scan.result();
    assertThat(first == 1 || item.isQueued()).isTrue();
    assertThat(first + poll.awaitNow(ready)).as("lost, or not").isPositive();
    EngineInvariants.check(poll);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN_STARTED", "SCAN_ASK", "SCAN_ASKED"})
  void kr08_writeWhileARevalidationHasTheItemInHand(Step at) {
    EpItem item = poll.add(source, IN_ET);
    source.tryWrite(0);
    Hold inHand = steps.hold(at);
    Wait asking = waiters.start("outer", poll::readiness);
    inHand.reached();
    source.tryWrite(1);
    inHand.release();
    int answer = asking.result();
    assertThat(answer == SOMETHING || answer == 0).isTrue();
    assertThat(item.isQueued()).isTrue(); // asked or not, the event stays for a harvest
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    EngineInvariants.check(poll);
  }

  private enum Asker {
    ADD,
    MODIFY,
    HARVEST,
    REVALIDATION
  }

  @ParameterizedTest
  @EnumSource
  void kr08_kr11_eventComesBetweenTheAnswerAndWhatIsMadeOfIt(Asker who) {
    Scripted scripted = new Scripted();
    EpItem item = who == Asker.ADD ? null : poll.add(scripted, Events.PRI);
    if (who == Asker.HARVEST || who == Asker.REVALIDATION) {
      item.modify(IN_ET);
      scripted.ring(Events.IN); // listed, and not ready
    }
    scripted.readyJustAfterItIsAsked(Events.IN);
    switch (who) {
      case ADD -> poll.add(scripted, IN_ET);
      case MODIFY -> item.modify(IN_ET);
      case HARVEST -> assertThat(poll.awaitNow(ready)).isZero();
      case REVALIDATION -> assertThat(poll.readiness()).isZero();
    }
    EngineInvariants.check(poll);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isZero();
  }

  // ------------------------------------------------------------------------------------- KR-9

  @Test
  void kr09_itemIsDeliveredAndDroppedBeforeItsCallbackEnds() {
    EpItem item = poll.add(source, IN_ET);
    Wait w = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Hold listed = steps.hold(Step.CALLBACK_LISTED);
    Wait p = write(source);
    listed.reached();
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(source.tryRead()).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isZero();
    assertThat(item.isQueued()).isFalse();
    listed.release(); // chooses W, who finds nothing
    assertThat(p.result()).isEqualTo(1);
    waiters.settle();
    assertThat(w.isDone()).isFalse();
    EngineInvariants.check(poll);
    source.tryWrite(1); // must not be skipped
    assertThat(w.source()).isSameAs(source);
  }

  // ------------------------------------------------------------------------------------ KR-10

  @Test
  void kr10_queuedItemKeepsTellingOneWhoBeganToWatchLater() {
    poll.add(source, Events.IN);
    source.tryWrite(1); // queued; nobody harvests this poll
    EventPoll outer = steps.poll();
    outer.add(poll, IN_ET);
    assertThat(outer.awaitNow(ready)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(outer.awaitNow(ready)).isZero();
      source.tryWrite(1);
      assertThat(outer.awaitNow(ready)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CALLBACK", "CALLBACK_LISTED"})
  void kr10_watcherComesWhileACallbackIsOnItsWay(Step at) {
    EpItem item = poll.add(source, Events.IN);
    if (at == Step.CALLBACK || !Polls.notified()) {
      source.tryWrite(1); // notified, the next write would list nothing
    }
    Hold onTheWay = steps.hold(at, item);
    Wait p = write(source);
    onTheWay.reached();
    EventPoll outer = steps.poll();
    outer.add(poll, IN_ET);
    int first = outer.awaitNow(ready);
    onTheWay.release();
    assertThat(p.result()).isEqualTo(1);
    assertThat(first + outer.awaitNow(ready)).as("never zero times").isPositive();
    EngineInvariants.check(outer);
  }

  @Test
  void kr10_callbackMeetsAWatcherThatHasNotAskedYet() {
    poll.add(source, Events.IN);
    EventPoll outer = steps.poll();
    Hold registered = steps.hold(Step.ADD_REGISTERED);
    Wait watcher =
        waiters.start(
            "watcher",
            () -> {
              outer.add(poll, IN_ET);
              return 1;
            });
    registered.reached();
    source.tryWrite(1);
    registered.release();
    assertThat(watcher.result()).isEqualTo(1);
    assertThat(outer.awaitNow(ready)).isEqualTo(1);
    assertThat(outer.awaitNow(ready)).isZero();
    source.tryWrite(1);
    assertThat(outer.awaitNow(ready)).isEqualTo(1);
  }

  @Test
  void kr10_threadThatWaitsOnThePollAloneIsAWatcherToo() {
    poll.add(source, Events.IN);
    Wait first = waiters.awaitOne(poll, Events.IN, null);
    Waiters.awaitAsleepOn(poll, 1);
    source.tryWrite(1);
    assertThat(first.result()).isEqualTo(Events.IN);
    source.tryRead();
    Wait second = waiters.awaitOne(poll, Events.IN, null);
    Waiters.awaitAsleepOn(poll, 1);
    source.tryWrite(1);
    assertThat(second.result()).isEqualTo(Events.IN);
  }

  // ------------------------------------------------------------------------------------ KR-11

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr11_eventMeetsAModification(boolean oneShot) {
    int mask = oneShot ? IN_ET | Events.ONESHOT : IN_ET;
    EpItem item = poll.add(source, oneShot ? mask : Events.PRI);
    if (oneShot) {
      source.tryWrite(1);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      source.tryRead();
    }
    Hold stored = steps.hold(Step.MODIFY_STORED);
    Wait m = modify(item, mask);
    stored.reached(); // visible to callbacks, the source not asked yet
    source.tryWrite(1);
    assertThat(item.isQueued()).isTrue();
    stored.release();
    assertThat(m.result()).isEqualTo(1);
    EngineInvariants.check(poll);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isZero(); // once, though both have seen it
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr11_callbackIsOnItsWayDuringAModification(boolean modifiedFirst) {
    EpItem item = poll.add(source, Events.PRI);
    Hold onTheWay = steps.hold(Step.CALLBACK);
    Wait p = write(source); // the state is stored, the mask not read yet
    onTheWay.reached();
    if (modifiedFirst) {
      item.modify(IN_ET);
      onTheWay.release();
    } else {
      onTheWay.release();
      p.result();
      assertThat(item.isQueued()).isFalse(); // dropped: no match
      item.modify(IN_ET);
    }
    assertThat(p.result()).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(ready.source(0)).isSameAs(source);
  }

  @Test
  void kr11_storeWithoutBellBeforeTheModificationAsks() {
    Scripted late = new Scripted();
    EpItem item = poll.add(late, Events.PRI);
    late.store(Events.IN);
    late.ring(Events.IN); // dropped by the old mask
    item.modify(IN_ET);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
  }

  @Test
  void kr11_eventMeetsAModificationThatIsRolledBack() {
    Scripted broken = new Scripted();
    EpItem item = poll.add(broken, Events.IN);
    broken.onceWhenAsked(
        () -> {
          broken.ready(Events.IN); // the mask of the moment does not want it
          throw new IllegalArgumentException("scripted");
        });
    assertThatThrownBy(() -> item.modify(Events.PRI)).hasMessage("scripted");
    assertThat(item.interest()).isEqualTo(Events.IN | Events.ERR | Events.HUP);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(ready.events(0)).isEqualTo(Events.IN);
  }

  private Wait modify(EpItem item, int mask) {
    return waiters.start(
        "M",
        () -> {
          item.modify(mask);
          return 1;
        });
  }

  // ------------------------------------------------------------------------------------ KR-12

  private enum Leaving {
    INTERRUPT,
    SOURCE_FAILS,
    SOURCE_BREAKS,
    WAKEUP
  }

  @ParameterizedTest
  @EnumSource
  void kr12_theOneWhoWasChosenLeavesAndWritesGoOn(Leaving how) {
    Scripted scripted = new Scripted();
    EpItem item = poll.add(scripted, Events.IN);
    Wait second = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Hold stopped = steps.hold(Step.STOPPED);
    Wait first = waiters.await(poll);
    Waiters.awaitAsleep(poll, 2);
    if (how == Leaving.WAKEUP) {
      poll.wakeup();
    } else {
      scripted.ready(Events.IN);
    }
    stopped.reached();
    switch (how) {
      case INTERRUPT -> first.thread.interrupt();
      case SOURCE_FAILS -> scripted.failOnce(new IllegalArgumentException("scripted"));
      case SOURCE_BREAKS -> scripted.failOnce(new StackOverflowError("scripted"));
      case WAKEUP -> scripted.ready(Events.IN);
    }
    stopped.release();
    if (how == Leaving.SOURCE_BREAKS) {
      assertThat(first.failure()).isInstanceOf(StackOverflowError.class);
    } else {
      assertThat(first.result()).isEqualTo(1);
    }
    if (how == Leaving.SOURCE_FAILS) {
      assertThat(first.events().events(0)).isEqualTo(Events.ERR);
      waiters.settle();
      assertThat(second.isDone()).isFalse(); // disabled: it strikes nobody else
      assertThat(item.failure()).hasMessage("scripted");
      scripted.ring(Events.IN);
      assertThat(item.isQueued()).isFalse();
      item.modify(Events.IN);
    }
    assertThat(second.source()).isSameAs(scripted); // level: still ready
    EngineInvariants.check(poll);
  }

  @Test
  void kr12_theOneWhoWasChosenIsSlowAndThePollIsClosed() {
    EventPoll other = steps.poll();
    EpItem exclusive = poll.add(source, Events.IN | Events.EXCLUSIVE);
    other.add(source, Events.IN | Events.EXCLUSIVE);
    Wait first = waiters.await(poll);
    Waiters.awaitAsleep(poll, 1);
    Wait second = waiters.await(other);
    Waiters.awaitAsleep(other, 1);
    Hold stopped = steps.hold(Step.STOPPED);
    source.tryWrite(1);
    stopped.reached();
    assertThat(exclusive.isQueued()).isTrue();
    assertThat(second.isDone()).isFalse();
    poll.close();
    stopped.release();
    assertThat(first.failure()).isInstanceOf(ClosedEventPollException.class);
    assertThat(second.source()).isSameAs(source);
  }
}
