package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The log shows what happened in order, and each of its assertions fails when it should. */
@EveryPath
class WakeLogTest {
  private static final Duration AT_ONCE = Duration.ZERO;

  private final WakeLog log = WakeLog.create();
  private final ScriptedSource source = ScriptedSource.named("jobs");

  private EventPoll poll() {
    return log.watch(Polls.builder()).build();
  }

  @Test
  void aRingOfOneThreadIsToldFromAddToReturn() {
    try (EventPoll poll = poll()) {
      EpItem item = poll.add(source, Events.IN | Events.ET);
      source.ready(Events.IN);
      assertThat(poll.awaitNow(new ReadyEvents(1))).isOne();
      assertThat(log.steps())
          .containsExactly(
              "jobs is added for IN|ERR|HUP|ET",
              "jobs rings with IN",
              "jobs is put on the ready list",
              "the ring ends: no waiter to wake",
              "a scan begins",
              "asks jobs: IN",
              "takes IN of jobs",
              "jobs leaves the ready list",
              "the scan ends",
              "await returns 1");
      log.assertDeliveredOnce(item);
      assertThat(log.callbacks(item)).isOne();
      String thread = Thread.currentThread().getName();
      assertThat(log.lines().get(1)).isEqualTo("2 " + thread + ": jobs rings with IN");
      assertThat(log.toString()).startsWith("1 " + thread + ": jobs is added");
    }
  }

