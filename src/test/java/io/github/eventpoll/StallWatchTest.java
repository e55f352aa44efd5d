package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.testkit.VirtualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon that looks for stalls: what it reports, when it is there, and when not. */
class StallWatchTest {
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration STEP = PERIOD.dividedBy(StallWatch.LOOKS);

  private final VirtualTime time = VirtualTime.create();
  private final Waiters waiters = new Waiters();
  private final FakeSource source = FakeSource.idle("source");
  private final EventPoll poll = watched();

  private EventPoll watched() {
    return time.poll(EventPoll.builder().watchForStalls(PERIOD));
  }

  @AfterEach
  void close() {
    poll.close();
    waiters.close();
    awaitEnd(poll.clock);
  }

  private static void awaitEnd(Clock clock) {
    Waiters.until(() -> StallWatch.watchedOn(clock) == -1, () -> "no polls, no thread");
  }

  /** Moves time on and waits until what became due was looked at. */
  private void step(Duration by) {
    time.advance(by);
    Waiters.until(() -> StallWatch.isIdleOn(poll.clock), () -> "a look at " + by);
  }

  private void stall() {
    EpItem item = poll.add(source, Events.IN);
    waiters.awaiting(poll, 1);
    poll.control.lock();
    try {
      assertThat(poll.path.link(item)).isTrue();
    } finally {
      poll.releaseControl();
    }
  }

  private static List<Thread> daemons() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("eventpoll-stalls"))
        .collect(Collectors.toList());
  }

  @Test
  void aStallIsWarnedOfWithoutAnyCall() throws Exception {
    try (LogCapture log = new LogCapture()) {
      step(STEP);
      stall();
      for (int i = 0; i < StallWatch.LOOKS; i++) {
        step(STEP);
        assertThat(log.warnings()).isZero();
      }
      step(STEP);
      assertThat(log.warnings()).as(log.text()).isEqualTo(1);
      assertThat(log.text()).contains(poll + " may be stalled:", "item source IN|ERR|HUP queued");
      step(STEP);
      assertThat(log.warnings()).as("at most one in a minute").isEqualTo(1);
    }
  }

  @Test
  void aLookThatFailsIsNotTheLast() throws Exception {
    try (LogCapture log = new LogCapture();
        EventPoll second = watched()) {
      Pollable sick =
          new NeverReady() {
            @Override
            public String toString() {
              throw new AssertionError("as recursion without end");
            }
          };
      EpItem item = second.add(sick, Events.IN);
      waiters.awaiting(second, 1);
      second.control.lock();
      try {
        assertThat(second.path.link(item)).isTrue();
      } finally {
        second.releaseControl();
      }
      step(STEP);
      assertThat(log.text()).contains(second + " could not be checked");
      step(STEP);
      second.wakeupAll();
    }
  }

  /** A source that is never ready. */
  private abstract static class NeverReady implements Pollable {
    private final WaitQueue queue = new WaitQueue();

    @Override
    public int readiness() {
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }

  @Test
  void nothingIsSaidOfAPollThatRests() throws Exception {
    try (LogCapture log = new LogCapture()) {
      poll.add(source, Events.IN);
      waiters.awaiting(poll, 3);
      for (int i = 0; i < 4 * StallWatch.LOOKS; i++) {
        step(STEP);
      }
      assertThat(log.text()).isEmpty();
    }
  }

  @Test
  void whatWasSeenDoesNotCountIfTheDaemonComesTooLate() throws Exception {
    try (LogCapture log = new LogCapture()) {
      stall();
      step(STEP);
      step(STEP.multipliedBy(20)); // as if the machine had slept
      assertThat(log.warnings()).isZero();
      for (int i = 0; i < StallWatch.LOOKS; i++) {
        step(STEP);
      }
      assertThat(log.warnings()).isEqualTo(1);
    }
  }

  @Test
  void oneThreadForAllPolls_thereWhileOneIsOpen() {
    List<Thread> before = daemons();
    EventPoll second = watched();
    assertThat(daemons()).isEqualTo(before);
    assertThat(before).hasSize(1).allMatch(Thread::isDaemon);
    assertThat(StallWatch.watchedOn(poll.clock)).isEqualTo(2);
    poll.close();
    assertThat(StallWatch.watchedOn(poll.clock)).isEqualTo(1);
    second.close();
    awaitEnd(poll.clock);
    Waiters.until(() -> daemons().isEmpty(), () -> "ended: " + daemons());
    watched().close();
  }

  @Test
  void aPollThatNobodyRefersToIsNotKept() {
    WeakReference<EventPoll> forgotten = new WeakReference<>(watched());
    assertThat(StallWatch.watchedOn(poll.clock)).isEqualTo(2);
    Waiters.until(
        () -> {
          System.gc();
          return forgotten.get() == null;
        },
        () -> "kept: " + forgotten.get());
    step(STEP);
    Waiters.until(() -> StallWatch.watchedOn(poll.clock) == 1, () -> "still watched");
  }

  @Test
  void onTheClockOfTheSystem() {
    assertThat(StallWatch.watchedOn(Clock.system())).isEqualTo(-1);
    EventPoll real = EventPoll.builder().watchForStalls(Duration.ofDays(1)).build();
    assertThat(StallWatch.watchedOn(Clock.system())).isEqualTo(1);
    real.close();
    awaitEnd(Clock.system());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aPeriodIsPositive(long seconds) {
    refused(
        Errno.EINVAL,
        () -> EventPoll.builder().watchForStalls(Duration.ofSeconds(seconds)),
        "a period of");
  }
}
