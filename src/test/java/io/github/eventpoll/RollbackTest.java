package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A source that throws during add or modify: the call leaves nothing behind. */
@EveryPath
class RollbackTest {
  private final WatchQuota process = new WatchQuota("all of us", 3);
  private final FakeSource source = FakeSource.tracking("source");
  private EventPoll poll;

  static Stream<Throwable> everyKind() {
    return Stream.of(
        new IllegalArgumentException("runtime"),
        new StackOverflowError("error"),
        new IOException("checked, thrown all the same"));
  }

  @BeforeEach
  void makePoll() {
    EventPollBuilder settings = Polls.builder().maxWatches(2);
    settings.processQuota = process;
    poll = settings.build();
  }

  private void assertNothingLeft() {
    assertThat(poll.size()).isZero();
    assertThat(poll.items()).isEmpty();
    assertThat(poll.find(source)).isNull();
    assertThat(source.waitQueue().hasEntries()).isFalse();
    assertThat(poll.path.available()).isFalse();
    assertThat(poll.control.isLocked()).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(poll.dump()).contains("0 items, 0 queued").doesNotContain("failed");
    // the quotas are as they were: both of the poll's places are free
    EpItem one = poll.add(FakeSource.idle("1"), Events.IN);
    EpItem two = poll.add(FakeSource.idle("2"), Events.IN);
    refused(Errno.ENOSPC, () -> poll.add(FakeSource.idle("3"), Events.IN), poll);
    assertThat(process.tryTake()).as("the third of the process").isTrue();
    assertThat(process.tryTake()).isFalse();
    process.give();
    one.remove();
    two.remove();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void add_readinessThrows(Throwable thrown) {
    source.failWith(thrown);
    assertThat(catchThrowable(() -> poll.add(source, Events.IN))).isSameAs(thrown);
    assertNothingLeft();
    assertThat(source.told()).endsWith("wanted 0");
    source.failWith(null);
    source.set(Events.IN);
    poll.add(source, Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source IN");
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void add_readinessRingsAndThrows(Throwable thrown) {
    // By then callbacks reach the item: it is on the ready list already.
    source.whenAsked(
        () -> {
          source.ring(Events.IN);
          assertThat(poll.path.available()).isTrue();
          FakeSource.sneak(thrown);
        });
    assertThat(catchThrowable(() -> poll.add(source, Events.IN))).isSameAs(thrown);
    assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void add_interestChangedThrows(Throwable thrown) {
    source.whenTold(
        () -> {
          source.whenTold(null);
          FakeSource.sneak(thrown);
        });
    assertThat(catchThrowable(() -> poll.add(source, Events.IN))).isSameAs(thrown);
    assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void add_traitsThrow(Throwable thrown) {
    source.whenTraits(() -> FakeSource.sneak(thrown));
    assertThat(catchThrowable(() -> poll.add(source, Events.IN))).isSameAs(thrown);
    source.whenTraits(null);
    assertNothingLeft();
  }

  @Test
  void add_innerPollWhoseSourceThrowsAnErrorIsNotRegistered() {
    EventPoll inner = Polls.create();
    FakeSource leaf = FakeSource.ready("leaf", Events.IN);
    inner.add(leaf, Events.IN);
    leaf.failWith(new StackOverflowError("deep"));
    assertThatThrownBy(() -> poll.add(inner, Events.IN)).isInstanceOf(StackOverflowError.class);
    assertThat(inner.control.isLocked()).isFalse();
    assertThat(inner.waitQueue().hasEntries()).isFalse();
    assertNothingLeft();
    leaf.failWith(null);
    poll.add(inner, Events.IN, "inner");
    assertThat(Taken.now(poll)).containsExactly("inner IN");
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void modify_readinessThrowsMaskAndAttachmentStayAsTheyWere(Throwable thrown) {
    EpItem item = poll.add(source, Events.IN | Events.ET, "old");
    source.failWith(thrown);
    assertThat(catchThrowable(() -> item.modify(Events.OUT, "new"))).isSameAs(thrown);
    assertThat(item.interest()).isEqualTo(Events.IN | Events.ET | Events.ERR | Events.HUP);
    assertThat(item.attachment()).isEqualTo("old");
    assertThat(item.isValid()).isTrue();
    assertThat(item.failure()).isNull();
    assertThat(poll.control.isLocked()).isFalse();
    assertThat(source.told()).endsWith("wanted IN|ERR|HUP");
    source.failWith(null);
    source.become(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("old IN");
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void modify_interestChangedThrows(Throwable thrown) {
    EpItem item = poll.add(source, Events.IN, "old");
    source.whenTold(
        () -> {
          source.whenTold(null);
          FakeSource.sneak(thrown);
        });
    assertThat(catchThrowable(() -> item.modify(Events.OUT, "new"))).isSameAs(thrown);
    assertThat(item.interest()).isEqualTo(Events.IN | Events.ERR | Events.HUP);
    assertThat(item.attachment()).isEqualTo("old");
    source.become(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("old IN");
  }

  @Test
  void modify_anItemThatWasDisarmedStaysDisarmed() {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
    source.become(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    source.failWith(new IllegalStateException("no"));
    assertThatThrownBy(() -> item.modify(Events.IN | Events.ONESHOT)).hasMessage("no");
    source.failWith(null);
    assertThat(item.isArmed()).isFalse();
    source.ring(Events.IN);
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(Events.IN | Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("source IN");
  }

  @Test
  void modify_thatFailsLosesNoEventThatCameMeanwhile() {
    EpItem item = poll.add(source, Events.IN, "old");
    source.whenAsked(
        () -> {
          // Between the store of the new mask and the rollback: the callback sees OUT only.
          source.whenAsked(null);
          source.become(Events.IN);
          throw new IllegalStateException("no");
        });
    assertThatThrownBy(() -> item.modify(Events.OUT, "new")).hasMessage("no");
    assertThat(Taken.now(poll)).containsExactly("old IN");
  }

  @Test
  void modify_aQueuedItemStaysQueued() {
    EpItem item = poll.add(source, Events.IN, "old");
    source.become(Events.IN);
    source.failWith(new IllegalStateException("no"));
    assertThatThrownBy(() -> item.modify(Events.OUT, "new")).hasMessage("no");
    source.failWith(null);
    assertThat(Taken.now(poll)).containsExactly("old IN");
  }
}
