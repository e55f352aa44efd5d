package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.SoloTime;
import io.github.eventpoll.scenarios.Taken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A source that throws during await: it is reported once, and nobody else suffers. */
@EveryPath
class ThrowingSourceTest {
  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final FakeSource bad = FakeSource.ready("bad", Events.IN);
  private final FakeSource good = FakeSource.ready("good", Events.IN);
  private final IllegalStateException thrown = new IllegalStateException("thrown by the source");
  private final StackOverflowError error = new StackOverflowError("thrown by the source");

  @ParameterizedTest
  @ValueSource(ints = {0, Events.ET, Events.ONESHOT, Events.EXCLUSIVE})
  void itIsDeliveredOnceWithErrAndDisarmed(int mode) {
    EpItem item = poll.add(bad, Events.IN | mode);
    bad.failWith(thrown);
    assertThat(Taken.now(poll)).containsExactly("bad ERR");
    assertThat(item.isArmed()).isFalse();
    assertThat(item.isValid()).isTrue();
    assertThat(item.failure()).isSameAs(thrown);
    assertThat(item.interest()).isEqualTo(mode);
    assertThat(poll.dump()).contains("disarmed", "failed: " + thrown);
    bad.ring(Events.IN);
    bad.ring(0);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
    assertThat(poll.path.available()).isFalse();
  }

  @Test
  void modifyArmsItAgainAndClearsTheFailure() {
    EpItem item = poll.add(bad, Events.IN);
    bad.failWith(thrown);
    assertThat(Taken.now(poll)).containsExactly("bad ERR");
    assertThatThrownBy(() -> item.modify(Events.IN)).isSameAs(thrown);
    assertThat(item.failure()).isSameAs(thrown);
    assertThat(item.isArmed()).isFalse();
    bad.failWith(null);
    item.modify(Events.IN);
    assertThat(item.failure()).isNull();
    assertThat(poll.dump()).doesNotContain("failed");
    assertThat(Taken.now(poll)).containsExactly("bad IN");
    assertThat(Taken.now(poll)).containsExactly("bad IN");
  }

  @Test
  void aCheckedExceptionCountsToo() {
    EpItem item = poll.add(bad, Events.IN);
    IOException checked = new IOException("thrown all the same");
    bad.failWith(checked);
    assertThat(Taken.now(poll)).containsExactly("bad ERR");
    assertThat(item.failure()).isSameAs(checked);
  }

  @Test
  void theRestOfTheBatchIsDelivered() {
    poll.add(FakeSource.ready("first", Events.IN), Events.IN);
    poll.add(bad, Events.IN);
    poll.add(good, Events.IN | Events.ET);
    bad.failWith(thrown);
    assertThat(Taken.now(poll)).containsExactly("first IN", "bad ERR", "good IN");
    assertThat(Taken.now(poll)).containsExactly("first IN");
    assertThat(poll.control.isLocked()).isFalse();
  }

  @Test
  void theFailureOfAnItemThatEndsIsForgotten() {
    EpItem removed = poll.add(bad, Events.IN);
    EpItem closed = poll.add(good, Events.IN);
    bad.failWith(thrown);
    good.failWith(thrown);
    assertThat(Taken.now(poll)).hasSize(2);
    removed.remove();
    good.close();
    assertThat(removed.failure()).isNull();
    assertThat(closed.failure()).isNull();
  }

