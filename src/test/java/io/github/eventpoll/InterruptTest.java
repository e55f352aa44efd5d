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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Interrupts: events go first, nothing is lost, and the thread's status says what is still owed.
 */
@EveryPath
class InterruptTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final EventFd source = EventFd.create();
  private final ReadyEvents batch = new ReadyEvents(1);

  @AfterEach
  void clearTheStatus() {
    Thread.interrupted();
  }

  @Test
  void s127_whileBlocked() {
    EpItem item = poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      wait.thread.interrupt();
      assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
      assertThat(wait.interruptedAtEnd()).as("cleared").isFalse();
      assertThat(poll.sleepers.snapshot()).isEmpty();
      assertThat(item.isArmed() && item.isValid() && !item.isQueued()).isTrue();
      source.tryWrite(1);
      assertThat(waiters.await(poll).result()).as("the next wait works").isEqualTo(1);
    }
  }

  @Test
  void s128_beforeTheWait() throws Exception {
    poll.add(source, Events.IN);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> poll.await(batch)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).as("cleared").isFalse();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> poll.await(batch, Duration.ofDays(1)))
        .isInstanceOf(InterruptedException.class);
    source.tryWrite(1);
    assertThat(poll.await(batch)).as("handled: the next wait is an ordinary one").isEqualTo(1);
  }

  @Test
  void eventsAreReturned_andTheStatusIsKept() throws Exception {
    poll.add(source, Events.IN);
    source.tryWrite(1);
    Thread.currentThread().interrupt();
    assertThat(poll.await(batch)).isEqualTo(1);
    assertThat(poll.await(batch, Duration.ofDays(1))).isEqualTo(1);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void zeroTimeoutNeverThrows_andTheStatusIsKept() throws Exception {
    poll.add(source, Events.IN);
    Thread.currentThread().interrupt();
    assertThat(poll.await(batch, Duration.ZERO)).isZero();
    assertThat(poll.awaitNanos(batch, 0)).isZero();
    assertThat(poll.awaitNanos(batch, -1)).isZero();
    assertThat(poll.awaitUntil(batch, time.nanoTime())).isZero();
    assertThat(poll.awaitNow(batch)).isZero();
    assertThat(poll.awaitUninterruptibly(batch, Duration.ZERO)).isZero();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  @DisplayName(
      "KR-43: awaitUninterruptibly sleeps through interrupts and sets the status at the end")
  void uninterruptible_sleepsOn() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitUninterruptibly(poll);
      Waiters.awaitAsleep(poll, 1);
      for (int i = 0; i < 3; i++) {
        wait.thread.interrupt();
        Waiters.until(() -> !wait.thread.isInterrupted(), poll::dump);
        Waiters.awaitAsleep(poll, 1); // and not in a loop: the status is clear while it sleeps
      }
      source.tryWrite(1);
      assertThat(wait.result()).isEqualTo(1);
      assertThat(wait.interruptedAtEnd()).isTrue();
    }
  }

  @Test
  void uninterruptible_keepsItsDeadline() {
    try (Waiters waiters = new Waiters()) {
      Wait wait =
          waiters.start(
              "uninterruptible",
              () -> poll.awaitUninterruptibly(new ReadyEvents(1), Duration.ofMillis(100)));
      Waiters.awaitAsleep(poll, 1);
      time.advance(Duration.ofMillis(99));
      wait.thread.interrupt();
      Waiters.until(() -> !wait.thread.isInterrupted(), poll::dump);
      Waiters.awaitAsleep(poll, 1);
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofMillis(1)); // not 100 more
      assertThat(wait.result()).isZero();
      assertThat(wait.interruptedAtEnd()).isTrue();
    }
  }

  @Test
  void uninterruptible_withoutInterruptLeavesTheStatusClear() {
    poll.add(source, Events.IN);
    source.tryWrite(1);
    assertThat(poll.awaitUninterruptibly(batch)).isEqualTo(1);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  @DisplayName("KR-3, KERNEL 4.3: interrupted, then chosen before it left: returns the event")
  void interruptedButChosen() {
    Gate gate = Gate.at(Probe.Step.STOPPED, 1);
    EventPoll gated = gate.poll(time);
    gated.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait below = waiters.awaiting(gated, 1).get(0);
      Wait interrupted = waiters.awaiting(gated, 1).get(0);
      interrupted.thread.interrupt();
      gate.awaitArrivals(1);
      source.tryWrite(1);
      gate.open();
      assertThat(interrupted.result()).isEqualTo(1);
      assertThat(interrupted.interruptedAtEnd()).isTrue();
      waiters.settle();
      assertThat(below.isDone()).isFalse();
    }
  }

  @Test
  @DisplayName(
      "S115, I-38, I-104: an interrupt at the moment of the event: somebody gets it, always")
  void s115_interruptAgainstWrite() {
    poll.add(source, IN_ET);
    CyclicBarrier start = new CyclicBarrier(2);
    for (int i = 0; i < Polls.rounds(500); i++) {
      try (Waiters waiters = new Waiters()) {
        Wait other = waiters.awaiting(poll, 1).get(0);
        Wait interrupted = waiters.start("interrupted", this::oneIfServed);
        Waiters.awaitAsleep(poll, 2);
        waiters.start("writer", () -> start.await() >= 0 && source.tryWrite(1) ? 1 : 0);
        waiters.start("interrupter", () -> start.await() + interrupt(interrupted));
        int first = interrupted.result();
        if (first == 1) {
          source.tryWrite(1);
        }
        assertThat(other.result()).isEqualTo(1);
        waiters.join();
      }
    }
  }

  private int oneIfServed() {
    try {
      return poll.await(new ReadyEvents(1));
    } catch (InterruptedException e) {
      return 0;
    }
  }

  private static int interrupt(Wait wait) {
    wait.thread.interrupt();
    return 0;
  }

  @Test
  @DisplayName("KERNEL 10, a16ceb139610: many interrupted at once while events come: none is lost")
  void manyInterruptedAtOnce() {
    int threads = 40;
    List<EventFd> sources = Stream.generate(EventFd::create).limit(threads / 2).toList();
    sources.forEach(each -> poll.add(each, IN_ET));
    for (int i = 0; i < 10; i++) {
      try (Waiters waiters = new Waiters()) {
        List<Wait> waits =
            Stream.generate(() -> waiters.start("waiter", this::oneIfServed))
                .limit(threads)
                .toList();
        Waiters.awaitAsleep(poll, threads);
        Wait writer =
            waiters.start(
                "writer", () -> (int) sources.stream().filter(each -> each.tryWrite(1)).count());
        waits.forEach(InterruptTest::interrupt);
        writer.result();
        int served = waits.stream().mapToInt(Wait::result).sum();
        int left = poll.awaitNow(new ReadyEvents(threads));
        assertThat(served + left).isEqualTo(sources.size());
      }
    }
  }

  @Test
  @DisplayName("an interrupt ends a wait that cannot sleep because a source keeps ringing")
  void interruptEndsAWaitThatNeverSleeps() {
    WaitQueue queue = new WaitQueue();
    poll.add(new Restless(queue), Events.IN);
    queue.wake(Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(poll);
      wait.thread.interrupt();
      assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
    }
  }

  /** Rings whenever it is asked and is never ready: its item never leaves the list. */
  private record Restless(WaitQueue waitQueue) implements Pollable {
    @Override
    public int readiness() {
      waitQueue.wake(Events.IN);
      return 0;
    }
  }
}
