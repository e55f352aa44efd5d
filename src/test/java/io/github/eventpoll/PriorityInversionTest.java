package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.internal.SharedLock;
import io.github.eventpoll.internal.SpinLock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * KR-49, KR-53: a producer loses its processor inside the callback path, at {@link Step#LISTING}:
 * who has to wait for it, in each variant. That a thread waits is read from what it is parked on.
 */
class PriorityInversionTest {
  private final Scripted stalled = new Scripted(Pollable.ORDERED_STATE);
  private final Scripted other = new Scripted(Pollable.ORDERED_STATE);
  private final Scripted third = new Scripted(Pollable.ORDERED_STATE);
  private final ReadyEvents ready = new ReadyEvents(8);

  private static EventPoll poll(Steps steps, LockKind kind, boolean notified) {
    EventPollBuilder settings = EventPoll.builder().lock(kind).notifiedFastPath(notified);
    settings.seams(Clock.system(), steps);
    return settings.build();
  }

  /** Starts a producer of the first source and holds it inside the path. */
  private Steps.Hold stall(Waiters threads, Steps steps, EpItem item) {
    Steps.Hold hold = steps.hold(Step.LISTING, item);
    ring(threads, stalled);
    return hold.reached();
  }

  private static Waiters.Wait ring(Waiters threads, Scripted source) {
    return threads.start(
        "producer",
        () -> {
          source.ready(Events.IN);
          return 0;
        });
  }

  private Waiters.Wait scan(Waiters threads, EventPoll poll) {
    return threads.start("scanner", () -> poll.awaitNow(ready));
  }

  private static void awaitWaitsFor(Waiters.Wait wait, Class<?> lock) {
    Waiters.until(
        () -> isParkedOn(wait, lock) || wait.isDone(),
        () -> wait + " should wait for a " + lock.getSimpleName());
    assertThat(isParkedOn(wait, lock)).as("parked, not done: %s", wait).isTrue();
    assertThat(wait.thread.getState()).isEqualTo(Thread.State.WAITING);
  }

  private static boolean isParkedOn(Waiters.Wait wait, Class<?> lock) {
    Object blocker = LockSupport.getBlocker(wait.thread);
    return blocker != null
        && (blocker.getClass() == lock || blocker.getClass().getEnclosingClass() == lock);
  }

  @Test
  @DisplayName("KR-53: rwlock: the scanner waits for the producer, and later producers behind it")
  void rwlock_scannerWaitsAndHoldsUpLaterProducers() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, LockKind.RWLOCK, false)) {
      final EpItem item = poll.add(stalled, Events.IN);
      poll.add(other, Events.IN);
      poll.add(third, Events.IN);
      Steps.Hold hold = stall(threads, steps, item);
      ring(threads, other).result(); // without a scanner they share: nobody waits

      Waiters.Wait scanner = scan(threads, poll);
      awaitWaitsFor(scanner, SharedLock.class);
      Waiters.Wait later = ring(threads, third);
      awaitWaitsFor(later, SpinLock.class); // in the lock that excludes, behind the scanner

      hold.release();
      assertThat(scanner.result()).isEqualTo(2);
      assertThat(sources(2)).containsExactly(other, stalled);
      later.result();
      assertThat(sources(poll.awaitNow(ready))).contains(other, stalled, third);
    }
  }

  @Test
  @DisplayName("spin: in the same place the scanner and every other producer wait")
  void spin_everybodyWaits() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, LockKind.SPIN, false)) {
      final EpItem item = poll.add(stalled, Events.IN);
      poll.add(other, Events.IN);
      poll.add(third, Events.IN);
      other.ready(Events.IN); // so that there is something to scan for
      Steps.Hold hold = stall(threads, steps, item);

      Waiters.Wait later = ring(threads, third); // unlike the rwlock's, without any scanner
      awaitWaitsFor(later, SpinLock.class);
      Waiters.Wait scanner = scan(threads, poll);
      awaitWaitsFor(scanner, SpinLock.class);

      hold.release();
      assertThat(scanner.result()).isGreaterThanOrEqualTo(2);
      assertThat(sources(scanner.result())).startsWith(other, stalled);
      later.result();
      assertThat(sources(poll.awaitNow(ready))).contains(other, stalled, third);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("KR-49: lock-free: nobody waits, and nothing but the stalled event is late")
  void lockFree_nobodyWaits(boolean notified) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, LockKind.LOCK_FREE, notified)) {
      final EpItem item = poll.add(stalled, Events.IN | Events.ET);
      poll.add(other, Events.IN | Events.ET);
      poll.add(third, Events.IN | Events.ET);
      other.ready(Events.IN);
      Steps.Hold hold = stall(threads, steps, item);

      Waiters.Wait scanner = scan(threads, poll);
      assertThat(scanner.result()).isEqualTo(1); // it has returned though the producer is held
      assertThat(sources(1)).containsExactly(other);
      ring(threads, third).result();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(sources(1)).containsExactly(third);

      stalled.ready(Events.IN); // another producer of the source that the held one rings
      assertThat(poll.path.available()).isTrue();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(sources(1)).containsExactly(stalled);
      assertThat(poll.awaitNow(ready)).isZero();

      hold.release();
      threads.join();
      assertThat(poll.awaitNow(ready)).as("its own event, late").isEqualTo(1);
      assertThat(sources(1)).containsExactly(stalled);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "lock-free: a waiter is woken past the stalled producer, by the same source's next event")
  void lockFree_aSleeperIsWokenPastTheStalledProducer(boolean notified) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, LockKind.LOCK_FREE, notified)) {
      final EpItem item = poll.add(stalled, Events.IN);
      Waiters.Wait waiter = threads.awaiting(poll, 1).get(0);
      Steps.Hold hold = stall(threads, steps, item);

      stalled.ready(Events.IN);
      assertThat(waiter.source()).isSameAs(stalled); // while the first producer is still held
      assertThat(hold.isHolding()).isTrue();
      hold.release();
      threads.join();
      stalled.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  private Pollable[] sources(int count) {
    Pollable[] found = new Pollable[count];
    for (int i = 0; i < count; i++) {
      found[i] = ready.source(i);
    }
    return found;
  }
}
