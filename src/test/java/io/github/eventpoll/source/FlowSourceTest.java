package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.scenarios.SleepingWaiter;
import io.github.eventpoll.scenarios.Taken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription by itself and in one poll; the publisher is the test. */
@EveryPath
class FlowSourceTest {
  private static final int BOUND = 4;

  private final FlowSource<Integer> source = FlowSource.create(BOUND);
  private final Recorded subscription = new Recorded();
  private final EventPoll poll = Polls.create();

  /** Writes down what it is told. */
  private static class Recorded implements Flow.Subscription {
    final List<String> told = new ArrayList<>();

    @Override
    public void request(long n) {
      told.add("request " + n);
    }

    @Override
    public void cancel() {
      told.add("cancel");
    }
  }

  private void publish(int from, int count) {
    for (int i = from; i < from + count; i++) {
      source.onNext(i);
    }
  }

  // ---------------------------------------------------------------------------------- demand

  @Test
  void asManyAreAskedForAsThereIsRoom() {
    source.onSubscribe(subscription);
    assertThat(subscription.told).containsExactly("request 4");
    publish(0, 4);
    assertThat(source.size()).isEqualTo(4);
    assertThat(source.poll()).isZero();
    assertThat(subscription.told).hasSize(1);
    assertThat(source.poll()).isEqualTo(1);
    assertThat(subscription.told).containsExactly("request 4", "request 2");
    publish(4, 2);
    List<Integer> taken = new ArrayList<>();
    assertThat(source.drain(taken::add, 3)).isEqualTo(3);
    assertThat(source.drain(taken::add, 3)).isEqualTo(1);
    assertThat(taken).containsExactly(2, 3, 4, 5);
    assertThat(source.poll()).isNull();
    assertThat(subscription.told)
        .containsExactly("request 4", "request 2", "request 2", "request 2");
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,1", "4,2", "5,2", "100,50"})
  void theDemandIsNeverMoreThanTheRoom(int bound, int batch) {
    FlowSource<Integer> bounded = FlowSource.create(bound);
    bounded.onSubscribe(subscription);
    long asked = bound;
    for (int sent = 0; sent < 10 * bound; sent++) {
      assertThat(asked).as("something may be sent").isGreaterThan(sent);
      bounded.onNext(sent);
      assertThat(bounded.poll()).isEqualTo(sent);
      if ((sent + 1) % batch == 0) {
        asked += batch;
        assertThat(subscription.told).last().isEqualTo("request " + batch);
      }
    }
    assertThat(bounded.failure()).isNull();
  }

  /** As some publishers do: every request is answered from inside of it. */
  @Test
  void aPublisherThatAnswersFromInsideOfRequest() {
    FlowSource<Integer> counted =
        FlowSource.of(
            subscriber ->
                subscriber.onSubscribe(
                    new Flow.Subscription() {
                      private int next;

                      @Override
                      public void request(long n) {
                        for (long i = 0; i < n; i++) {
                          subscriber.onNext(next++);
                        }
                      }

                      @Override
                      public void cancel() {}
                    }),
            BOUND);
    for (int i = 0; i < 1000; i++) {
      assertThat(counted.poll()).isEqualTo(i);
    }
    assertThat(counted.size()).isBetween(BOUND / 2, BOUND);
  }

  // ------------------------------------------------------------------------------- readiness

  @Test
  void readyWhileThereAreElementsAndThenAtTheEnd() {
    poll.add(source, Events.IN | Events.OUT, "flow");
    source.onSubscribe(subscription);
    assertThat(Taken.now(poll)).isEmpty();
    publish(0, 2);
    assertThat(Taken.now(poll)).containsExactly("flow IN");
    source.onComplete();
    assertThat(Taken.now(poll)).containsExactly("flow IN");
    source.poll();
    assertThat(Taken.now(poll)).containsExactly("flow IN");
    source.poll();
    assertThat(Taken.now(poll)).containsExactly("flow HUP");
    assertThat(source.poll()).isNull();
    assertThat(source.failure()).isNull();
    assertThat(subscription.told).doesNotContain("cancel");
  }

  @Test
  void aFailureComesAfterTheElements() {
    IOException reason = new IOException("no");
    poll.add(source, Events.IN | Events.ET, "flow");
    source.onSubscribe(subscription);
    publish(0, 1);
    source.onError(reason);
    assertThat(source.failure()).isSameAs(reason);
    assertThat(Taken.now(poll)).containsExactly("flow IN");
    assertThat(source.poll()).isZero();
    assertThat(Taken.now(poll)).containsExactly("flow ERR|HUP");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source).hasToString("FlowSource[0 of 4, ERR|HUP]");
  }

  @Test
  void aPublisherThatIsEmpty() {
    poll.add(source, 0, "flow");
    source.onSubscribe(subscription);
    source.onComplete();
    assertThat(Taken.now(poll)).containsExactly("flow HUP");
  }

  @Test
  void s034_everyElementIsAnEdgeAndTakingIsNone() {
    poll.add(source, Events.IN | Events.OUT | Events.ET, "flow");
    source.onSubscribe(subscription);
    for (int i = 0; i < BOUND; i++) {
      source.onNext(i);
      assertThat(Taken.now(poll)).containsExactly("flow IN");
    }
    for (int i = 0; i < BOUND; i++) {
      assertThat(source.poll()).isEqualTo(i);
      assertThat(Taken.now(poll)).isEmpty();
    }
  }