  @Test
  void aSleepAndItsEndAreTold() throws InterruptedException {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll(log.watch(Polls.builder()))) {
      EpItem item = poll.add(source, Events.IN);
      log.name(item, "work");
      time.at(Duration.ofMillis(3), () -> source.ready(Events.IN));
      assertThat(poll.await(new ReadyEvents(1), Duration.ofMillis(5))).isOne();
      assertThat(log.steps())
          .containsSubsequence(
              "begins to wait",
              "sleeps",
              "work rings with IN",
              "work is put on the ready list",
              "wakes " + Thread.currentThread().getName(),
              "the ring ends",
              "sleeps no more",
              "takes IN of work",
              "work stays on the ready list",
              "await returns 1");
      log.assertNobodyWokenInVain();
      log.assertNobodyWokenTwice();
    }
  }

  @Test
  void whatAPollTurnsAwayIsTold() {
    try (EventPoll poll = poll()) {
      poll.add(source, Events.IN | Events.ONESHOT);
      source.ready(Events.OUT);
      source.ready(Events.IN);
      poll.awaitNow(new ReadyEvents(1));
      source.ready(Events.IN);
      assertThat(log.steps())
          .filteredOn(step -> step.startsWith("refused") || step.startsWith("dropped"))
          .hasSize(2);
    }
  }

  @Test
  void aWakeDuringAScanIsTold() {
    ScriptedSource second = ScriptedSource.named("second");
    try (EventPoll poll = poll()) {
      poll.add(second, Events.IN | Events.ET);
      poll.add(source, Events.IN | Events.ET);
      source.ready(Events.IN);
      source.whenAsked(() -> second.ready(Events.IN));
      poll.awaitNow(new ReadyEvents(1));
      assertThat(log.steps())
          .containsSubsequence("a scan begins", "second rings with IN", "the scan ends");
      assertThat(log.steps())
          .containsAnyOf(
              "second is put on the overflow list, as a scan runs",
              "second is put on the ready list");
    }
  }

  @Test
  void changesAndEndsAreTold() {
    try (EventPoll poll = poll()) {
      EpItem item = poll.add(source, Events.IN);
      item.modify(Events.OUT);
      item.remove();
      poll.wakeup();
      assertThat(poll.awaitUninterruptibly(new ReadyEvents(1))).isZero();
    }
    assertThat(log.steps())
        .containsSubsequence(
            "jobs is modified to OUT|ERR|HUP",
            "jobs is removed",
            "a wakeup() is kept for the next who would sleep",
            "a wakeup() was kept for it",
            "await returns 0");
    assertThat(log.steps().get(log.steps().size() - 1)).endsWith(" closes");
  }

  @Test
  void severalPollsAreToldApart() {
    try (EventPoll inner = poll();
        EventPoll outer = poll()) {
      outer.add(inner, Events.IN);
      inner.add(source, Events.IN);
      source.ready(Events.IN);
      assertThat(log.steps())
          .containsSubsequence(
              inner + ": jobs rings with IN", outer + ": " + inner + " rings with IN");
      assertThat(outer.awaitNow(new ReadyEvents(1))).isOne();
      log.assertNoLostWakeUp(AT_ONCE);
    }
  }

  @Test
  void theTestSaysSomethingToo() {
    WakeLog short3 = WakeLog.keeping(3);
    for (String text : List.of("a", "b", "c", "d")) {
      short3.note(text);
    }
    assertThat(short3.steps()).containsExactly("b", "c", "d");
    assertThat(short3.toString()).startsWith("(1 line before)\n2 ");
    assertThatIllegalArgumentException().isThrownBy(() -> WakeLog.keeping(0));
  }

  @Test
  void countsOutliveTheLines() {
    WakeLog short1 = WakeLog.keeping(1);
    try (EventPoll poll = short1.watch(Polls.builder()).build()) {
      EpItem item = poll.add(source, Events.IN);
      source.ready(Events.IN);
      poll.awaitNow(new ReadyEvents(1));
      poll.awaitNow(new ReadyEvents(1));
      assertThat(short1.deliveries(item)).isEqualTo(2);
      assertThatThrownBy(() -> short1.assertDeliveredOnce(item))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("jobs was delivered 2 times and not 1")
          .hasMessageContaining("await returns 1");
      short1.assertDelivered(item, 2);
    }
  }

  // ------------------------------------------------------------------------- lost wake-ups

  @Test
  void aSourceThatDoesNotRingLosesAWakeUp() throws Exception {
    try (EventPoll poll = poll()) {
      poll.add(source, Events.IN);
      Thread waiter = sleeping(poll);
      log.assertNoLostWakeUp();
      source.set(Events.IN);
      assertThatThrownBy(() -> log.assertNoLostWakeUp(AT_ONCE))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("lost wake-up: jobs is ready, and all who wait sleep: the waiter")
          .hasMessageContaining("jobs is added");
      source.ring(Events.IN);
      join(waiter);
      log.assertNoLostWakeUp(AT_ONCE);
    }
  }

  @Test
  void aRingBeforeTheChangeLosesAWakeUp() throws Exception {
    try (EventPoll poll = poll()) {
      poll.add(source, Events.IN | Events.ET);
      Thread waiter = sleeping(poll);
      source.ring(Events.IN);
      asleep(2);
      source.set(Events.IN);
      assertThatThrownBy(() -> log.assertNoLostWakeUp(AT_ONCE))
          .hasMessageContaining("lost wake-up");
      assertThatThrownBy(log::assertNobodyWokenInVain)
          .hasMessageContaining("the waiter was woken for an event")
          .hasMessageContaining("found nothing and waits again");
      source.ring(Events.IN);
      join(waiter);
    }
  }

  @Test
  void anEdgeThatWasDeliveredIsNobodysAnyMore() throws Exception {
    try (EventPoll poll = poll()) {
      poll.add(source, Events.IN | Events.ET);
      source.ready(Events.IN);
      poll.awaitNow(new ReadyEvents(1));
      Thread waiter = sleeping(poll);
      log.assertNoLostWakeUp(AT_ONCE);
      poll.wakeup();
      join(waiter);
      log.assertNobodyWokenInVain();
    }
  }

  @Test
  void whereNobodyWaitsNothingIsLost() {
    try (EventPoll poll = poll()) {
      poll.add(source, Events.IN);
      source.set(Events.IN);
      assertThatCode(() -> log.assertNoLostWakeUp(AT_ONCE)).doesNotThrowAnyException();
    }
  }

  @Test
  void aSecondWaiterForOneEventIsNoticed() throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    EventPollBuilder settings = Polls.builder();
    Bridge.get()
        .seams(
            settings,
            Clock.system(),
            (step, who) -> {
              if (step == Probe.Step.AWAKE) {
                awaitUninterruptibly(opened);
              }
            });
    try (EventPoll poll = log.watch(settings).build()) {
      poll.add(source, Events.IN | Events.ET);
      Thread first = sleeping(poll);
      Thread second = sleeping(poll);
      source.ready(Events.IN);
      log.assertNobodyWokenTwice();
      source.ready(Events.IN);
      assertThatThrownBy(log::assertNobodyWokenTwice)
          .hasMessageContaining("two waiters were woken for one event of jobs, in line ");
      log.assertNobodyWokenInVain();
      opened.countDown();
      asleep(3);
      assertThatThrownBy(log::assertNobodyWokenInVain).hasMessageContaining("found nothing");
      poll.wakeupAll();
      join(first);
      join(second);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a thread that awaits one event, and returns when it sleeps. */
  private Thread sleeping(EventPoll poll) throws InterruptedException {
    long before = sleeps();
    Thread thread = new Thread(() -> poll.awaitUninterruptibly(new ReadyEvents(1)), "the waiter");
    thread.setDaemon(true);
    thread.start();
    asleep(before + 1);
    return thread;
  }

  private long sleeps() {
    return new ArrayList<>(log.steps()).stream().filter("sleeps"::equals).count();
  }

  private void asleep(long times) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (sleeps() < times) {
      if (System.nanoTime() > limit) {
        throw new AssertionError("nobody sleeps: " + log);
      }
      Thread.yield();
    }
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.join(60_000);
    assertThat(thread.isAlive()).as("%s is still there", thread.getName()).isFalse();
  }
}
