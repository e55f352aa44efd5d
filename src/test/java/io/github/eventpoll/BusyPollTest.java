package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A budget for busy polling: what is found in it, and what ends it. */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyPollTest {
  private static final Duration LONG = Duration.ofSeconds(1);

  private final CountDownLatch firstLookDone = new CountDownLatch(1);
  private final AtomicInteger sleeps = new AtomicInteger();

  /** Counts those who go to sleep, and tells when a wait has looked for the first time. */
  private final Probe probe =
      (step, who) -> {
        if (step == Probe.Step.SCAN_ENDED) {
          firstLookDone.countDown();
        } else if (step == Probe.Step.ENLISTING) {
          sleeps.incrementAndGet();
        }
      };

  private EventPoll poll(Clock clock, Duration budget) {
    EventPollBuilder settings = EventPoll.builder().busyPoll(budget);
    settings.seams(clock, probe);
    return settings.build();
  }

  /** An item that is listed and not ready, so that the first look of a wait is seen to end. */
  private static EventFd listedInVain(EventPoll poll) {
    EventFd source = EventFd.create();
    poll.add(source, Events.IN);
    source.tryWrite(1);
    source.tryRead();
    return source;
  }

  private static FutureTask<Integer> waiting(EventPoll poll) {
    FutureTask<Integer> task = new FutureTask<>(() -> poll.await(new ReadyEvents(4)));
    new Thread(task).start();
    return task;
  }

  @Test
  void anEventInTheBudgetNeedsNoSleep() throws Exception {
    try (EventPoll poll = poll(Clock.system(), LONG)) {
      EventFd source = listedInVain(poll);
      FutureTask<Integer> task = waiting(poll);
      firstLookDone.await();
      source.tryWrite(1);
      assertThat(task.get()).isEqualTo(1);
      assertThat(sleeps).hasValue(0);
    }
  }

  @Test
  void anEventAfterTheBudgetIsFoundAsleep() throws Exception {
    try (EventPoll poll = poll(Clock.system(), Duration.ofNanos(1))) {
      EventFd source = listedInVain(poll);
      FutureTask<Integer> task = waiting(poll);
      Waiters.until(() -> poll.sleepers.snapshot().stream().anyMatch(Waiter::isAsleep), poll::dump);
      source.tryWrite(1);
      assertThat(task.get()).isEqualTo(1);
      assertThat(sleeps).hasValue(1);
    }
  }

  @Test
  void wakeupEndsTheWait() throws Exception {
    try (EventPoll poll = poll(Clock.system(), LONG)) {
      listedInVain(poll);
      FutureTask<Integer> task = waiting(poll);
      firstLookDone.await();
      poll.wakeup();
      assertThat(task.get()).isZero();
    }
  }

  @Test
  void wakeupAllEndsTheWait() throws Exception {
    try (EventPoll poll = poll(Clock.system(), LONG)) {
      listedInVain(poll);
      FutureTask<Integer> task = waiting(poll);
      firstLookDone.await();
      poll.wakeupAll();
      assertThat(task.get(20, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void closeEndsTheWait() throws Exception {
    EventPoll poll = poll(Clock.system(), LONG);
    listedInVain(poll);
    FutureTask<Integer> task = waiting(poll);
    firstLookDone.await();
    poll.close();
    assertThatThrownBy(task::get).hasCauseInstanceOf(ClosedEventPollException.class);
  }

  @Test
  void anInterruptEndsTheWait() {
    try (EventPoll poll = poll(Clock.system(), Duration.ofMillis(1))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> poll.await(new ReadyEvents(4)))
          .isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void theTimeoutCutsTheBudgetShort() throws Exception {
    try (EventPoll poll = poll(Clock.system(), LONG)) {
      assertThat(poll.await(new ReadyEvents(4), Duration.ofNanos(1))).isZero();
      assertThat(poll.awaitNow(new ReadyEvents(4))).isZero();
    }
  }

  @Test
  void withTimersAWaitSleepsAtOnce() throws Exception {
    try (EventPoll poll = poll(Clock.system(), LONG);
        Timer timer = Timer.create()) {
      poll.add(timer, Events.IN);
      timer.set(Duration.ofMillis(200)); // not before the first look
      assertThat(poll.await(new ReadyEvents(4))).isEqualTo(1);
      assertThat(sleeps).hasValue(1);
    }
  }

  @Test
  void byAVirtualTimeAWaitSleepsAtOnce() throws Exception {
    VirtualTime time = VirtualTime.create();
    try (EventPoll poll = poll(time.poll().clock, LONG)) {
      FutureTask<Integer> task = waiting(poll);
      Waiters.until(() -> poll.sleepers.snapshot().stream().anyMatch(Waiter::isAsleep), poll::dump);
      poll.wakeup();
      assertThat(task.get()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1_000_000_001})
  void badBudgets(long nanos) {
    assertThatThrownBy(() -> EventPoll.builder().busyPoll(Duration.ofNanos(nanos)))
        .isInstanceOfSatisfying(
            EventPollArgumentException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining("busy polling");
  }
}