  @Test
  void everyExclusiveItemHearsOfTheEnd() throws Exception {
    List<SleepingWaiter> waiters = new ArrayList<>();
    for (EventPoll each : List.of(Polls.create(), Polls.create())) {
      each.add(source, Events.IN | Events.EXCLUSIVE, "flow");
      waiters.add(SleepingWaiter.on(each));
    }
    source.onComplete();
    for (SleepingWaiter waiter : waiters) {
      assertThat(waiter.events()).containsExactly("flow HUP");
    }
  }

  // -------------------------------------------------------------------- rules and their breach

  @Test
  void theSecondSubscriptionIsCancelled() {
    Recorded second = new Recorded();
    source.onSubscribe(subscription);
    source.onSubscribe(second);
    assertThat(second.told).containsExactly("cancel");
    assertThat(subscription.told).containsExactly("request 4");
  }

  @Test
  void nullIsRefusedAndAnElementThatIsNullEndsTheSource() {
    source.onSubscribe(subscription);
    assertThatNullPointerException().isThrownBy(() -> source.onSubscribe(null));
    assertThatNullPointerException().isThrownBy(() -> source.onError(null));
    assertThat(source.readiness()).isZero();
    publish(0, 1);
    assertThatNullPointerException().isThrownBy(() -> source.onNext(null)).withMessage("element");
    assertThat(subscription.told).containsExactly("request 4", "cancel");
    assertThat(source.poll()).isZero();
    assertThat(source.readiness()).isEqualTo(Events.ERR | Events.HUP);
    assertThat(source.failure()).isInstanceOf(NullPointerException.class);
  }

  @Test
  void moreThanWasAskedForEndsTheSource() {
    source.onSubscribe(subscription);
    publish(0, BOUND + 2);
    assertThat(subscription.told).containsExactly("request 4", "cancel");
    assertThat(source.size()).isEqualTo(BOUND);
    assertThat(source.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("more than was asked for");
    assertThat(source.drain(e -> {}, 10)).isEqualTo(BOUND);
    assertThat(subscription.told).as("nothing after cancel").hasSize(2);
  }

  @Test
  void signalsAfterTheEndAreIgnored() {
    source.onSubscribe(subscription);
    source.onComplete();
    source.onComplete();
    source.onError(new IOException("late"));
    source.onNext(1);
    assertThat(source.readiness()).isEqualTo(Events.HUP);
    assertThat(source.size()).isZero();
    assertThat(source.failure()).isNull();
  }

  @Test
  void aSubscriptionThatThrowsEndsTheSource() {
    UnsupportedOperationException reason = new UnsupportedOperationException("no requests");
    source.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {
            throw reason;
          }

          @Override
          public void cancel() {
            throw new AssertionError("is told nothing any more");
          }
        });
    assertThat(source.failure()).isSameAs(reason);
    assertThat(source.readiness()).isEqualTo(Events.ERR | Events.HUP);
    source.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aBoundOutOfRangeIsRefused(int bound) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowSource.create(bound))
        .withMessageContaining("bound of " + bound);
    assertThatIllegalArgumentException().isThrownBy(() -> FlowSource.of(s -> {}, bound));
    assertThatNullPointerException().isThrownBy(() -> FlowSource.of(null, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> source.drain(e -> {}, -1));
    assertThatNullPointerException().isThrownBy(() -> source.drain(null, 1));
  }

  @Test
  void aConsumerThatThrowsLosesOnlyWhatItWasGiven() {
    source.onSubscribe(subscription);
    publish(0, 3);
    assertThatThrownBy(
            () ->
                source.drain(
                    e -> {
                      throw new UnsupportedOperationException("no " + e);
                    },
                    3))
        .hasMessage("no 0");
    assertThat(source.poll()).isEqualTo(1);
  }

  // ----------------------------------------------------------------------------------- close

  @Test
  void closingCancels() {
    EpItem item = poll.add(source, Events.IN, "flow");
    source.onSubscribe(subscription);
    publish(0, 3);
    source.close();
    source.close();
    assertThat(subscription.told).containsExactly("request 4", "cancel");
    assertThat(item.isValid()).isFalse();
    assertThat(source.size()).isZero();
    publish(3, 1);
    source.onComplete();
    source.onError(new IOException("late"));
    assertThat(source.poll()).isNull();
    assertThat(source.failure()).isNull();
  }

  @Test
  void closedBeforeTheSubscriptionComes() {
    source.close();
    source.onSubscribe(subscription);
    assertThat(subscription.told).containsExactly("cancel");
    publish(0, 1);
    assertThat(source.size()).isZero();
  }

  @Test
  void closedFromInsideOfRequest() {
    Recorded recorded =
        new Recorded() {
          @Override
          public void request(long n) {
            super.request(n);
            source.close();
            told.add("closed");
          }
        };
    source.onSubscribe(recorded);
    assertThat(recorded.told).containsExactly("request 4", "closed", "cancel");
  }

  // --------------------------------------------------------------------------- a real publisher

  @Test
  @Timeout(30)
  void aPublisherWithThreads() throws Exception {
    int count = 5_000;
    SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
    FlowSource<Integer> all = FlowSource.of(publisher, 16);
    poll.add(all, Events.IN | Events.ET, "flow");
    Thread sender =
        new Thread(
            () -> {
              try (publisher) {
                for (int i = 0; i < count; i++) {
                  publisher.submit(i);
                }
              }
            });
    sender.start();
    ReadyEvents ready = new ReadyEvents(1);
    int next = 0;
    while ((all.readiness() & Events.HUP) == 0) {
      poll.await(ready);
      for (Integer e = all.poll(); e != null; e = all.poll()) {
        assertThat(e).isEqualTo(next++);
      }
    }
    assertThat(next).isEqualTo(count);
    assertThat(all.failure()).isNull();
    sender.join(TimeUnit.SECONDS.toMillis(30));
  }
}
