package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each counter of {@link Stats} counts what it says, and shows which way a callback went. */
class StatsTest {
  private final Scripted source = new Scripted(Pollable.ORDERED_STATE);
  private final ReadyEvents ready = new ReadyEvents(8);

  private static EventPollBuilder counting(LockKind kind) {
    return EventPoll.builder()
        .lock(kind)
        .maskPreCheck(false)
        .notifiedFastPath(false)
        .countStats(true);
  }

  /** How many locks so many callbacks take that come as far as the path. */
  private static long locks(LockKind kind, int callbacks) {
    return kind == LockKind.LOCK_FREE ? 0 : callbacks;
  }

  /** In the order of the columns in the documentation: dropped, skipped, locked, queued, ... */
  private static List<Long> all(EventPoll poll) {
    Stats stats = poll.stats();
    return List.of(
        stats.droppedByMask(),
        stats.skippedAsNotified(),
        stats.locksTaken(),
        stats.queued(),
        stats.overflowed(),
        stats.waitersWoken(),
        stats.watchersWoken());
  }

  private static List<Long> counts(long... expected) {
    List<Long> list = new ArrayList<>();
    for (long each : expected) {
      list.add(each);
    }
    return list;
  }

  @ParameterizedTest
  @EnumSource
  void offNothingIsCounted(LockKind kind) {
    try (EventPoll poll =
        EventPoll.builder().lock(kind).maskPreCheck(true).notifiedFastPath(true).build()) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      source.ready(Events.IN);
      source.ring(Events.OUT);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.stats().isCounting()).isFalse();
      assertThat(all(poll)).containsOnly(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneEventIsQueuedOnceByOneLock(LockKind kind) {
    try (EventPoll poll = counting(kind).build()) {
      assertThat(poll.stats().isCounting()).isTrue();
      poll.add(source, Events.IN);
      assertThat(all(poll)).containsOnly(0L); // registration counts as nothing
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 1), 1, 0, 0, 0));
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 1), 1, 0, 0, 0)); // a scan is none
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "a second event of a queued item takes the lock and queues nothing, without the skip")
  void queuedAlready(LockKind kind) {
    try (EventPoll poll = counting(kind).build()) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 2), 1, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void droppedByTheMask_withoutALock(LockKind kind) {
    try (EventPoll poll = counting(kind).maskPreCheck(true).build()) {
      EpItem item = poll.add(source, Events.OUT);
      source.ring(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(1, 0, 0, 0, 0, 0, 0));
      source.ring(0); // of interest to everybody
      assertThat(all(poll)).isEqualTo(counts(1, 0, locks(kind, 1), 1, 0, 0, 0));
      assertThat(poll.awaitNow(ready)).isZero();
      item.modify(Events.IN);
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(1, 0, locks(kind, 2), 2, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void droppedByTheMask_ofADisarmedItem(LockKind kind) {
    try (EventPoll poll = counting(kind).maskPreCheck(true).build()) {
      poll.add(source, Events.IN | Events.ONESHOT);
      source.ready(Events.IN);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      source.ring(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(1, 0, locks(kind, 1), 1, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutThePreCheckTheMaskIsTestedInThePath(LockKind kind) {
    try (EventPoll poll = counting(kind).build()) {
      poll.add(source, Events.OUT);
      source.ring(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 1), 0, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("P3: a write to an item that is queued already: no lock, no wake")
  void skippedAsNotified_noLockNoWake(LockKind kind) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = held(steps, counting(kind).notifiedFastPath(true))) {
      poll.add(source, Events.IN);
      threads.awaiting(poll, 2);
      Steps.Hold chosen = steps.hold(Step.STOPPED); // awake, and has not harvested
      source.ready(Events.IN);
      chosen.reached();
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 1), 1, 0, 1, 0));
      for (int i = 0; i < 5; i++) {
        source.ready(Events.IN);
      }
      assertThat(all(poll)).isEqualTo(counts(0, 5, locks(kind, 1), 1, 0, 1, 0));
      assertThat(Waiters.asleep(poll)).as("the other one sleeps on").isEqualTo(1);
      chosen.release();
      threads.join(); // the end of the scan wakes the other one: the item is still ready
      assertThat(all(poll)).isEqualTo(counts(0, 5, locks(kind, 1), 1, 0, 1, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutTheSkipEachWriteWakesOneMore(LockKind kind) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = held(steps, counting(kind))) {
      poll.add(source, Events.IN);
      threads.awaiting(poll, 2);
      Steps.Hold chosen = steps.hold(Step.STOPPED);
      source.ready(Events.IN);
      chosen.reached();
      Steps.Hold second = steps.hold(Step.STOPPED);
      source.ready(Events.IN);
      second.reached();
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 2), 1, 0, 2, 0));
      source.ready(Events.IN); // nobody sleeps any more
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 3), 1, 0, 2, 0));
      chosen.release();
      second.release();
      threads.join();
    }
  }

  private static Stream<Arguments> notSkipped() {
    return Stream.of(LockKind.values())
        .flatMap(
            kind ->
                Stream.of(Events.ET, Events.ONESHOT, Events.EXCLUSIVE)
                    .map(mode -> Arguments.of(kind, mode)));
  }

  @ParameterizedTest
  @MethodSource
  void notSkipped(LockKind kind, int mode) {
    try (EventPoll poll = counting(kind).notifiedFastPath(true).build()) {
      poll.add(source, Events.IN | mode);
      source.ready(Events.IN);
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 2), 1, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void notSkipped_ofASourceWhoseStateIsNotOrdered(LockKind kind) {
    Scripted plain = new Scripted();
    try (EventPoll poll = counting(kind).notifiedFastPath(true).build()) {
      poll.add(plain, Events.IN);
      plain.ready(Events.IN);
      plain.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 0, locks(kind, 2), 1, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-10: while another poll watches, nothing is skipped and each event is passed on")
  void notSkipped_whileWatched(LockKind kind) {
    try (EventPoll outer = EventPoll.create();
        EventPoll poll = counting(kind).notifiedFastPath(true).build()) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 1, locks(kind, 1), 1, 0, 0, 0));
      EpItem watching = outer.add(poll, Events.IN);
      source.ready(Events.IN);
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 1, locks(kind, 3), 1, 0, 0, 2));
      watching.remove();
      source.ready(Events.IN);
      assertThat(all(poll)).isEqualTo(counts(0, 2, locks(kind, 3), 1, 0, 0, 2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEventDuringAScan(LockKind kind) {
    try (EventPoll poll = counting(kind).build()) {
      poll.add(source, Events.IN | Events.ET);
      source.ready(Events.IN);
      source.readyJustAfterItIsAsked(Events.IN);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      if (kind == LockKind.LOCK_FREE) { // a scan is nothing special to its callbacks
        assertThat(all(poll)).isEqualTo(counts(0, 0, 0, 2, 0, 0, 0));
      } else {
        assertThat(all(poll)).isEqualTo(counts(0, 0, 2, 1, 1, 0, 0));
      }
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("lock-free: not one lock, whatever happens")
  void lockFreeNeverTakesALock() {
    try (Waiters threads = new Waiters();
        EventPoll outer = EventPoll.create();
        EventPoll poll = counting(LockKind.LOCK_FREE).build()) {
      EpItem item = poll.add(source, Events.IN);
      outer.add(poll, Events.IN);
      for (int mask : new int[] {Events.IN, Events.IN | Events.ET, Events.IN | Events.ONESHOT}) {
        source.store(0);
        item.modify(mask);
        Waiters.Wait waiter = threads.awaiting(poll, 1).get(0);
        source.ready(Events.IN);
        assertThat(waiter.result()).isEqualTo(1);
        source.ready(Events.OUT);
        source.ready(Events.IN);
        assertThat(outer.awaitNow(ready)).isBetween(0, 1);
      }
      item.remove();
      assertThat(poll.stats().locksTaken()).isZero();
      assertThat(poll.stats().overflowed()).isZero();
      assertThat(poll.stats().queued()).isGreaterThanOrEqualTo(3);
      assertThat(poll.stats().waitersWoken()).isEqualTo(3);
      assertThat(poll.stats().watchersWoken()).isGreaterThanOrEqualTo(3);
    }
  }

  private static EventPoll held(Steps steps, EventPollBuilder settings) {
    settings.seams(Clock.system(), steps);
    return settings.build();
  }
}