  @Test
  void ofASourceThatClosesAndThrowsNothingIsDelivered() {
    EpItem item = poll.add(bad, Events.IN);
    bad.whenAsked(
        () -> {
          bad.close();
          throw thrown;
        });
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isValid()).isFalse();
    assertThat(item.failure()).isNull();
    assertThat(poll.size()).isZero();
  }

  @Test
  void aDisarmedItemThatIsStillQueuedIsNotAsked() {
    // ONESHOT: the source rings while it is asked, so the item is queued once more when it fires.
    EpItem item = poll.add(bad, Events.IN | Events.ONESHOT);
    bad.whenAsked(() -> bad.ring(Events.IN));
    assertThat(Taken.now(poll)).containsExactly("bad IN");
    assertThat(item.isQueued()).isTrue();
    bad.failWith(thrown);
    int asked = bad.asked();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(bad.asked()).isEqualTo(asked);
    assertThat(item.failure()).isNull();
    assertThat(item.isQueued()).isFalse();
  }

  @Test
  void aDisarmedItemThatIsStillQueuedIsNotAskedForAnOuterPollEither() {
    EventPoll outer = time.poll();
    EpItem item = poll.add(bad, Events.IN | Events.ONESHOT);
    bad.whenAsked(() -> bad.ring(Events.IN));
    assertThat(Taken.now(poll)).containsExactly("bad IN");
    assertThat(item.isQueued()).isTrue();
    bad.failWith(error);
    int asked = bad.asked();
    EpItem nested = outer.add(poll, Events.IN);
    assertThat(nested.isQueued()).isFalse();
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(bad.asked()).isEqualTo(asked);
    assertThat(item.isQueued()).as("pruned").isFalse();
  }

  @Test
  void belowAnOuterPollItIsReadyUntilTheInnerPollReportsIt() {
    EventPoll outer = time.poll();
    EpItem item = poll.add(bad, Events.IN);
    outer.add(poll, Events.IN, "inner");
    bad.failWith(thrown);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(item.failure()).isNull();
    assertThat(Taken.now(poll)).containsExactly("bad ERR");
    assertThat(Taken.now(outer)).isEmpty();
  }

  @Test
  void anErrorPropagatesAndTheItemKeepsItsPlace() {
    EpItem item = poll.add(bad, Events.IN | Events.ET);
    poll.add(good, Events.IN | Events.ET);
    bad.failWith(error);
    ReadyEvents ready = new ReadyEvents(4);
    assertThatThrownBy(() -> poll.awaitNow(ready)).isSameAs(error);
    assertThat(ready.size()).isZero();
    assertThat(poll.control.isLocked()).isFalse();
    assertThat(item.isQueued()).isTrue();
    assertThat(item.isArmed()).isTrue();
    assertThat(item.failure()).isNull();
    bad.failWith(null);
    assertThat(Taken.now(poll)).containsExactly("bad IN", "good IN");
  }

  @Test
  void eventsTakenBeforeAnErrorAreReturnedAndTheErrorComesNext() {
    poll.add(good, Events.IN | Events.ONESHOT);
    poll.add(bad, Events.IN | Events.ONESHOT);
    bad.failWith(error);
    assertThat(Taken.now(poll)).containsExactly("good IN");
    assertThatThrownBy(() -> Taken.now(poll)).isSameAs(error);
    bad.failWith(null);
    assertThat(Taken.now(poll)).containsExactly("bad IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void anErrorBelowAnOuterPollPropagatesAndBothKeepTheirPlaces() {
    EventPoll outer = time.poll();
    poll.add(bad, Events.IN | Events.ET);
    outer.add(poll, Events.IN | Events.ET, "inner");
    bad.failWith(error);
    assertThatThrownBy(() -> Taken.now(outer)).isSameAs(error);
    assertThatThrownBy(poll::readiness).isSameAs(error);
    assertThat(outer.control.isLocked()).isFalse();
    assertThat(poll.control.isLocked()).isFalse();
    bad.failWith(null);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(poll)).containsExactly("bad IN");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatDeliveredThrowsIsTheItemsFailureAndLosesNoEvent(boolean withError) {
    FakeSource tracked = FakeSource.tracking("tracked");
    Throwable cause = withError ? error : thrown;
    poll.add(FakeSource.ready("first", Events.IN), Events.IN | Events.ET);
    EpItem item = poll.add(tracked, Events.IN | Events.ET);
    tracked.become(Events.IN);
    poll.add(good, Events.IN | Events.ET);
    tracked.whenTold(() -> FakeSource.sneak(cause));
    assertThat(Taken.now(poll)).containsExactly("first IN", "tracked IN", "good IN");
    assertThat(item.failure()).isSameAs(cause);
    assertThat(item.isArmed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatInterestChangedThrowsDuringRemoveStopsNothing(boolean withError) {
    FakeSource tracked = FakeSource.tracking("tracked");
    EpItem item = poll.add(tracked, Events.IN);
    poll.add(good, Events.IN);
    tracked.whenTold(() -> FakeSource.sneak(withError ? error : thrown));
    item.remove();
    assertThat(item.isValid()).isFalse();
    assertThat(item.failure()).isNull();
    assertThat(poll.size()).isEqualTo(1);
    assertThat(Taken.now(poll)).containsExactly("good IN");
  }

  @Test
  void oneWarningIsLoggedAndUnderNoLock() throws ReflectiveOperationException {
    Pollable named =
        new Pollable() {
          @Override
          public int readiness() {
            return bad.readiness();
          }

          @Override
          public WaitQueue waitQueue() {
            return bad.waitQueue();
          }

          @Override
          public String toString() {
            return poll.control.isHeldByCurrentThread() ? "named under the lock" : "named freely";
          }
        };
    poll.add(named, Events.IN);
    bad.failWith(thrown);
    String log = logOf(() -> Taken.now(poll));
    assertThat(log).contains("named freely").doesNotContain("named under the lock");
    assertThat(log.lines().filter(line -> line.contains("WARN"))).hasSize(1);
    assertThat(log).contains("thrown by the source");
    assertThat(logOf(() -> Taken.now(poll))).isEmpty();
  }

  /** What is logged at level WARN, which the tests have switched off otherwise. */
  private static String logOf(Runnable action) throws ReflectiveOperationException {
    Object logger = LoggerFactory.getLogger(EventPoll.class);
    Field level = logger.getClass().getDeclaredField("currentLogLevel");
    level.setAccessible(true);
    Object before = level.get(logger);
    PrintStream err = System.err;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      level.setInt(logger, 30);
      System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
      action.run();
    } finally {
      System.setErr(err);
      level.set(logger, before);
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
