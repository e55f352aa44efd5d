package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.SoloTime;
import io.github.eventpoll.scenarios.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** KR-21, S187, I-25, I-26: a source that calls back while it is asked or told. */
@EveryPath
class ReentryTest {
  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final EventPoll outer = time.poll();
  private final FakeSource source = FakeSource.tracking("source");
  private final FakeSource other = FakeSource.idle("other");
  private final EpItem otherItem = poll.add(other, Events.IN);
  private final Map<String, Throwable> thrown = new LinkedHashMap<>();

  /** From where the source calls back. */
  private enum From {
    ADD,
    MODIFY,
    AWAIT,
    READINESS,
    OUTER_AWAIT,
    INTEREST_CHANGED_BY_ADD,
    INTEREST_CHANGED_BY_MODIFY,
    DELIVERED
  }

  /** Every call that would change or scan the poll, by the name the message gives it. */
  private Map<String, ThrowingCallable> refusedCalls() {
    ReadyEvents ready = new ReadyEvents(1);
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("add", () -> poll.add(FakeSource.idle("new"), Events.IN));
    calls.put("modify", () -> otherItem.modify(Events.OUT));
    calls.put("remove", otherItem::remove);
    calls.put("close", poll::close);
    calls.put("readiness", poll::readiness);
    calls.put("await", () -> poll.await(ready));
    calls.put("await ", () -> poll.await(ready, Duration.ZERO));
    calls.put("await  ", () -> poll.awaitNow(ready));
    calls.put("await   ", () -> poll.awaitUninterruptibly(ready));
    calls.put("readiness ", () -> EventPoll.awaitOne(poll, Events.IN, Duration.ZERO));
    return calls;
  }

  private void callEverything() {
    source.whenAsked(null);
    source.whenTold(null);
    refusedCalls().forEach((name, call) -> thrown.put(name, catchThrowable(call)));
  }

  @ParameterizedTest
  @EnumSource
  void everyCallThatChangesOrScansThePollIsRefusedAndNamed(From from) {
    provoke(from);
    assertThat(thrown).hasSize(refusedCalls().size());
    thrown.forEach(
        (name, t) ->
            assertThat(t)
                .as(name)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("source called %s on %s, which is just asking it", name.strip(), poll));
    assertThat(poll.control.isLocked()).isFalse();
    assertThat(poll.size()).isEqualTo(2);
    assertThat(otherItem.interest()).isEqualTo(Events.IN | Events.ERR | Events.HUP);
    other.become(Events.IN);
    assertThat(Taken.now(poll)).contains("other IN");
  }

  private void provoke(From from) {
    if (from == From.ADD || from == From.INTEREST_CHANGED_BY_ADD) {
      Runnable calls = this::callEverything;
      source.whenAsked(from == From.ADD ? calls : null);
      source.whenTold(from == From.ADD ? null : calls);
      poll.add(source, Events.IN);
      return;
    }
    EpItem item = poll.add(source, Events.IN);
    outer.add(poll, Events.IN);
    source.become(Events.IN);
    otherItem.modify(Events.IN); // so that another source was asked last
    switch (from) {
      case MODIFY -> {
        source.whenAsked(this::callEverything);
        item.modify(Events.IN | Events.OUT);
      }
      case AWAIT -> {
        source.whenAsked(this::callEverything);
        assertThat(Taken.now(poll)).containsExactly("source IN");
      }
      case READINESS -> {
        source.whenAsked(this::callEverything);
        assertThat(poll.readiness()).isEqualTo(Events.IN | Events.RDNORM);
      }
      case OUTER_AWAIT -> {
        source.whenAsked(this::callEverything);
        assertThat(Taken.now(outer)).hasSize(1);
      }
      case INTEREST_CHANGED_BY_MODIFY -> {
        source.whenTold(this::callEverything);
        item.modify(Events.IN | Events.OUT);
      }
      default -> {
        source.whenTold(this::callEverything);
        assertThat(Taken.now(poll)).containsExactly("source IN");
      }
    }
  }

