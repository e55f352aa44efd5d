package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of time of await: never early, never late, taken once; on time that a test moves. */
@EveryPath
class TimeoutsTest {
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final EventFd source = EventFd.create();
  private final ReadyEvents batch = new ReadyEvents(4);

  // -------------------------------------------------------------------------- those that never
  // wait

  @Test
  @DisplayName("S118: zero timeout, a thousand times: 0, and nobody ever parks")
  void s118_zeroTimeoutNeverParks() throws Exception {
    NoSleep clock = new NoSleep();
    EventPoll awake = Gate.poll(clock, null);
    awake.add(source, Events.IN);
    for (int i = 0; i < 1000; i++) {
      assertThat(awake.await(batch, Duration.ZERO)).isZero();
      assertThat(awake.awaitNanos(batch, 0)).isZero();
      assertThat(awake.awaitUninterruptibly(batch, Duration.ZERO)).isZero();
      assertThat(awake.awaitNow(batch)).isZero();
    }
    source.tryWrite(1);
    assertThat(awake.await(batch, Duration.ZERO)).isEqualTo(1);
    assertThat(clock.parks.get()).isZero();
  }

  @Test
  @DisplayName("S119: a negative timeout never waits; only the form without timeout waits for ever")
  void s119_negativeIsNoWait() throws Exception {
    NoSleep clock = new NoSleep();
    EventPoll awake = Gate.poll(clock, null);
    for (long nanos : new long[] {-1, -2, Integer.MIN_VALUE, Long.MIN_VALUE}) {
      assertThat(awake.awaitNanos(batch, nanos)).isZero();
      assertThat(awake.await(batch, Duration.ofNanos(nanos))).isZero();
    }
    assertThat(awake.await(batch, Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    assertThat(awake.awaitUntil(batch, clock.raw() - 1)).isZero();
    assertThat(awake.awaitUntil(batch, clock.raw())).isZero();
    assertThat(clock.parks.get()).isZero();
    try (Waiters waiters = new Waiters()) {
      Wait endless = waiters.awaiting(poll, 1).get(0);
      time.advance(Duration.ofDays(100_000));
      waiters.settle();
      assertThat(endless.isDone()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10, 100, 1_000, 100_000})
  @DisplayName("S121, I-89: tiny timeouts on the real clock: never early, never for ever")
  void s121_tinyTimeouts(long nanos) throws Exception {
    EventPoll real = Polls.create();
    for (int i = 0; i < 200; i++) {
      long start = System.nanoTime();
      assertThat(real.awaitNanos(batch, nanos)).isZero();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(nanos);
    }
  }

  // --------------------------------------------------------------------------------- never early

  @Test
  void s124_neverEarly() {
    long nanos = 7_300_000;
    int rounds = 300;
    AtomicInteger returns = new AtomicInteger();
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      waiters.start("timed", () -> countTimeouts(nanos, rounds, returns));
      for (int i = 0; i < rounds; i++) {
        Waiters.awaitAsleep(poll, 1);
        time.advanceNanos(nanos - 1);
        source.waitQueue().wake(Events.IN); // makes it look at the time
        waiters.settle();
        assertThat(returns.get()).as("one nanosecond before").isEqualTo(i);
        time.advanceNanos(1);
        int expected = i + 1;
        Waiters.until(() -> returns.get() == expected, poll::dump);
      }
      waiters.join();
    }
  }

  private int countTimeouts(long nanos, int rounds, AtomicInteger returns) throws Exception {
    for (int i = 0; i < rounds; i++) {
      assertThat(poll.awaitNanos(new ReadyEvents(1), nanos)).isZero();
      returns.incrementAndGet();
    }
    return rounds;
  }

  @Test
  void s125_anHour() {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, Duration.ofHours(1));
      Waiters.awaitAsleep(poll, 1);
      time.advance(Duration.ofSeconds(59 * 60 + 59));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofSeconds(1));
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  void awaitUntil_isAbsolute_acrossTheWrapOfTheCounter() {
    VirtualTime late = VirtualTime.startingAt(Long.MAX_VALUE - 5);
    EventPoll wrapping = Polls.on(late);
    long deadline = late.nanoTime() + 20; // negative
    assertThat(deadline).isNegative();
    late.advanceNanos(4); // the deadline does not move with the moment of the call
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.start("until", () -> wrapping.awaitUntil(new ReadyEvents(1), deadline));
      Waiters.awaitAsleep(wrapping, 1);
      late.advanceNanos(15);
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      late.advanceNanos(1);
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  @DisplayName("I-86: the longest timeouts saturate: they neither fire nor throw")
  void longestTimeoutsSaturate() {
    time.advance(Duration.ofHours(1)); // so that now + Long.MAX_VALUE would overflow
    try (Waiters waiters = new Waiters()) {
      Wait seconds = waiters.await(poll, Duration.ofSeconds(Long.MAX_VALUE));
      Wait nanos =
          waiters.start("nanos", () -> poll.awaitNanos(new ReadyEvents(1), Long.MAX_VALUE));
      Wait intMillis = waiters.await(poll, Duration.ofMillis(1L << 31));
      Waiters.awaitAsleep(poll, 3);
      time.advance(Duration.ofMillis((1L << 31) - 1));
      waiters.settle();
      assertThat(waiters.returned()).isZero();
      time.advance(Duration.ofMillis(1));
      assertThat(intMillis.result()).isZero();
      time.advanceNanos(Long.MAX_VALUE / 2);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      poll.add(source, Events.IN);
      source.tryWrite(1);
      assertThat(seconds.result()).isEqualTo(1);
      assertThat(nanos.result()).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------------- the deadline is taken once

  @Test
  @DisplayName("S122, I-29: wakes for nothing do not restart the deadline")
  void s122_deadlineIsNotRestarted() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, Duration.ofMillis(200));
      Waiters.awaitAsleep(poll, 1);
      for (int i = 0; i < 19; i++) {
        time.advance(Duration.ofMillis(10));
        source.waitQueue().wake(Events.IN); // chosen, finds nothing, sleeps again
        waiters.settle();
        LockSupport.unpark(wait.thread); // park may return for no reason
        waiters.settle();
        assertThat(wait.isDone()).isFalse();
      }
      time.advance(Duration.ofMillis(10));
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  @DisplayName("a source that keeps ringing and is never ready does not carry a wait past its end")
  void busySignallerDoesNotHoldTheWaiter() {
    Chatterer chatterer = new Chatterer();
    poll.add(chatterer, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, Duration.ofMillis(200));
      time.advance(Duration.ofMillis(199));
      chatterer.awaitRings(1000);
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofMillis(201)); // it may have begun at 199
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  @DisplayName("the same with the signaller in another thread")
  void busySignallerOutside() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, Duration.ofMillis(200));
      Waiters.awaitAsleep(poll, 1); // its deadline is fixed
      waiters.start("signaller", () -> ringUntilDone(wait));
      time.advance(Duration.ofMillis(199));
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofMillis(1));
      assertThat(wait.result()).isZero();
      waiters.join();
    }
  }

  private int ringUntilDone(Wait wait) {
    int rings = 0;
    while (!wait.isDone()) {
      source.waitQueue().wake(Events.IN);
      rings++;
    }
    return rings;
  }

  // ------------------------------------------------------------------------- timeout against event

  @Test
  @DisplayName("KR-3, KERNEL 4.3: timed out, then chosen before it left: returns the event")
  void timedOutButChosen() {
    Gate gate = Gate.at(Probe.Step.STOPPED, 1);
    EventPoll gated = gate.poll(time);
    gated.add(source, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      Wait below = waiters.awaiting(gated, 1).get(0);
      Wait timed = waiters.await(gated, Duration.ofMillis(11));
      Waiters.awaitAsleep(gated, 2);
      time.advance(Duration.ofMillis(11));
      gate.awaitArrivals(1);
      source.tryWrite(1); // chooses the one that came last: it is still on the list
      gate.open();
      assertThat(timed.result()).isEqualTo(1);
      waiters.settle();
      assertThat(below.isDone()).isFalse();
    }
  }

  @Test
  @DisplayName(
      "S115, I-38, epoll61: a timeout at the moment of the event: somebody gets it, always")
  void epoll61_timeoutAgainstWrite() {
    poll.add(source, Events.IN | Events.ET);
    CyclicBarrier start = new CyclicBarrier(2);
    for (int i = 0; i < Polls.rounds(500); i++) {
      try (Waiters waiters = new Waiters()) {
        Wait endless = waiters.awaiting(poll, 1).get(0);
        Wait timed = waiters.await(poll, Duration.ofMillis(11)); // comes last: is chosen first
        Waiters.awaitAsleep(poll, 2);
        waiters.start("writer", () -> start.await() >= 0 && source.tryWrite(1) ? 1 : 0);
        waiters.start("clock", () -> start.await() + advance(Duration.ofMillis(11)));
        if (timed.result() == 1) {
          source.tryWrite(1);
        }
        assertThat(endless.result()).isEqualTo(1);
        waiters.join();
      }
    }
  }

  @Test
  @DisplayName(
      "I-104: timed out while sources came and went; the next waits are as good as the first")
  void i104_waitingAgainAfterATimeout() {
    try (Waiters waiters = new Waiters()) {
      for (int i = 0; i < 3; i++) {
        Wait wait = waiters.await(poll, Duration.ofSeconds(10));
        Waiters.awaitAsleep(poll, 1);
        EpItem item = poll.add(source, Events.IN);
        time.advance(Duration.ofSeconds(10));
        assertThat(wait.result()).isZero();
        assertThat(poll.sleepers.snapshot()).isEmpty();
        Wait again = waiters.await(poll, Duration.ofSeconds(10));
        Waiters.awaitAsleep(poll, 1);
        source.tryWrite(1);
        assertThat(again.source()).isSameAs(source);
        source.tryRead();
        item.remove();
      }
    }
  }

  @Test
  @DisplayName("epoll62, epoll63: a ready level item at once, whatever the limit; else 0 in time")
  void epoll62_epoll63() throws Exception {
    EpItem item = poll.add(source, Events.IN);
    source.tryWrite(1);
    assertThat(poll.await(batch)).isEqualTo(1);
    assertThat(poll.await(batch)).isEqualTo(1);
    source.tryRead();
    item.modify(Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll, Duration.ofMillis(10));
      Waiters.awaitAsleep(poll, 1);
      time.advance(Duration.ofMillis(10));
      assertThat(wait.result()).isZero();
    }
  }

  private int advance(Duration by) {
    time.advance(by);
    return 0;
  }

  @Test
  void manyDeadlines_eachAtItsTime() {
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits =
          List.of(30, 10, 20).stream()
              .map(millis -> waiters.await(poll, Duration.ofMillis(millis)))
              .toList();
      Waiters.awaitAsleep(poll, 3);
      for (int at : new int[] {1, 2, 0}) {
        time.advance(Duration.ofMillis(10));
        assertThat(waits.get(at).result()).isZero();
        waiters.settle();
      }
      assertThat(poll.sleepers.snapshot()).isEmpty();
    }
  }

  /** Rings its own queue whenever it is asked, and is never ready. */
  private static final class Chatterer implements Pollable {
    private final WaitQueue queue = new WaitQueue();
    private final AtomicInteger rings = new AtomicInteger();

    void awaitRings(int more) {
      int target = rings.get() + more;
      queue.wake(Events.IN);
      Waiters.until(() -> rings.get() >= target, () -> "rings " + rings);
    }

    @Override
    public int readiness() {
      rings.incrementAndGet();
      queue.wake(Events.IN);
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }

  /** The system's clock, on which nobody may sleep. */
  private static final class NoSleep extends Clock implements Sleeper {
    final AtomicInteger parks = new AtomicInteger();

    NoSleep() {
      super(System.nanoTime());
    }

    @Override
    public long raw() {
      return System.nanoTime();
    }

    @Override
    public Sleeper sleeper() {
      return this;
    }

    @Override
    public void park(Object blocker, long deadline) {
      parks.incrementAndGet();
    }

    @Override
    public void unpark(Thread thread) {}
  }
}
