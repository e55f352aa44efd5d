package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** awaitOne, the counterpart of poll(2): a wait on one source, or on one poll, from outside. */
@EveryPath
class AwaitOneTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final EventFd source = EventFd.create();

  @AfterEach
  void clearTheStatus() {
    Thread.interrupted();
  }

  // ------------------------------------------------------------------------------------- waking

  @Test
  @DisplayName("KERNEL 4.5: one write wakes all who wait on the source: 5 of 5")
  void allWoken() {
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = many(5, () -> waiters.awaitOne(source, Events.IN, null));
      Waiters.awaitAsleepOn(source, 5);
      source.tryWrite(1);
      assertThat(waits).allMatch(wait -> wait.result() == Events.IN);
    }
    assertThat(source.waitQueue().hasEntries()).as("nobody stays registered").isFalse();
  }

  @Test
  @DisplayName("KERNEL 4.5: one event wakes all who wait on the poll from outside: 5 of 5")
  void allWokenOnAPoll_andNothingIsTaken() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = many(5, () -> waiters.awaitOne(poll, Events.IN, null));
      Waiters.awaitAsleepOn(poll, 5);
      source.tryWrite(1);
      assertThat(waits).allMatch(wait -> wait.result() == Events.IN);
    }
    assertThat(poll.awaitNow(new ReadyEvents(1))).as("the edge is still there").isEqualTo(1);
    assertThat(poll.awaitNow(new ReadyEvents(1))).isZero();
  }

  private static List<Wait> many(int count, Supplier<Wait> start) {
    return Stream.generate(start).limit(count).toList();
  }

  @Test
  void readyAtOnce() throws Exception {
    assertThat(EventPoll.awaitOne(source, Events.OUT, null)).isEqualTo(Events.OUT);
    assertThat(EventPoll.awaitOne(source, Events.IN | Events.OUT, null)).isEqualTo(Events.OUT);
    source.tryWrite(1);
    assertThat(EventPoll.awaitOne(source, Events.IN | Events.OUT, Duration.ZERO))
        .isEqualTo(Events.IN | Events.OUT);
  }

  @Test
  @DisplayName("a wake with another key does not make it look; one without a key does")
  void keyFilter() {
    Asked asked = new Asked();
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(asked, Events.IN, null);
      Waiters.awaitAsleepOn(asked, 1);
      int looks = asked.asked.get();
      asked.waitQueue().wake(Events.OUT | Events.PRI);
      waiters.settle();
      assertThat(asked.asked.get()).isEqualTo(looks);
      asked.waitQueue().wake(0);
      waiters.settle();
      assertThat(asked.asked.get()).isEqualTo(looks + 1);
      asked.state = Events.OUT;
      asked.waitQueue().wake(Events.IN | Events.OUT);
      waiters.settle();
      assertThat(wait.isDone()).as("ready, but not for what is waited for").isFalse();
      asked.state = Events.ERR; // always in the mask
      asked.waitQueue().wake(Events.ERR);
      assertThat(wait.result()).isEqualTo(Events.ERR);
    }
  }

  @Test
  @DisplayName("KERNEL 3.3: it uses no exclusive wake up")
  void beside_anExclusivePoll() {
    EventPoll exclusive = Polls.create();
    exclusive.add(source, IN_ET | Events.EXCLUSIVE);
    try (Waiters waiters = new Waiters()) {
      Wait early = waiters.awaitOne(source, Events.IN, null);
      Waiters.awaitAsleepOn(source, 1);
      Wait wait = waiters.awaiting(exclusive, 1).get(0);
      source.tryWrite(1);
      assertThat(early.result()).isEqualTo(Events.IN);
      assertThat(wait.source()).isSameAs(source);
    }
  }

  @Test
  @DisplayName("MO-SLEEP-2: two threads hand a count to and fro")
  void pingPong() throws Exception {
    EventFd back = EventFd.create();
    int rounds = 3000;
    try (Waiters waiters = new Waiters()) {
      waiters.start("ponger", () -> passOn(source, back, rounds));
      source.tryWrite(1);
      assertThat(passOn(back, source, rounds)).isEqualTo(rounds);
      waiters.join();
    }
  }

  private static int passOn(EventFd from, EventFd to, int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      assertThat(EventPoll.awaitOne(from, Events.IN, Waiters.FAIL_SAFE)).isEqualTo(Events.IN);
      assertThat(from.tryRead()).isEqualTo(1);
      to.tryWrite(1);
    }
    return rounds;
  }

  // -------------------------------------------------------------------------------- polls in polls

  @Test
  void nested_looksThroughAllLevels_andTakesNothing() {
    EventPoll middle = Polls.on(time);
    EventPoll outer = Polls.on(time);
    poll.add(source, IN_ET);
    middle.add(poll, IN_ET);
    outer.add(middle, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(outer, Events.IN | Events.RDNORM, null);
      Waiters.awaitAsleepOn(outer, 1);
      source.tryWrite(1);
      assertThat(wait.result()).isEqualTo(Events.IN | Events.RDNORM);
    }
    assertThat(outer.awaitNow(new ReadyEvents(1))).isEqualTo(1);
    assertThat(middle.awaitNow(new ReadyEvents(1))).isEqualTo(1);
    assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1);
    assertThat(outer.awaitNow(new ReadyEvents(1))).isZero();
  }

  @Test
  @DisplayName("KERNEL 4.5: drained before it looks: it sleeps on")
  void drainedBeforeItLooks() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(poll, Events.IN, null);
      Waiters.awaitAsleepOn(poll, 1);
      source.waitQueue().wake(Events.IN); // nothing behind it
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      source.tryWrite(1);
      assertThat(wait.result()).isEqualTo(Events.IN);
    }
  }

  // ---------------------------------------------------------------------------------- time limits

  @Test
  void timeout_isNeverEarlyAndTakenOnce() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(poll, Events.IN, Duration.ofMillis(200));
      Waiters.awaitAsleepOn(poll, 1);
      for (int i = 0; i < 19; i++) {
        time.advance(Duration.ofMillis(10));
        source.waitQueue().wake(Events.IN); // wakes it for nothing
        waiters.settle();
      }
      time.advanceNanos(9_999_999);
      source.waitQueue().wake(Events.IN);
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advanceNanos(1);
      assertThat(wait.result()).isZero();
    }
  }

  @Test
  void zeroAndNegativeDoNotWait_theLongestSaturate() throws Exception {
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ZERO)).isZero();
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ofNanos(-1))).isZero();
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    time.advance(Duration.ofHours(1));
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(poll, Events.IN, Duration.ofSeconds(Long.MAX_VALUE));
      Waiters.awaitAsleepOn(poll, 1);
      time.advanceNanos(Long.MAX_VALUE / 2);
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
    }
  }

  @Test
  void realTime_neverEarly() throws Exception {
    for (int i = 0; i < Polls.rounds(100); i++) {
      long start = System.nanoTime();
      assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ofNanos(50_000))).isZero();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000);
    }
  }

  @Test
  @DisplayName("a timer: those who wait on it keep its time")
  void timer() {
    Timer timer = time.timer();
    timer.set(Duration.ofMillis(10));
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = many(3, () -> waiters.awaitOne(timer, Events.IN, null));
      Waiters.awaitAsleepOn(timer, 3);
      time.advanceNanos(9_999_999);
      waiters.settle();
      assertThat(waiters.returned()).isZero();
      time.advanceNanos(1);
      assertThat(waits).allMatch(wait -> wait.result() == Events.IN);
    }
  }

  @Test
  @DisplayName("KR-54: a timer two polls down, set to a nearer time while the thread sleeps")
  void timerBelow_setNearer() {
    EventPoll outer = Polls.on(time);
    Timer timer = time.timer();
    timer.set(Duration.ofHours(1));
    poll.add(timer, Events.IN);
    outer.add(poll, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(outer, Events.IN, Duration.ofHours(2));
      Waiters.awaitAsleepOn(outer, 1);
      timer.set(Duration.ofMillis(10));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofMillis(10));
      assertThat(wait.result()).isEqualTo(Events.IN);
    }
  }

  // ------------------------------------------------------------------------------------- the end

  @Test
  void close_isHup() {
    try (Waiters waiters = new Waiters()) {
      Wait onSource = waiters.awaitOne(source, Events.IN, null);
      Wait onPoll = waiters.awaitOne(poll, Events.IN, Duration.ofHours(1));
      Waiters.awaitAsleepOn(source, 1);
      Waiters.awaitAsleepOn(poll, 1);
      source.close();
      poll.close();
      assertThat(onSource.result()).isEqualTo(Events.HUP);
      assertThat(onPoll.result()).isEqualTo(Events.HUP);
    }
    assertThatThrownBy(() -> EventPoll.awaitOne(source, Events.IN, null))
        .isInstanceOfSatisfying(
            EventPollStateException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
  }

  @Test
  @DisplayName("KR-17: close against a wait that begins: HUP or EBADF, never asleep for ever")
  void closeAgainstAwaitOne() {
    for (int i = 0; i < Polls.rounds(500); i++) {
      EventFd closing = EventFd.create();
      CyclicBarrier start = new CyclicBarrier(2);
      try (Waiters waiters = new Waiters()) {
        Wait wait =
            waiters.start(
                "poll",
                () -> {
                  start.await();
                  try {
                    return EventPoll.awaitOne(closing, Events.IN, null);
                  } catch (EventPollStateException e) {
                    return Events.HUP;
                  }
                });
        waiters.start(
            "closer",
            () -> {
              start.await();
              closing.close();
              return 1;
            });
        assertThat(wait.result()).isEqualTo(Events.HUP);
      }
    }
  }

  @Test
  void interrupts() throws Exception {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(source, Events.IN, null);
      Waiters.awaitAsleepOn(source, 1);
      wait.thread.interrupt();
      assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
      assertThat(wait.interruptedAtEnd()).as("cleared").isFalse();
    }
    assertThat(source.waitQueue().hasEntries()).isFalse();
    Thread.currentThread().interrupt();
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ZERO)).isZero();
    assertThat(EventPoll.awaitOne(source, Events.OUT, null)).isEqualTo(Events.OUT);
    assertThat(Thread.currentThread().isInterrupted()).as("kept").isTrue();
    assertThatThrownBy(() -> EventPoll.awaitOne(source, Events.IN, null))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void aSourceThatThrows_isNotHeldOnTo() {
    Asked asked = new Asked();
    asked.failure = new IllegalStateException("on purpose");
    assertThatThrownBy(() -> EventPoll.awaitOne(asked, Events.IN, null)).isSameAs(asked.failure);
    assertThat(asked.waitQueue().hasEntries()).isFalse();
  }

  @Test
  void refusals() {
    for (int flag : new int[] {Events.ET, Events.ONESHOT, Events.EXCLUSIVE, Events.WAKEUP}) {
      assertThatThrownBy(() -> EventPoll.awaitOne(source, Events.IN | flag, Duration.ZERO))
          .isInstanceOfSatisfying(
              EventPollArgumentException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
    assertThatThrownBy(() -> EventPoll.awaitOne(source, 1 << 20, Duration.ZERO))
        .isInstanceOf(EventPollArgumentException.class);
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }

  /** Counts how often it is asked. */
  private static final class Asked implements Pollable {
    final AtomicInteger asked = new AtomicInteger();
    final WaitQueue queue = new WaitQueue();
    volatile int state;
    volatile RuntimeException failure;

    @Override
    public int readiness() {
      asked.incrementAndGet();
      RuntimeException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
      return state;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