  @Test
  void whileAnOuterPollScansItsInnerPollsSourceMayNotCallItEither() {
    poll.add(source, Events.IN);
    outer.add(poll, Events.IN);
    source.become(Events.IN);
    List<Throwable> refusals = new ArrayList<>();
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          refusals.add(catchThrowable(() -> outer.add(other, Events.IN)));
          refusals.add(catchThrowable(outer::close));
        });
    assertThat(Taken.now(outer)).hasSize(1);
    assertThat(refusals)
        .extracting(Throwable::getMessage)
        .containsExactly(
            poll + " called add on " + outer + ", which is just asking it",
            poll + " called close on " + outer + ", which is just asking it");
    assertThat(outer.size()).isEqualTo(1);
  }

  @Test
  void aScanCannotBeEnteredAgainThroughAPollThatWatches() {
    FakeSource last = FakeSource.ready("last", Events.IN);
    poll.add(source, Events.IN);
    source.become(Events.IN);
    poll.add(last, Events.IN);
    EpItem nested = outer.add(poll, Events.IN);
    List<String> seen = new ArrayList<>();
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          seen.addAll(Taken.now(outer));
        });
    assertThat(Taken.now(poll)).as("nothing lost").containsExactly("source IN", "last IN");
    assertThat(seen).containsExactly(poll + " ERR");
    assertThat(nested.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("source called readiness on %s, which is just asking it", poll);
    nested.modify(Events.IN);
    assertThat(Taken.now(outer)).containsExactly(poll + " IN");
  }

  @Test
  void anExceptionThatTheSourceLetsThroughIsItsOwnFailure() {
    EpItem item = poll.add(source, Events.IN);
    source.become(Events.IN);
    source.whenAsked(item::remove);
    assertThat(Taken.now(poll)).containsExactly("source ERR");
    assertThat(item.isValid()).isTrue();
    assertThat(item.failure()).hasMessageContaining("source called remove on " + poll);
  }

  @Test
  void lookingIsAllowed() {
    EpItem item = poll.add(source, Events.IN);
    source.become(Events.IN);
    List<Object> seen = new ArrayList<>();
    source.whenAsked(
        () -> {
          seen.add(poll.size());
          seen.add(poll.items().size());
          seen.add(poll.find(source) == item);
          seen.add(poll.isClosed());
          seen.add(poll.dump().isEmpty());
          seen.add(item.isArmed());
        });
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(seen).containsExactly(2, 2, true, false, false, true);
  }

  @Test
  void otherPollsMayBeUsed() {
    EventPoll unrelated = time.poll();
    poll.add(source, Events.IN);
    source.become(Events.IN);
    List<String> seen = new ArrayList<>();
    source.whenAsked(
        () -> {
          EpItem item = unrelated.add(FakeSource.ready("there", Events.IN), Events.IN);
          seen.addAll(Taken.now(unrelated));
          item.remove();
        });
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(seen).containsExactly("there IN");
  }

  @Test
  void wakeupFromInsideReadinessIsKeptForTheNextWait() throws InterruptedException {
    poll.add(source, Events.IN | Events.ET);
    source.become(Events.IN);
    source.whenAsked(poll::wakeup);
    ReadyEvents ready = new ReadyEvents(1);
    assertThat(poll.await(ready)).isEqualTo(1);
    assertThat(poll.await(ready)).as("ended by wakeup()").isZero();
    assertThat(time.sleeps()).isZero();
  }

  // ------------------------------------------------------------------- wakes from inside, S187

  @Test
  void s187_aReadySourceThatRingsWhileAskedIsDeliveredOncePerWait() throws InterruptedException {
    poll.add(source, Events.IN);
    source.set(Events.IN);
    source.whenAsked(() -> source.ring(Events.IN));
    source.ring(Events.IN);
    ReadyEvents ready = new ReadyEvents(8);
    for (int i = 0; i < 3; i++) {
      int asked = source.asked();
      assertThat(poll.await(ready)).isEqualTo(1);
      assertThat(source.asked()).isEqualTo(asked + 1);
    }
  }

  @Test
  void s187_anUnreadySourceThatRingsWhileAskedEndsAWaitWithoutTime() {
    EpItem item = poll.add(source, Events.IN);
    source.whenAsked(() -> source.ring(Events.IN));
    source.ring(Events.IN);
    for (int i = 0; i < 3; i++) {
      int asked = source.asked();
      assertThat(Taken.now(poll)).isEmpty();
      assertThat(source.asked() - asked)
          .as("the batch is visited once")
          .isEqualTo(Polls.asksOfUnready(false));
      assertThat(item.isQueued()).isTrue();
    }
  }

  @Test
  void i26_ringingDuringAddAndModifyEnds() {
    source.whenAsked(() -> source.ring(Events.IN));
    EpItem item = poll.add(source, Events.IN | Events.ET);
    source.set(Events.IN);
    item.modify(Events.IN | Events.ET);
    source.whenAsked(null);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void i25_theSecondChunkOfAnEdgeArrivesDuringTheScanOfTheFirst() {
    poll.add(source, Events.IN | Events.ET);
    source.become(Events.IN);
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          other.become(Events.IN);
          source.become(Events.IN);
        });
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).containsExactly("other IN", "source IN");
  }

  @Test
  void ringingAnOuterPollFromBelowDuringItsScanIsAnotherEdge() {
    poll.add(source, Events.IN);
    outer.add(poll, Events.IN | Events.ET, "inner");
    source.become(Events.IN);
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          source.ring(Events.IN);
        });
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(outer)).isEmpty();
  }

  // ------------------------------------------------------------------ closing from inside, KR-24

  @Test
  void aSourceThatClosesItselfWhileAskedIsNotDelivered() {
    EpItem item = poll.add(source, Events.IN);
    source.become(Events.IN);
    source.whenAsked(source::close);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isEqualTo(1);
    assertThat(poll.path.available()).isFalse();
  }

  @Test
  void aSourceThatClosesOthersWhileAskedTakesThemOutAtOnce() {
    FakeSource before = FakeSource.ready("before", Events.IN);
    FakeSource after = FakeSource.ready("after", Events.IN);
    FakeSource spilled = FakeSource.idle("spilled");
    poll.add(before, Events.IN);
    poll.add(source, Events.IN);
    source.become(Events.IN);
    poll.add(after, Events.IN);
    poll.add(spilled, Events.IN);
    source.whenAsked(
        () -> {
          spilled.become(Events.IN);
          Stream.of(before, after, spilled).forEach(FakeSource::close);
          assertThat(poll.size()).isEqualTo(2);
          assertThat(poll.items()).hasSize(2);
        });
    int asked = after.asked();
    ReadyEvents ready = new ReadyEvents(8);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
    assertThat(Taken.in(ready)).containsExactly("before IN", "source IN");
    assertThat(ready.item(0).isValid()).as("closed after it was taken").isFalse();
    assertThat(after.asked()).as("closed before it was asked").isEqualTo(asked);
    source.whenAsked(null);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    source.set(0);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(poll.path.available()).isFalse();
  }

  @Test
  void whatClosesAfterItWasTakenIsOffTheListWhenTheScanEnds() {
    FakeSource taken = FakeSource.ready("taken", Events.IN);
    EpItem itemOfTaken = poll.add(taken, Events.IN);
    poll.add(source, Events.IN | Events.ET);
    source.become(Events.IN);
    source.whenAsked(taken::close);
    assertThat(Taken.now(poll)).containsExactly("taken IN", "source IN");
    assertThat(itemOfTaken.isQueued()).isFalse();
    assertThat(poll.path.available()).as("nothing left to look at").isFalse();
  }

  @Test
  void aSourceMayCloseAnInnerPollWhileTheOuterPollAsksIt() {
    EpItem nested = outer.add(poll, Events.IN);
    outer.add(source, Events.IN);
    other.become(Events.IN);
    source.become(Events.IN);
    source.whenAsked(poll::close);
    // The inner poll was taken before its neighbour closed it.
    ReadyEvents ready = new ReadyEvents(8);
    assertThat(outer.awaitNow(ready)).isEqualTo(2);
    assertThat(ready.item(0)).isSameAs(nested);
    assertThat(nested.isValid()).isFalse();
    assertThat(otherItem.isValid()).isFalse();
    assertThat(outer.size()).isEqualTo(1);
    assertThat(Taken.now(outer)).containsExactly("source IN");
  }
}
