package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Events, changes and removals that meet a scan. */
@EveryPath
class ScanRacesTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final EventFd source = EventFd.create();

  @Test
  @DisplayName("S184: ready after it was asked, before the scan ends: found by the same wait")
  void s184_readyDuringTheScan() {
    Gate gate = Gate.at(Step.SCAN_ASKED, 1);
    EventPoll gated = gate.poll();
    gated.add(source, IN_ET);
    source.waitQueue().wake(Events.IN); // listed, and not ready
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(gated);
      gate.awaitArrivals(1); // the answer "not ready" is in hand
      source.tryWrite(1);
      gate.open();
      assertThat(wait.source()).isSameAs(source);
    }
  }

  @Test
  @DisplayName("S184, KERNEL 10, 0c54a6a44bf3: ... and another sleeper is woken for it at once")
  void s184_anotherSleeperIsWoken() {
    Gate gate = Gate.at(Step.SCAN_ASKED, 1);
    EventPoll gated = gate.poll();
    gated.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(gated, 2);
      source.waitQueue().wake(Events.IN);
      gate.awaitArrivals(1);
      assertThat(Waiters.asleep(gated)).isEqualTo(1);
      source.tryWrite(1);
      assertThat(gated.sleepers.snapshot()).as("chosen while the scan stands still").isEmpty();
      gate.open();
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
      assertThat(Waiters.asleep(gated)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KERNEL 4.6, 65759097d804: who comes while a scan holds the items waits for its end")
  void comingDuringTheScan() {
    Gate gate = Gate.at(Step.SCAN_STARTED, 1);
    EventPoll gated = gate.poll();
    EventFd other = EventFd.create(1);
    gated.add(source, IN_ET);
    gated.add(other, IN_ET);
    source.tryWrite(1);
    try (Waiters waiters = new Waiters()) {
      Wait first = waiters.await(gated);
      gate.awaitArrivals(1);
      Wait second = waiters.await(gated);
      Waiters.until(gated.control::hasQueuedThreads, gated::dump);
      gate.open();
      assertThat(List.of(first.source(), second.source())).containsExactlyInAnyOrder(source, other);
    }
  }

  @Test
  @DisplayName("KERNEL 5.1, KR-7: an outer poll's look at this one wakes one more of its sleepers")
  void lookFromOutsideWakesOneMore() {
    Gate gate = Gate.at(Step.LEFT, 1);
    EventPoll gated = gate.poll();
    EventPoll outer = Polls.create();
    gated.add(source, IN_ET);
    outer.add(gated, Events.IN);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(gated, 2);
      source.tryWrite(1);
      gate.awaitArrivals(1); // one is chosen and comes to nothing yet
      assertThat(Waiters.asleep(gated)).isEqualTo(1);
      assertThat(outer.awaitNow(new ReadyEvents(1))).isEqualTo(1);
      Waiters.until(() -> waiters.returned() == 1, gated::dump);
      gate.open();
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("S185, I-8, I-25: the next chunk is written while the reader goes back to wait")
  void s185_edgeBetweenDeliveryAndTheNextWait() throws Exception {
    int rounds = 3000;
    poll.add(source, IN_ET);
    Semaphore drained = new Semaphore(0);
    try (Waiters waiters = new Waiters()) {
      Wait reader =
          waiters.start(
              "reader",
              () -> {
                ReadyEvents batch = new ReadyEvents(1);
                for (int i = 0; i < rounds; i++) {
                  assertThat(poll.await(batch, Waiters.FAIL_SAFE)).isEqualTo(1);
                  assertThat(source.tryRead()).isEqualTo(1);
                  drained.release(); // from here on the next edge may come at any moment
                }
                return rounds;
              });
      for (int i = 0; i < rounds; i++) {
        source.tryWrite(1);
        drained.acquire();
      }
      assertThat(reader.result()).isEqualTo(rounds);
    }
  }

  @Test
  @DisplayName("S187, I-26: a source that rings while it is asked: one call, one look, and it ends")
  void s187_ringsWhileAsked() throws Exception {
    Restless restless = new Restless();
    poll.add(restless, Events.IN);
    poll.add(source, Events.IN);
    source.tryWrite(1);
    restless.queue.wake(Events.IN);
    ReadyEvents batch = new ReadyEvents(4);
    for (int i = 0; i < 10; i++) {
      int before = restless.asked.get();
      assertThat(poll.awaitNow(batch)).isEqualTo(1);
      assertThat(batch.source(0)).isSameAs(source);
      assertThat(restless.asked.get() - before).isEqualTo(Polls.asksOfUnready(false));
    }
    assertThat(poll.await(batch)).as("nor does it keep a blocking call from events").isEqualTo(1);
  }

  @Test
  @DisplayName("I-28, KR-13: after remove returns nothing is queued or delivered, whoever rings")
  void i28_removedUnderARingingSource() {
    CountDownLatch stop = new CountDownLatch(1);
    ReadyEvents batch = new ReadyEvents(1);
    source.tryWrite(1);
    try (Waiters waiters = new Waiters()) {
      for (int i = 0; i < 2; i++) {
        waiters.start(
            "ringer",
            () -> {
              while (stop.getCount() > 0) {
                source.waitQueue().wake(Events.IN);
              }
              return 0;
            });
      }
      for (int i = 0; i < 2000; i++) {
        EpItem item = poll.add(source, i % 2 == 0 ? Events.IN : IN_ET, i);
        item.remove();
        assertThat(item.isQueued()).isFalse();
        if (Polls.lock() != LockKind.LOCK_FREE) { // there a callback may just be listing it, dead
          assertThat(poll.path.available()).isFalse();
        }
        assertThat(poll.awaitNow(batch)).isZero();
      }
      stop.countDown();
      waiters.join();
      EngineInvariants.check(poll);
    }
  }

  @Test
  @DisplayName("epoll59, KERNEL O1: re-arming by modify with the same mask loses no edge")
  void epoll59_rearmFromAnotherThread() {
    int rounds = 5000;
    EpItem item = poll.add(source, IN_ET | Events.ERR);
    source.tryWrite(1);
    Semaphore turn = new Semaphore(0);
    try (Waiters waiters = new Waiters()) {
      waiters.start(
          "rearmer",
          () -> {
            for (int i = 0; i < rounds; i++) {
              turn.acquire();
              item.modify(IN_ET | Events.ERR);
            }
            return rounds;
          });
      Wait taker =
          waiters.start(
              "taker",
              () -> {
                ReadyEvents batch = new ReadyEvents(1);
                for (int i = 0; i < rounds; i++) {
                  assertThat(poll.await(batch, Waiters.FAIL_SAFE)).isEqualTo(1);
                  turn.release(); // and at once back into await
                }
                return rounds;
              });
      assertThat(taker.result()).isEqualTo(rounds);
      waiters.join();
    }
  }

  @Test
  @DisplayName(
      "epoll65, KERNEL O5, KR-7: a level item is never missed by a wait that does not wait")
  void epoll65_manyZeroTimeouts() {
    source.tryWrite(99);
    poll.add(source, Events.IN);
    EventPoll outer = Polls.create();
    outer.add(poll, Events.IN);
    try (Waiters waiters = new Waiters()) {
      for (int t = 0; t < 8; t++) {
        EventPoll asked = t < 6 ? poll : outer; // the outer ones take the inner list as well
        waiters.start(
            "asker",
            () -> {
              ReadyEvents batch = new ReadyEvents(1);
              for (int i = 0; i < 3000; i++) {
                assertThat(asked.await(batch, Duration.ZERO)).isEqualTo(1);
              }
              return 1;
            });
      }
      waiters.join();
    }
  }

  @Test
  @DisplayName("S188, I-23: a source that holds its lock while it rings and while it is asked")
  void s188_lockOrder() {
    int rounds = 3000;
    Locked locked = new Locked();
    EpItem item = poll.add(locked, Events.IN);
    EventPoll outer = Polls.create();
    outer.add(poll, IN_ET);
    EventFd end = EventFd.create();
    poll.add(end, Events.IN);
    outer.add(end, Events.IN);
    AtomicInteger taken = new AtomicInteger();
    try (Waiters waiters = new Waiters()) {
      for (EventPoll awaited : List.of(poll, outer)) {
        waiters.start(
            "taker",
            () -> {
              ReadyEvents batch = new ReadyEvents(1);
              while (awaited.await(batch) == 1 && batch.source(0) != end) {
                if (taken.addAndGet(locked.take()) == rounds) {
                  end.tryWrite(1);
                }
              }
              return 1;
            });
      }
      waiters.start(
          "giver",
          () -> {
            for (int i = 0; i < rounds; i++) {
              locked.give();
            }
            return rounds;
          });
      waiters.start(
          "modifier",
          () -> {
            EventFd passing = EventFd.create(1);
            for (int i = 0; i < rounds; i++) {
              item.modify(Events.IN);
              poll.add(passing, Events.IN).remove();
            }
            return rounds;
          });
      waiters.join();
      assertThat(taken.get()).isEqualTo(rounds);
    }
  }

  /** Rings whenever it is asked, and is never ready. */
  private static final class Restless implements Pollable {
    final WaitQueue queue = new WaitQueue();
    final AtomicInteger asked = new AtomicInteger();

    @Override
    public int readiness() {
      asked.incrementAndGet();
      queue.wake(Events.IN);
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }

  /** A counter under a lock of its own, which it also holds while it rings: allowed. */
  private static final class Locked implements Pollable {
    private final WaitQueue queue = new WaitQueue();
    private final ReentrantLock lock = new ReentrantLock();
    private int count;

    void give() {
      lock.lock();
      try {
        count++;
        queue.wake(Events.IN);
      } finally {
        lock.unlock();
      }
    }

    int take() {
      lock.lock();
      try {
        int all = count;
        count = 0;
        return all;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int readiness() {
      lock.lock();
      try {
        return count > 0 ? Events.IN : 0;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
