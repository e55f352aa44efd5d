package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.scenarios.Taken;
import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueKind;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What must not be done, by kind: each time the result is a defined one, nothing has changed, and
 * who waits is not disturbed. More of each kind stands in the test of the class concerned.
 */
@EveryPath
class BadInputTest {
  private static final Duration NEGATIVE = Duration.ofNanos(-1);
  private static final Duration DAY = Duration.ofDays(1);

  private final EventPoll poll = Polls.create();
  private final Scripted source = new Scripted();
  private final QueueSource<Integer> queue = QueueSource.unbounded();
  private final RuntimeException failure = new UnsupportedOperationException("cannot tell");

  // ------------------------------------------------------------------------------------ null

  @ParameterizedTest
  @EnumSource
  void nullElement(QueueKind kind) {
    QueueSource<Integer> bounded = QueueSource.bounded(1, kind);
    BlockingQueueSource<Integer> blocking = BlockingQueueSource.of(new LinkedBlockingQueue<>());
    poll.add(bounded, Events.IN, "bounded");
    poll.add(blocking, Events.IN, "blocking");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> bounded.offer(null),
            () -> blocking.put(null),
            () -> blocking.add(null),
            () -> blocking.offer(null),
            () -> blocking.addAll(Arrays.asList((Integer) null)))) {
      assertThatNullPointerException().isThrownBy(call);
    }
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(bounded.offer(1)).as("the place is still there").isTrue();
  }

  @Test
  void nullArgument() {
    Timer timer = Timer.create();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> poll.add(null, Events.IN),
            () -> poll.awaitNow(null),
            () -> poll.await(null),
            () -> EventPoll.awaitOne(null, Events.IN, DAY),
            () -> queue.drain(null, 1),
            () -> QueueSource.unbounded(null),
            () -> QueueSource.bounded(1, null),
            () -> BlockingQueueSource.of(null),
            () -> timer.set(null))) {
      assertThatNullPointerException().isThrownBy(call);
    }
    assertThat(poll.size()).isZero();
  }

  // --------------------------------------------------------------------------------- numbers

  @Test
  void negativeLimitAndSize() {
    queue.offer(1);
    List<Integer> taken = new ArrayList<>();
    assertThatIllegalArgumentException().isThrownBy(() -> queue.drain(taken::add, -1));
    assertThat(taken).isEmpty();
    assertThat(queue.size()).isEqualTo(1);
    for (int bound : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> QueueSource.bounded(bound));
    }
    for (int capacity : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new ReadyEvents(capacity));
    }
  }

  @Test
  void negativePeriod() {
    Timer timer = Timer.create();
    poll.add(timer, Events.IN, "timer");
    timer.set(DAY, DAY);
    assertThatIllegalArgumentException().isThrownBy(() -> timer.set(NEGATIVE));
    assertThatIllegalArgumentException().isThrownBy(() -> timer.set(DAY, NEGATIVE));
    assertThatIllegalArgumentException().isThrownBy(() -> timer.setAt(1, NEGATIVE));
    assertThat(timer.interval()).as("as it was set").isEqualTo(DAY);
    assertThat(timer.remaining()).isPositive();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void negativeTimeoutDoesNotWait() throws InterruptedException {
    BlockingQueueSource<Integer> blocking = BlockingQueueSource.of(new LinkedBlockingQueue<>());
    assertThat(poll.await(new ReadyEvents(1), NEGATIVE)).isZero();
    assertThat(EventPoll.awaitOne(queue, Events.IN, NEGATIVE)).isZero();
    assertThat(EventFd.create().read(NEGATIVE)).isZero();
    assertThat(blocking.poll(-1, TimeUnit.DAYS)).isNull();
  }

  @Test
  void badMask() {
    int unknown = 1 << 20;
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> poll.add(queue, unknown),
            () -> EventPoll.awaitOne(queue, unknown, DAY),
            () -> EventPoll.awaitOne(queue, Events.IN | Events.ET, DAY),
            () -> poll.add(queue, Events.IN | Events.ONESHOT | Events.EXCLUSIVE))) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              EventPollArgumentException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
    assertThat(poll.size()).isZero();
    assertThat(queue.waitQueue().hasEntries()).isFalse();
  }

  // ---------------------------------------------------------------------------------- closed

  @ParameterizedTest
  @EnumSource
  void closedQueue(QueueKind kind) throws InterruptedException {
    QueueSource<Integer> ended = QueueSource.unbounded(kind);
    ended.offer(1);
    ended.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> ended.offer(2))
        .withMessageContaining("is closed");
    assertThat(ended.poll()).isEqualTo(1);
    assertThat(ended.poll()).isNull();
    assertThat(ended.drain(element -> {}, 5)).isZero();
    assertThat(EventPoll.awaitOne(ended, Events.IN, DAY)).isEqualTo(Events.HUP);
    poll.add(ended, Events.IN, "ended"); // to be told of the end
    assertThat(Taken.now(poll)).containsExactly("ended HUP");
    ended.dispose();
    assertThat(poll.size()).isZero();
    assertThat(errno(() -> poll.add(ended, Events.IN))).isEqualTo(Errno.EBADF);
    assertThat(errno(() -> EventPoll.awaitOne(ended, Events.IN, DAY))).isEqualTo(Errno.EBADF);
  }

  @Test
  void closedSourcesOfOtherKinds() {
    EventFd counter = EventFd.create();
    Timer timer = Timer.create();
    BlockingQueueSource<Integer> blocking = BlockingQueueSource.of(new LinkedBlockingQueue<>());
    counter.close();
    timer.close();
    blocking.close();
    assertThatIllegalStateException().isThrownBy(() -> counter.tryWrite(1));
    assertThatIllegalStateException().isThrownBy(counter::read);
    assertThatIllegalStateException().isThrownBy(() -> timer.set(DAY));
    for (Pollable closed : List.of(counter, timer, blocking)) {
      assertThat(errno(() -> poll.add(closed, Events.IN))).isEqualTo(Errno.EBADF);
    }
    assertThat(blocking.offer(1)).as("it is a source no more, and still a queue").isTrue();
    assertThat(blocking.poll()).isEqualTo(1);
  }

  private static Errno errno(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(EventPollStateException.class);
    return ((EventPollStateException) thrown).errno();
  }

  // -------------------------------------------------------------------- a source that throws

  @Test
  void readinessThrowsDuringAddModifyAndAWaitForOneSource() {
    source.failOnce(failure);
    assertThat(catchThrowable(() -> poll.add(source, Events.IN))).isSameAs(failure);
    assertThat(poll.size()).isZero();
    EpItem item = poll.add(source, Events.IN);
    source.failOnce(failure);
    assertThat(catchThrowable(() -> item.modify(Events.OUT))).isSameAs(failure);
    assertThat(item.interest() & Events.IN).as("the old mask").isNotZero();
    item.remove();
    source.failOnce(failure);
    assertThat(catchThrowable(() -> EventPoll.awaitOne(source, Events.IN, DAY))).isSameAs(failure);
    assertThat(source.waitQueue().hasEntries()).as("nobody is left behind").isFalse();
  }

  @Test
  void readinessThrowsWhileAThreadSleeps() {
    EpItem item = poll.add(source, Events.IN);
    poll.add(queue, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      source.failOnce(failure);
      source.ready(Events.IN);
      assertThat(wait.source()).isSameAs(source);
      assertThat(wait.events().events(0)).isEqualTo(Events.ERR);
      assertThat(item.failure()).isSameAs(failure);
      assertThat(item.isArmed()).isFalse();
      Wait next = waiters.awaiting(poll, 1).get(0); // not disturbed by it any more
      source.ready(Events.IN);
      queue.offer(1);
      assertThat(next.source()).isSameAs(queue);
    }
  }

  @Test
  void readinessThrowsWhileAThreadWaitsForTheSourceAlone() {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(source, Events.IN, null);
      Waiters.awaitAsleepOn(source, 1);
      source.failOnce(failure);
      source.ready(Events.IN);
      assertThat(wait.failure()).isSameAs(failure);
      assertThat(source.waitQueue().hasEntries()).isFalse();
    }
  }

  // --------------------------------------------------------------- a wake from inside readiness

  @Test
  void wakeFromInsideReadiness() throws InterruptedException {
    source.onceWhenAsked(() -> source.ready(Events.IN));
    poll.add(source, Events.IN | Events.ET, "source");
    assertThat(Taken.now(poll)).containsExactly("source IN");
    source.onceWhenAsked(() -> source.ring(Events.IN));
    source.ring(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    Taken.now(poll); // the ring during the scan is one more edge, but in the lock-free variant
    assertThat(Taken.now(poll)).isEmpty();
    source.store(0);
    source.onceWhenAsked(() -> source.ready(Events.IN));
    assertThat(EventPoll.awaitOne(source, Events.IN, null)).isEqualTo(Events.IN);
  }

  @Test
  void wakeOfAnotherSourceFromInsideReadiness() {
    poll.add(source, Events.IN, "source");
    poll.add(queue, Events.IN, "queue");
    source.onceWhenAsked(() -> queue.offer(1)); // a second event arises while the first is taken
    source.ready(Events.IN);
    List<String> taken = new ArrayList<>(Taken.now(poll));
    source.store(0);
    taken.addAll(Taken.now(poll));
    assertThat(taken).contains("source IN", "queue IN");
  }

  // ----------------------------------------------------------------- a call back into the poll

  @Test
  void callsBackIntoThePollThatAsks() {
    EpItem item = poll.add(source, Events.IN, "source");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> poll.add(queue, Events.IN),
            item::remove,
            () -> item.modify(Events.OUT),
            () -> poll.awaitNow(new ReadyEvents(1)),
            poll::close)) {
      List<Throwable> thrown = new ArrayList<>();
      source.onceWhenAsked(() -> thrown.add(catchThrowable(call)));
      source.ready(Events.IN);
      assertThat(Taken.now(poll)).containsExactly("source IN");
      assertThat(thrown).singleElement().isExactlyInstanceOf(IllegalStateException.class);
    }
    assertThat(poll.size()).isEqualTo(1);
  }

  @Test
  void whoTakesFromAQueueMayCallThePoll() {
    EpItem item = poll.add(queue, Events.IN, "queue");
    queue.offer(1);
    queue.offer(2);
    List<String> seen = new ArrayList<>();
    queue.drain(
        element -> {
          seen.addAll(Taken.now(poll));
          if (element == 2) {
            item.remove();
          }
        },
        5);
    assertThat(seen).containsExactly("queue IN"); // of the second, while the first was in hand
    assertThat(poll.size()).isZero();
  }
}
