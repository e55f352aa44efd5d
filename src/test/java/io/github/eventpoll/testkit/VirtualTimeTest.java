package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The scenarios about time with the public kit alone: one thread, or several, and no real time. */
class VirtualTimeTest {
  private static final Duration MS = Duration.ofMillis(1);

  private final ReadyEvents batch = new ReadyEvents(4);

  // ---------------------------------------------------------------------------- with threads

  @Test
  void s125_blockedOneSecondBeforeTheHourAndBackAtIt() throws Exception {
    VirtualTime time = VirtualTime.create();
    WakeLog log = WakeLog.create();
    try (EventPoll poll = time.poll(log.watch(EventPoll.builder()))) {
      FutureTask<Integer> wait = new FutureTask<>(() -> poll.await(batch, Duration.ofHours(1)));
      start(wait);
      asleep(log);
      time.advance(Duration.ofMinutes(59).plusSeconds(59));
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofSeconds(1));
      assertThat(wait.get(60, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void whatIsAgreedHappensWhileTimeIsMovedEachAtItsTime() {
    VirtualTime time = VirtualTime.create();
    List<String> done = new ArrayList<>();
    time.at(MS.multipliedBy(5), () -> done.add("second at " + time.elapsed().toMillis()));
    time.at(MS.multipliedBy(3), () -> done.add("first at " + time.elapsed().toMillis()));
    time.at(MS.multipliedBy(5), () -> done.add("third at " + time.elapsed().toMillis()));
    time.at(MS.multipliedBy(7), () -> time.advance(MS.multipliedBy(2)));
    time.at(MS.multipliedBy(30), () -> done.add("never"));
    time.advance(MS.multipliedBy(4));
    assertThat(done).containsExactly("first at 3");
    time.advance(MS.multipliedBy(16));
    assertThat(done).containsExactly("first at 3", "second at 5", "third at 5");
    assertThat(time.elapsed()).isEqualTo(MS.multipliedBy(20));
  }

  @Test
  void aWaiterIsWokenByWhatIsAgreed() throws Exception {
    VirtualTime time = VirtualTime.create();
    WakeLog log = WakeLog.create();
    try (EventPoll poll = time.poll(log.watch(EventPoll.builder()))) {
      EventFd counter = EventFd.create();
      poll.add(counter, Events.IN);
      time.at(MS, () -> counter.tryWrite(1));
      FutureTask<Integer> wait = new FutureTask<>(() -> poll.await(batch));
      start(wait);
      asleep(log);
      time.advance(MS);
      assertThat(wait.get(60, TimeUnit.SECONDS)).isOne();
    }
  }

  @Test
  void timeDoesNotGoBack() {
    VirtualTime time = VirtualTime.create();
    assertThatIllegalArgumentException().isThrownBy(() -> time.advanceNanos(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> time.at(MS.negated(), () -> {}));
  }

  // --------------------------------------------------------------------------- with one thread

  @Test
  void s122_wakesWithoutEventsDoNotMakeAWaitLonger() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    ScriptedSource source = ScriptedSource.create();
    try (EventPoll poll = time.poll()) {
      poll.add(source, Events.IN);
      for (int ms = 10; ms <= 300; ms += 10) {
        time.at(MS.multipliedBy(ms), () -> source.ring(Events.IN));
      }
      assertThat(poll.await(batch, MS.multipliedBy(200))).isZero();
      assertThat(time.elapsed()).isEqualTo(MS.multipliedBy(200));
    }
  }

  @Test
  void s124_noWaitEndsEarly() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll()) {
      for (int i = 1; i <= 1000; i++) {
        assertThat(poll.awaitNanos(batch, 7_300_000)).isZero();
        assertThat(time.nanoTime()).isEqualTo(i * 7_300_000L);
      }
    }
  }

  @Test
  void s137_aHundredMillionTicksInOneRead() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll();
        Timer timer = time.timer()) {
      poll.add(timer, Events.IN);
      timer.set(Duration.ofNanos(1), Duration.ofNanos(1));
      time.advance(MS.multipliedBy(100));
      assertThat(poll.await(batch)).isOne();
      assertThat(timer.tryRead()).isEqualTo(100_000_000);
    }
  }

  @Test
  void s139_noTimerFiresEarly() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll();
        Timer timer = time.timer()) {
      poll.add(timer, Events.IN);
      for (int ms = 1; ms <= 17; ms++) {
        Duration before = time.elapsed();
        timer.set(MS.multipliedBy(ms));
        assertThat(poll.awaitNanos(batch, MS.multipliedBy(ms).toNanos() - 1)).isZero();
        assertThat(poll.await(batch)).isOne();
        assertThat(time.elapsed().minus(before)).isEqualTo(MS.multipliedBy(ms));
        assertThat(timer.tryRead()).isOne();
      }
    }
  }

  @Test
  void s143_aClockThatHasRunForYears() throws Exception {
    for (int exponent : new int[] {30, 36}) {
      VirtualTime time = VirtualTime.singleThreaded();
      time.advance(MS.multipliedBy(1L << exponent));
      try (EventPoll poll = time.poll();
          Timer far = time.timer();
          Timer near = time.timer()) {
        poll.add(far, Events.IN);
        poll.add(near, Events.IN);
        far.set(Duration.ofDays(1000));
        near.set(MS.multipliedBy(333));
        assertThat(poll.await(batch)).isOne();
        assertThat(batch.source(0)).isSameAs(near);
        assertThat(time.elapsed()).isEqualTo(MS.multipliedBy((1L << exponent) + 333));
        assertThat(near.tryRead()).isOne();
        assertThat(poll.await(batch)).isOne();
        assertThat(batch.source(0)).isSameAs(far);
      }
    }
  }

  @Test
  void aSleepThatNothingCanEndFails() {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll()) {
      poll.add(ScriptedSource.named("quiet"), Events.IN);
      assertThatThrownBy(() -> poll.await(batch))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("would sleep for ever on " + poll)
          .hasMessageContaining("quiet");
      assertThat(poll.awaitNow(batch)).as("the poll can be used further").isZero();
    }
  }

  @Test
  void aLostWakeUpOfTheTestFails() {
    VirtualTime time = VirtualTime.singleThreaded();
    ScriptedSource source = ScriptedSource.create();
    try (EventPoll poll = time.poll()) {
      poll.add(source, Events.IN);
      time.at(MS, () -> source.set(Events.IN));
      assertThatThrownBy(() -> poll.await(batch)).isInstanceOf(AssertionError.class);
      assertThat(time.elapsed()).isEqualTo(MS);
    }
  }

  @Test
  void anInterruptEndsTheSleepAndTimeStands() {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll()) {
      time.at(MS, Thread.currentThread()::interrupt);
      assertThatThrownBy(() -> poll.await(batch)).isInstanceOf(InterruptedException.class);
      assertThat(time.elapsed()).isEqualTo(MS);
    }
  }

  @Test
  void oneTimerAloneIsWaitedForWithoutAPoll() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    try (Timer timer = time.timer()) {
      timer.set(MS.multipliedBy(4));
      assertThat(timer.read()).isOne();
      assertThat(time.elapsed()).isEqualTo(MS.multipliedBy(4));
      assertThatThrownBy(timer::read)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("would sleep for ever on Timer");
    }
  }

  @Test
  void aWakeupAndAnEventCanBeAgreed() throws Exception {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll()) {
      EventFd counter = EventFd.create();
      poll.add(counter, Events.IN);
      time.at(MS, poll::wakeup);
      assertThat(poll.await(batch)).as("ended by wakeup()").isZero();
      time.at(MS, () -> counter.tryWrite(2));
      assertThat(poll.await(batch)).isOne();
      assertThat(time.elapsed()).isEqualTo(MS.multipliedBy(2));
    }
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "the waiter");
    thread.setDaemon(true);
    thread.start();
  }

  private static void asleep(WakeLog log) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!log.steps().contains("sleeps")) {
      if (System.nanoTime() > limit) {
        throw new AssertionError("nobody sleeps: " + log);
      }
      Thread.yield();
    }
  }
}
