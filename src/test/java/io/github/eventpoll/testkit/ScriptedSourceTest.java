package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import org.junit.jupiter.api.Test;

/** The scripted source does what it is told, in the order in which it was told. */
class ScriptedSourceTest {
  private final ScriptedSource source = ScriptedSource.named("s");
  private final ReadyEvents batch = new ReadyEvents(2);

  @Test
  void readyIsStateAndRing() {
    try (EventPoll poll = EventPoll.create()) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      assertThat(poll.awaitNow(batch)).isOne();
      source.notReady();
      assertThat(poll.awaitNow(batch)).isZero();
      source.set(Events.IN);
      assertThat(poll.awaitNow(batch)).as("silent").isZero();
      source.ring(Events.IN);
      assertThat(poll.awaitNow(batch)).isOne();
    }
  }

  @Test
  void theScriptIsPlayedInOrderThenTheStateCounts() {
    source.set(Events.PRI);
    source.answer(Events.IN, 0);
    source.fail(new IllegalStateException("as scripted"));
    source.whenAsked(() -> source.set(Events.OUT));
    source.afterAsked(() -> source.set(Events.IN));
    assertThat(source.isPlayed()).isFalse();
    assertThat(source.readiness()).isEqualTo(Events.IN);
    assertThat(source.readiness()).isZero();
    assertThatThrownBy(source::readiness).hasMessage("as scripted");
    assertThat(source.readiness()).isEqualTo(Events.OUT);
    assertThat(source.readiness()).isEqualTo(Events.OUT);
    assertThat(source.readiness()).isEqualTo(Events.IN);
    assertThat(source.isPlayed()).isTrue();
    assertThat(source.asked()).isEqualTo(6);
  }

  @Test
  void aFailureIsMetByAPoll() {
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(source, Events.IN);
      RuntimeException scripted = new RuntimeException("as scripted");
      source.fail(scripted);
      source.ring(Events.IN);
      assertThat(poll.awaitNow(batch)).isOne();
      assertThat(batch.events(0)).isEqualTo(Events.ERR);
      assertThat(item.failure()).isSameAs(scripted);
      StackOverflowError error = new StackOverflowError("as scripted");
      source.fail(error);
      assertThatThrownBy(source::readiness).isSameAs(error);
    }
  }

  @Test
  void aRingBeforeTheStateIsLost() {
    try (EventPoll poll = EventPoll.create()) {
      poll.add(source, Events.IN);
      source.afterAsked(() -> {}); // whoever looks after the ring sees the state of before
      source.ringThenSet(Events.IN);
      source.notReady();
      assertThat(poll.awaitNow(batch)).isZero();
      source.set(Events.IN);
      assertThat(poll.awaitNow(batch)).isZero();
    }
  }

  @Test
  void aSourceThatWantsToKnowCounts() {
    ScriptedSource tracking = ScriptedSource.named("t", Pollable.TRACKS_INTEREST);
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(tracking, Events.IN);
      assertThat(tracking.interest() & Events.IN).isEqualTo(Events.IN);
      tracking.ready(Events.IN);
      poll.awaitNow(batch);
      assertThat(tracking.deliveries()).isOne();
      assertThat(tracking.lastDelivered()).isEqualTo(Events.IN);
      item.remove();
      assertThat(tracking.interest()).isZero();
      assertThat(tracking.interestChanges()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void anOrderedOneMayBeSkipped() {
    ScriptedSource ordered = ScriptedSource.named("o", Pollable.ORDERED_STATE);
    WakeLog log = WakeLog.create();
    try (EventPoll poll = log.watch(EventPoll.builder().notifiedFastPath(true)).build()) {
      poll.add(ordered, Events.IN);
      ordered.ready(Events.IN);
      ordered.ready(Events.IN);
      assertThat(log.steps()).contains("skipped: o is listed, and a scan will ask it");
      assertThat(poll.awaitNow(batch)).isOne();
    }
  }

  @Test
  void itEnds() {
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(source, Events.IN);
      source.close();
      assertThat(item.isValid()).isFalse();
      assertThat(poll.size()).isZero();
    }
  }

  @Test
  void itSaysItsNameAndState() {
    source.set(Events.IN | Events.HUP);
    assertThat(source).hasToString("s[IN|HUP]");
    assertThat(ScriptedSource.create().toString()).startsWith("ScriptedSource#");
  }
}
