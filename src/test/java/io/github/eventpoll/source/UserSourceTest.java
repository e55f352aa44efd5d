package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A level that the test sets. */
@EveryPath
class UserSourceTest {
  private static final int EVERY_BIT = 0x27df;
  private static final int LIMIT_SECONDS = 30;
  private static final int JOBS = 5_000;

  private final UserSource source = UserSource.create();
  private final EventPoll poll = Polls.create();

  @Test
  void readyForWhatIsSet() {
    assertThat(source.readiness()).isZero();
    source.set(Events.IN | Events.PRI);
    source.set(Events.OUT);
    assertThat(source.readiness()).isEqualTo(Events.IN | Events.PRI | Events.OUT);
    source.clear(Events.PRI | Events.HUP);
    assertThat(source.readiness()).isEqualTo(Events.IN | Events.OUT);
    source.update(Events.HUP | Events.ERR, Events.IN | Events.ERR);
    assertThat(source.readiness()).isEqualTo(Events.OUT | Events.HUP | Events.ERR);
    assertThat(source).hasToString("UserSource[OUT|ERR|HUP]");
    assertThat(source.take(Events.OUT | Events.IN)).isEqualTo(Events.OUT);
    assertThat(source.take(Events.OUT | Events.IN)).isZero();
    assertThat(source.readiness()).isEqualTo(Events.HUP | Events.ERR);
  }

  @Test
  void everyBitCanBeSetTakenAndWatched() {
    poll.add(source, EVERY_BIT, "user");
    for (int bit = 1; bit < 1 << 16; bit <<= 1) {
      if ((EVERY_BIT & bit) != 0) {
        source.set(bit);
        assertThat(Taken.now(poll)).containsExactly("user " + Events.toString(bit));
        assertThat(source.take(EVERY_BIT)).isEqualTo(bit);
      }
    }
    source.set(EVERY_BIT);
    assertThat(source.readiness()).isEqualTo(EVERY_BIT);
  }

  @Test
  void levelUntilItIsCleared() {
    poll.add(source, Events.IN, "user");
    assertThat(Taken.now(poll)).isEmpty();
    source.set(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("user IN");
    assertThat(Taken.now(poll)).containsExactly("user IN");
    source.clear(Events.IN);
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s034_everySetIsAnEdge_s035_theyCoalesce() {
    poll.add(source, Events.IN | Events.PRI | Events.ET, "user");
    for (int i = 0; i < 3; i++) {
      source.set(Events.IN);
      source.set(Events.IN);
      assertThat(Taken.now(poll)).containsExactly("user IN");
      assertThat(Taken.now(poll)).isEmpty();
    }
    source.set(Events.PRI);
    assertThat(Taken.now(poll)).as("one edge, all that is ready").containsExactly("user IN|PRI");
    source.update(Events.IN, Events.PRI);
    assertThat(Taken.now(poll)).containsExactly("user IN");
    source.set(Events.OUT);
    assertThat(Taken.now(poll)).as("a bit that nobody wants").isEmpty();
  }

  @Test
  void clearingAndSettingNothingIsNoEdge() {
    source.set(Events.IN | Events.OUT);
    poll.add(source, Events.IN | Events.OUT | Events.ET, "user");
    assertThat(Taken.now(poll)).containsExactly("user IN|OUT");
    source.clear(Events.IN);
    source.take(Events.IN);
    source.set(0);
    source.clear(0);
    source.update(0, 0);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source.readiness()).isEqualTo(Events.OUT);
  }

  @Test
  void setAndClearedBeforeTheWaitIsNothing() {
    poll.add(source, Events.IN | Events.ET, "user");
    source.set(Events.IN);
    source.clear(Events.IN);
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void aFailureIsReportedUnasked() {
    poll.add(source, 0, "user");
    source.set(Events.IN);
    assertThat(Taken.now(poll)).isEmpty();
    source.set(Events.ERR);
    assertThat(Taken.now(poll)).containsExactly("user ERR");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Events.ET,
        Events.ONESHOT,
        Events.EXCLUSIVE,
        Events.WAKEUP,
        0x20,
        0x800,
        0x1000,
        0x4000,
        -1
      })
  void whatIsNoEventBitIsRefused(int bits) {
    source.set(Events.IN);
    assertThatIllegalArgumentException().isThrownBy(() -> source.set(bits | Events.OUT));
    assertThatIllegalArgumentException().isThrownBy(() -> source.clear(bits));
    assertThatIllegalArgumentException().isThrownBy(() -> source.take(bits));
    assertThatIllegalArgumentException().isThrownBy(() -> source.update(0, bits));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> source.update(bits, 0))
        .withMessageContaining(Events.toString(bits & ~EVERY_BIT) + " is not a level");
    assertThat(source.readiness()).isEqualTo(Events.IN);
  }

  @Test
  void aClosedSourceLeavesEveryPollAndRefuses() {
    EpItem item = poll.add(source, Events.IN, "user");
    source.set(Events.IN);
    source.close();
    source.close();
    assertThat(item.isValid()).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> source.set(Events.OUT))
        .withMessage("UserSource[IN] is closed");
    assertThatIllegalStateException().isThrownBy(() -> source.clear(Events.IN));
    assertThatIllegalStateException().isThrownBy(() -> source.take(Events.IN));
    assertThatIllegalStateException().isThrownBy(() -> source.update(0, 0));
    assertThat(source.readiness()).isEqualTo(Events.IN);
  }

  /** Work first, then the bit; the bit is cleared first, then the work is looked at. */
  @Test
  void s176_workIsAddedBeforeTheBitAndTakenAfterIt() throws Exception {
    AtomicInteger work = new AtomicInteger();
    ExecutorService threads = Executors.newCachedThreadPool();
    poll.add(source, Events.IN | Events.ET, "user");
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int job = 0; job < JOBS; job++) {
                    work.incrementAndGet();
                    source.set(Events.IN);
                  }
                }));
      }
      all.add(
          threads.submit(
              () -> {
                ReadyEvents ready = new ReadyEvents(1);
                for (int done = 0; done < 2 * JOBS; done += work.getAndSet(0)) {
                  poll.await(ready);
                  source.clear(Events.IN);
                }
                return null;
              }));
      for (Future<?> one : all) {
        one.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(work).hasValue(0);
  }
}
