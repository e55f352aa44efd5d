package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Closing a poll, or a source, while threads wait. */
@EveryPath
class CloseTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final EventFd source = EventFd.create();

  // ------------------------------------------------------------------------------------ the poll

  @Test
  @DisplayName("S116: every kind of wait ends with ClosedEventPollException")
  void s116_closeEndsEveryWait() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits =
          List.of(
              waiters.await(poll),
              waiters.await(poll, 16),
              waiters.await(poll, Duration.ofHours(1)),
              waiters.awaitUninterruptibly(poll),
              waiters.start(
                  "until", () -> poll.awaitUntil(new ReadyEvents(1), time.nanoTime() + 1000)));
      Waiters.awaitAsleep(poll, 5);
      poll.close();
      assertThat(waits)
          .allMatch(wait -> wait.failure() instanceof ClosedEventPollException)
          .noneMatch(Wait::interruptedAtEnd);
      assertThat(poll.sleepers.snapshot()).isEmpty();
    }
  }

  @Test
  void closedPoll_itemsAreGoneAndTheSourcesOpen() {
    EpItem item = poll.add(source, Events.IN);
    poll.close();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(poll.items()).isEmpty();
    assertThat(source.waitQueue().hasEntries()).isFalse();
    assertThat(source.tryWrite(1)).isTrue();
    EventPoll other = Polls.create();
    other.add(source, Events.IN);
    assertThat(other.awaitNow(new ReadyEvents(1))).isEqualTo(1);
  }

  @Test
  void closedPoll_laterWaitsFail() {
    poll.close();
    ReadyEvents batch = new ReadyEvents(1);
    assertThatThrownBy(() -> poll.await(batch)).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.await(batch, Duration.ZERO))
        .isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.awaitNow(batch)).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.awaitUninterruptibly(batch))
        .isInstanceOfSatisfying(
            ClosedEventPollException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
  }

  @Test
  @DisplayName("closing is idempotent, also from several threads at once")
  void closeAtOnce() throws Exception {
    for (int i = 0; i < Polls.rounds(100); i++) {
      EventPoll closing = Polls.create();
      closing.add(source, Events.IN);
      CyclicBarrier start = new CyclicBarrier(3);
      try (Waiters waiters = new Waiters()) {
        List<Wait> sleepers = waiters.awaiting(closing, 2);
        List<Wait> closers =
            Stream.generate(
                    () ->
                        waiters.start(
                            "closer",
                            () -> {
                              start.await();
                              closing.close();
                              return 1;
                            }))
                .limit(3)
                .toList();
        assertThat(closers).allMatch(wait -> wait.result() == 1);
        assertThat(sleepers).allMatch(wait -> wait.failure() instanceof ClosedEventPollException);
      }
      assertThat(source.waitQueue().hasEntries()).isFalse();
    }
  }

  @Test
  @DisplayName("a wait that is taking events when the poll closes returns them")
  void harvestUnderWay_returnsItsEvents() {
    Gate gate = Gate.at(Probe.Step.SCAN_ASKED, 1);
    EventPoll gated = gate.poll();
    gated.add(source, IN_ET);
    source.tryWrite(1);
    try (Waiters waiters = new Waiters()) {
      Wait taker = waiters.await(gated);
      gate.awaitArrivals(1);
      Wait closer =
          waiters.start(
              "closer",
              () -> {
                gated.close();
                return 1;
              });
      Waiters.until(gated.control::hasQueuedThreads, gated::dump);
      gate.open();
      assertThat(taker.source()).isSameAs(source);
      assertThat(closer.result()).isEqualTo(1);
      assertThat(taker.events().item(0).isValid()).isFalse();
    }
  }

  @Test
  @DisplayName("MO-CLOSE-1: close against a wait that begins, against writes: nobody sleeps on")
  void closeAgainstAwait() {
    for (int i = 0; i < Polls.rounds(500); i++) {
      EventPoll closing = Polls.create();
      closing.add(source, Events.IN);
      CyclicBarrier start = new CyclicBarrier(3);
      try (Waiters waiters = new Waiters()) {
        Wait sleeper =
            waiters.start(
                "sleeper",
                () -> {
                  start.await();
                  ReadyEvents batch = new ReadyEvents(1);
                  int taken = 0;
                  while (true) {
                    try {
                      taken += closing.await(batch);
                    } catch (ClosedEventPollException e) {
                      return taken;
                    }
                  }
                });
        Wait writer = waiters.start("writer", () -> start.await() + (source.tryWrite(1) ? 1 : 0));
        Wait closer =
            waiters.start(
                "closer",
                () -> {
                  start.await();
                  closing.close();
                  return 1;
                });
        assertThat(closer.result()).isEqualTo(1);
        assertThat(sleeper.result()).isNotNegative();
        assertThat(writer.result()).isPositive();
        source.tryRead();
      }
    }
  }

  // --------------------------------------------------------------------------- polls around a poll

  @Test
  @DisplayName("S091: outer polls lose the item; their waiters sleep on")
  void outerPollsLoseTheItem() {
    EventPoll outer = Polls.on(time);
    EventPoll other = Polls.on(time);
    poll.add(source, Events.IN);
    EpItem item = outer.add(poll, Events.IN);
    other.add(poll, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(outer, 1);
      waiters.awaiting(other, 1);
      poll.close();
      waiters.settle();
      assertThat(waiters.returned()).as("closing a source wakes no waiter of a poll").isZero();
      assertThat(outer.size() + other.size()).isZero();
      assertThat(item.isValid()).isFalse();
      assertThat(outer.find(poll)).isNull();
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.returned()).isZero();
    }
  }

  @Test
  @DisplayName("S091: an inner poll that is ready and closes is not reported")
  void readyInnerCloses() {
    EventPoll outer = Polls.on(time);
    poll.add(source, Events.IN);
    outer.add(poll, Events.IN);
    source.tryWrite(1);
    assertThat(outer.readiness()).isNotZero();
    poll.close();
    assertThat(outer.awaitNow(new ReadyEvents(1))).isZero();
    assertThat(outer.readiness()).isZero();
  }

  @Test
  void outerCloses_theInnerLivesOn() {
    EventPoll outer = Polls.on(time);
    poll.add(source, Events.IN);
    outer.add(poll, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait inner = waiters.awaiting(poll, 1).get(0);
      Wait outside = waiters.awaiting(outer, 1).get(0);
      outer.close();
      assertThat(outside.failure()).isInstanceOf(ClosedEventPollException.class);
      assertThat(poll.waitQueue().hasEntries()).isFalse();
      source.tryWrite(1);
      assertThat(inner.source()).isSameAs(source);
    }
  }

  @Test
  @DisplayName("KERNEL 10, 58c9b016e128: a poll and its last source close at the same time")
  void pollAndLastSourceCloseAtOnce() {
    for (int i = 0; i < Polls.rounds(300); i++) {
      EventPoll outer = Polls.on(time);
      EventPoll closing = Polls.on(time);
      EventFd last = EventFd.create();
      EpItem item = closing.add(last, Events.IN);
      outer.add(closing, Events.IN);
      CyclicBarrier start = new CyclicBarrier(3);
      try (Waiters waiters = new Waiters()) {
        Wait sleeper = waiters.awaiting(closing, 1).get(0);
        waiters.start("poll", () -> start.await() + run(closing::close));
        waiters.start("source", () -> start.await() + run(last::close));
        waiters.start("outer", () -> start.await() + run(outer::close));
        assertThat(sleeper.failure()).isInstanceOf(ClosedEventPollException.class);
      }
      assertThat(item.isValid()).isFalse();
      assertThat(closing.size() + outer.size()).isZero();
    }
  }

  private static int run(Runnable action) {
    action.run();
    return 0;
  }

  // ---------------------------------------------------------------------------------- the source

  @Test
  @DisplayName("S074: closing a source takes its items away and wakes nobody")
  void s074_sourceClosesUnderASleeper() {
    EpItem item = poll.add(source, Events.IN);
    EventFd other = EventFd.create();
    poll.add(other, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      source.close();
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      assertThat(item.isValid()).isFalse();
      assertThat(poll.size()).isEqualTo(1);
      other.tryWrite(1);
      assertThat(wait.source()).isSameAs(other);
    }
  }

  @Test
  @DisplayName("a source that closes between the choice and the harvest: the waiter sleeps again")
  void sourceClosesAfterTheChoice() {
    Gate gate = Gate.at(Probe.Step.LEFT, 1);
    EventPoll gated = gate.poll();
    gated.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(gated, 1).get(0);
      source.tryWrite(1);
      gate.awaitArrivals(1);
      source.close();
      gate.open();
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      assertThat(Waiters.asleep(gated)).isEqualTo(1);
    }
  }
}
