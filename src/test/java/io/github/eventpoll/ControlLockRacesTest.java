package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of scans, the control lock and user code, each forced step by step: KR-21 to KR-24. */
@EveryPath
class ControlLockRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = steps.poll(time);
  private final ReadyEvents ready = new ReadyEvents(8);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  // ------------------------------------------------------------------------------------ KR-21

  /** What a source may not call on the poll that asks it. */
  private enum Call {
    ADD("add"),
    MODIFY("modify"),
    REMOVE("remove"),
    AWAIT("await"),
    AWAIT_NOW("await"),
    READINESS("readiness"),
    AWAIT_ONE("readiness"),
    CLOSE("close");

    final String named;

    Call(String named) {
      this.named = named;
    }

    Object on(EventPoll poll, EpItem self) throws InterruptedException {
      switch (this) {
        case ADD -> poll.add(EventFd.create(), Events.IN);
        case MODIFY -> self.modify(Events.IN);
        case REMOVE -> self.remove();
        case AWAIT -> poll.await(new ReadyEvents(1));
        case AWAIT_NOW -> poll.awaitNow(new ReadyEvents(1));
        case READINESS -> poll.readiness();
        case AWAIT_ONE -> EventPoll.awaitOne(poll, Events.IN, null);
        case CLOSE -> poll.close();
      }
      return this;
    }
  }

  @ParameterizedTest
  @EnumSource
  void kr21_sourceThatCallsBackIsRefused(Call call) {
    Scripted meddler = new Scripted();
    EpItem item = poll.add(meddler, Events.IN);
    EventFd innocent = EventFd.create();
    poll.add(innocent, Events.IN);
    List<Throwable> refused = new ArrayList<>();
    meddler.onceWhenAsked(() -> refused.add(thrownBy(() -> call.on(poll, item))));
    meddler.ready(Events.IN);
    innocent.tryWrite(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(2); // the scan goes on as if nothing had been
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(meddler.toString())
        .hasMessageContaining(call.named);
    assertThat(poll.size()).isEqualTo(2);
    assertThat(item.isValid() && !poll.isClosed()).isTrue();
    EngineInvariants.check(poll);
  }

  @Test
  void kr21_sourceThatCallsBackThroughAnOuterPollDoesNotEnterTheScan() {
    EventPoll outer = steps.poll(time);
    EpItem watched = outer.add(poll, Events.IN);
    Scripted meddler = new Scripted();
    poll.add(meddler, Events.IN);
    ReadyEvents fromOutside = new ReadyEvents(1);
    meddler.onceWhenAsked(() -> outer.awaitNow(fromOutside));
    meddler.ready(Events.IN);
    assertThat(poll.awaitNow(ready)).isEqualTo(1); // the scan goes on as if nothing had been
    EngineInvariants.check(poll, outer);
    assertThat(fromOutside.events(0)).isEqualTo(Events.ERR); // for the outer poll a failed source
    assertThat(watched.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(meddler.toString());
    watched.modify(Events.IN);
    assertThat(outer.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
  }

  private static Throwable thrownBy(Callable<?> call) {
    try {
      return new AssertionError("not refused: " + call.call());
    } catch (Exception e) {
      return e;
    }
  }

  @Test
  void kr21_sourceMayRingWhileItIsAsked() {
    Scripted ringing = new Scripted();
    EpItem item = poll.add(ringing, IN_ET);
    ringing.onceWhenAsked(() -> ringing.ring(Events.IN));
    ringing.ready(Events.IN);
    Hold taken = steps.hold(Step.SCAN_ENDED);
    Wait scanner = waiters.await(poll, 8);
    taken.reached(); // its scan has visited the batch once and ended
    assertThat(item.isQueued()).isTrue();
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isZero();
    taken.release();
    assertThat(scanner.result()).isEqualTo(1);
  }

  @Test
  void kr21_ringFromInsideAScanWakesASleeperAtItsEnd() {
    Scripted ringing = new Scripted();
    poll.add(ringing, IN_ET);
    List<Wait> asleep = waiters.awaiting(poll, 2);
    ringing.onceWhenAsked(() -> ringing.ring(Events.IN));
    ringing.ready(Events.IN);
    assertThat(asleep.get(0).result() + asleep.get(1).result()).isEqualTo(2);
    EngineInvariants.check(poll);
  }

  // ------------------------------------------------------------------------------------ KR-22

  @Test
  void kr22_counterAnswersWhileItsWriterIsStuck() {
    EventFd counter = EventFd.create();
    EpItem item = poll.add(counter, Events.IN);
    answersWhileStuck(item, () -> counter.tryWrite(1) ? 1 : 0);
  }

  @Test
  void kr22_queueAnswersWhileItsProducerIsStuck() {
    QueueSource<String> queue = QueueSource.unbounded();
    EpItem item = poll.add(queue, Events.IN);
    answersWhileStuck(item, () -> queue.offer("element") ? 1 : 0);
  }

  @Test
  void kr22_timerAnswersWhileWhoExpiresItIsStuck() {
    Timer timer = time.timer();
    EpItem item = poll.add(timer, Events.IN);
    timer.set(Duration.ofNanos(10));
    time.advanceNanos(10);
    answersWhileStuck(item, () -> poll.awaitNow(new ReadyEvents(1)));
  }

  /** Our own sources take no lock in readiness: whoever is stuck in one cannot stop a scan. */
  private void answersWhileStuck(EpItem item, Callable<Integer> signal) {
    ReentrantLock users = new ReentrantLock();
    Hold stuck = steps.hold(Step.CALLBACK_LISTED, item);
    Wait signaller =
        waiters.start(
            "T1",
            () -> {
              users.lock();
              try {
                return signal.call();
              } finally {
                users.unlock();
              }
            });
    stuck.reached();
    Wait scan = waiters.start("T2", () -> poll.awaitNow(ready));
    assertThat(scan.result()).isEqualTo(1);
    item.modify(Events.IN | Events.ONESHOT);
    item.remove();
    stuck.release();
    signaller.result();
  }

  // ------------------------------------------------------------------------------------ KR-23

  @Test
  void kr23_sourceClosesUnderALockThatAScanWaitsFor() {
    ReentrantLock users = new ReentrantLock();
    EventFd closing = EventFd.create(1);
    EpItem item = poll.add(closing, Events.IN);
    Scripted wantsLock = new Scripted();
    poll.add(wantsLock, Events.IN);
    wantsLock.ready(Events.IN);
    wantsLock.onceWhenAsked(
        () -> {
          users.lock();
          users.unlock();
        });
    Hold begins = steps.hold(Step.SCAN_BEFORE);
    Wait t2 = waiters.start("T2", () -> poll.awaitNow(ready));
    begins.reached();
    Wait t1 =
        waiters.start(
            "T1",
            () -> {
              users.lock();
              try {
                begins.release();
                Waiters.until(users::hasQueuedThreads, () -> "T2 waits for the user's lock");
                closing.close();
                return poll.size();
              } finally {
                users.unlock();
              }
            });
    assertThat(t1.result()).isEqualTo(1); // gone on return, while the scan still had the batch
    assertThat(item.isValid()).isFalse();
    t2.result();
    for (int i = 0; i < t2.result(); i++) {
      assertThat(ready.source(i) == wantsLock || !ready.item(i).isValid()).isTrue();
    }
    EngineInvariants.check(poll);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void kr23_nothingStaysBehindOnAnIdlePoll(boolean duringAScan) {
    EventFd closing = EventFd.create(1);
    WeakReference<EventFd> gone = new WeakReference<>(closing);
    poll.add(closing, Events.IN);
    if (duringAScan) {
      Hold asked = steps.hold(Step.SCAN_ASKED);
      Wait scan = waiters.start("S", () -> poll.awaitNow(new ReadyEvents(1)));
      asked.reached();
      closing.close();
      asked.release();
      assertThat(scan.result()).isZero();
      steps.forget();
    } else {
      closing.close();
    }
    assertThat(poll.path.available()).isFalse();
    closing = null;
    Waiters.until(
        () -> {
          System.gc();
          return gone.get() == null;
        },
        () -> "the closed source is kept: " + poll.dump());
    assertThat(poll.size()).isZero();
  }

  // ------------------------------------------------------------------------------------ KR-24

  @ParameterizedTest
  @EnumSource(names = {"SCAN_STARTED", "SCAN_ASK", "SCAN_ASKED"})
  void kr24_sourceClosesWhileAScanHasItsItem(Step at) {
    Scripted closing = new Scripted();
    poll.add(closing, Events.IN);
    closing.ready(Events.IN);
    Hold inHand = steps.hold(at);
    Wait scan = waiters.start("S", () -> poll.awaitNow(ready));
    inHand.reached();
    closing.waitQueue().close();
    List<String> asked = new ArrayList<>();
    closing.onceWhenAsked(() -> asked.add("after its close"));
    inHand.release();
    assertThat(scan.result()).isZero();
    assertThat(asked).isEmpty();
    EngineInvariants.check(poll);
  }

  @Test
  void kr24_sourceClosesWhileItIsAsked() {
    Scripted closing = new Scripted();
    poll.add(closing, Events.IN);
    closing.ready(Events.IN);
    closing.onceWhenAsked(() -> closing.waitQueue().close());
    assertThat(poll.awaitNow(ready)).isZero();
    assertThat(poll.size()).isZero();
    EngineInvariants.check(poll);
  }

  @Test
  void kr24_sourceClosesAfterDeliveryAndTheEntryTells() {
    EventFd closing = EventFd.create(1);
    poll.add(closing, Events.IN);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    closing.close();
    assertThat(ready.item(0).isValid()).isFalse();
    assertThat(poll.awaitNow(ready)).isZero();
  }
}
