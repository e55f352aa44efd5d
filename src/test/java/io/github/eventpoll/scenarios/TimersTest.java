package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenarios S050, S130 to S145 and S205: timers in polls, on virtual time, in one thread. */
@EveryPath
class TimersTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = Polls.on(time);
  private final Timer timer = time.timer();

  // --------------------------------------------------------------------------------- edges

  @Test
  void s050_aPeriodicTimerNobodyReadsIsOneEdge() {
    poll.add(timer, IN_ET, "timer");
    timer.set(millis(5), millis(5));
    assertThat(Taken.now(poll)).isEmpty();
    time.advance(millis(5));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    for (int i = 0; i < 10; i++) {
      time.advance(millis(5));
      assertThat(Taken.now(poll)).isEmpty();
    }
    assertThat(timer.tryRead()).isEqualTo(11);
    time.advance(millis(5));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
  }

  @Test
  void s050_lookingAtTheTimeLeftMakesTheNextExpiryAnEdge() {
    poll.add(timer, IN_ET, "timer");
    timer.set(millis(5), millis(5));
    time.advance(millis(5));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(timer.remaining()).isEqualTo(millis(5));
    time.advance(millis(5));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(timer.tryRead()).isEqualTo(2);
  }

  @Test
  void s050_lookingAtTheTimeLeftOfADueTimerIsItsExpiry() {
    poll.add(timer, IN_ET, "timer");
    timer.set(millis(5), millis(5));
    time.advance(millis(12));
    assertThat(timer.remaining()).isEqualTo(millis(3)); // nobody had noticed before
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(timer.tryRead()).isEqualTo(2);
  }

  @Test
  void everySettingToThePastIsAnEdge() {
    poll.add(timer, IN_ET, "timer");
    for (int i = 0; i < 3; i++) {
      timer.setAt(time.nanoTime());
      assertThat(Taken.now(poll)).containsExactly("timer IN");
      assertThat(Taken.now(poll)).isEmpty();
    }
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  void aReadThatComesBeforeTheExpiryWasNoticedLeavesNothing() {
    poll.add(timer, Events.IN, "timer");
    timer.set(millis(5));
    time.advance(millis(5));
    assertThat(timer.tryRead()).isEqualTo(1);
    assertThat(Taken.now(poll)).isEmpty();
  }

  // --------------------------------------------------------------------------------- level

  @Test
  void s130_levelIsReadyUntilRead() {
    poll.add(timer, Events.IN, "timer");
    timer.set(millis(5), millis(5));
    time.advance(millis(17));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(timer.tryRead()).isEqualTo(3);
    assertThat(Taken.now(poll)).isEmpty();
    time.advance(millis(3));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
  }

  @Test
  void s131_settingTakesPendingReadinessAway() {
    EpItem item = poll.add(timer, Events.IN, "timer");
    for (Duration later : new Duration[] {Duration.ZERO, Duration.ofHours(1)}) {
      timer.set(millis(5), millis(5));
      time.advance(millis(5));
      assertThat(Taken.now(poll)).containsExactly("timer IN");
      timer.set(later);
      assertThat(Taken.now(poll)).isEmpty();
      assertThat(item.isQueued()).isFalse(); // nothing that a waiter would spin on
      assertThat(poll.readiness()).isZero();
      assertThat(timer.tryRead()).isZero();
    }
  }

  @Test
  void s133_aTimerAddedAfterItsDeadlineIsReady() {
    timer.set(millis(5));
    time.advance(millis(5));
    poll.add(timer, IN_ET, "timer");
    assertThat(poll.readiness()).isEqualTo(Events.IN | Events.RDNORM);
    assertThat(Taken.now(poll)).containsExactly("timer IN");
  }

  @Test
  void s140_aTimerSetToNowForEverDoesNotStarveTheOthers() {
    EventFd counter = EventFd.create(1);
    poll.add(timer, Events.IN, "timer");
    poll.add(counter, Events.IN, "counter");
    timer.setAt(time.nanoTime());
    int counted = 0;
    for (int i = 0; i < 20; i++) {
      List<String> one = Taken.now(poll, 1);
      assertThat(one).hasSize(1);
      if (one.get(0).startsWith("timer")) {
        timer.setAt(time.nanoTime()); // as a handler that wants to go on at once
      } else {
        counted++;
      }
    }
    assertThat(counted).isEqualTo(10);
  }

  // --------------------------------------------------------------------------------- order

  @Test
  @DisplayName("S136, I-82: the longest times come after all others and disturb nobody")
  void s136_longestTimesAreSortedLast() {
    time.advance(Duration.ofDays(1));
    List<Timer> longest = new ArrayList<>();
    long[] delays = {
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1,
      Long.MAX_VALUE - time.nanoTime() - 1,
      Long.MAX_VALUE - time.nanoTime(),
      Long.MAX_VALUE - time.nanoTime() + 1,
      Long.MAX_VALUE / 2
    };
    for (long delay : delays) {
      Timer far = time.timer();
      poll.add(far, Events.IN, "far");
      far.set(Duration.ofNanos(delay));
      longest.add(far);
    }
    poll.add(timer, Events.IN, "timer");
    for (int i = 1; i <= 20; i++) {
      timer.set(millis(i));
      time.advance(millis(i));
      assertThat(Taken.now(poll)).containsExactly("timer IN");
      timer.tryRead();
    }
    assertThat(longest).allMatch(far -> far.tryRead() == 0);
  }

  @Test
  @DisplayName("S143, I-83: a clock that has run for years, a far timer and a near one")
  void s143_aClockFarFromItsOrigin() {
    for (int power : new int[] {30, 36}) {
      VirtualTime late = VirtualTime.startingAt(17);
      late.advance(Duration.ofMillis(1L << power));
      Timer near = late.timer();
      Timer far = late.timer();
      EventPoll both = Polls.on(late);
      both.add(far, Events.IN, "far");
      both.add(near, Events.IN, "near");
      far.set(Duration.ofDays(365 * 50));
      near.set(millis(333));
      late.advance(millis(332));
      assertThat(Taken.now(both)).isEmpty();
      late.advance(millis(1));
      assertThat(Taken.now(both)).containsExactly("near IN");
    }
  }

  @Test
  void s145_theOrderOfDeadlinesSurvivesTheWrap() {
    VirtualTime wrapping = VirtualTime.startingAt(Long.MAX_VALUE - 1000);
    EventPoll all = Polls.on(wrapping);
    int[] order = {3, 1, 4, 0, 2};
    for (int i : order) {
      Timer one = wrapping.timer();
      all.add(one, IN_ET, i);
      one.setAt(wrapping.nanoTime() + 500 * (i + 1)); // 0 and 1 before the wrap, the others after
    }
    List<String> fired = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      wrapping.advanceNanos(499);
      assertThat(Taken.now(all)).isEmpty();
      wrapping.advanceNanos(1);
      fired.addAll(Taken.now(all));
    }
    assertThat(fired).containsExactly("0 IN", "1 IN", "2 IN", "3 IN", "4 IN");
    assertThat(wrapping.nanoTime()).isNegative();
  }

  @Test
  @DisplayName("timers that are due together fire in the order of their deadlines")
  void dueTogether() {
    for (int i : new int[] {2, 0, 3, 1}) {
      Timer one = time.timer();
      poll.add(one, IN_ET, i);
      one.set(millis(10 + i));
    }
    time.advance(millis(100));
    assertThat(Taken.now(poll)).containsExactly("0 IN", "1 IN", "2 IN", "3 IN");
  }

  // -------------------------------------------------------------------------- other sources

  @Test
  void s205_timerAndQueue() {
    QueueSource<String> queue = QueueSource.unbounded();
    poll.add(queue, Events.IN, "queue");
    poll.add(timer, Events.IN, "timer");
    timer.set(millis(10));
    time.advance(millis(10));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    timer.tryRead();
    queue.offer("element");
    assertThat(Taken.now(poll)).containsExactly("queue IN");
  }

  @Test
  @DisplayName("KR-46: a timer of an inner poll, of which only the outer one is looked at")
  void kr46_timersBelow() {
    EventPoll inner = Polls.on(time);
    EventPoll outer = Polls.on(time);
    inner.add(timer, Events.IN, "timer");
    timer.set(millis(10));
    outer.add(inner, Events.IN, "inner");
    time.advance(millis(9));
    assertThat(Taken.now(outer)).isEmpty();
    time.advance(millis(1));
    assertThat(Taken.now(outer)).containsExactly("inner IN"); // as asked for: RDNORM is not
    assertThat(Taken.now(inner)).containsExactly("timer IN");
  }

  @Test
  @DisplayName("KR-46: through two polls at once the deadline counts once")
  void kr46_diamond() {
    EventPoll top = Polls.on(time);
    for (int i = 0; i < 2; i++) {
      EventPoll middle = Polls.on(time);
      middle.add(timer, Events.IN);
      top.add(middle, IN_ET, "middle " + i);
    }
    timer.set(millis(10));
    time.advance(millis(10));
    assertThat(Taken.now(top)).containsExactlyInAnyOrder("middle 0 IN", "middle 1 IN");
    assertThat(timer.tryRead()).isEqualTo(1);
    assertThat(Taken.now(top)).isEmpty();
  }

  @Test
  @DisplayName("KR-56a: two polls watch one timer; each has its event, the tick is counted once")
  void kr56_twoPolls() {
    EventPoll other = Polls.on(time);
    poll.add(timer, IN_ET, "timer");
    other.add(timer, IN_ET, "timer");
    timer.set(millis(10));
    time.advance(millis(10));
    assertThat(Taken.now(poll)).containsExactly("timer IN");
    assertThat(Taken.now(other)).containsExactly("timer IN");
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  // --------------------------------------------------------------------------- many, refused

  @Test
  @Timeout(60)
  @DisplayName("100 000 timers in one poll: each fires once, in its turn")
  void manyTimers() {
    int count = Polls.rounds(100_000);
    for (int i = 0; i < count; i++) {
      Timer one = time.timer();
      one.set(Duration.ofNanos(scattered(i, count) + 1));
      poll.add(one, IN_ET, i);
    }
    ReadyEvents ready = new ReadyEvents(count);
    Set<Object> fired = new HashSet<>();
    int step = 1000;
    for (int now = step; now <= count; now += step) {
      time.advanceNanos(step);
      int n = poll.awaitNow(ready);
      assertThat(n).isEqualTo(step);
      for (int i = 0; i < n; i++) {
        int index = (Integer) ready.attachment(i);
        assertThat(scattered(index, count)).isBetween(now - step, now - 1);
        fired.add(index);
      }
    }
    assertThat(fired).hasSize(count);
    assertThat(poll.dump()).doesNotContain("next deadline");
  }

  /** A permutation of 0 .. count - 1; 7 919 is prime to it. */
  private static int scattered(int i, int count) {
    return (int) (i * 7919L % count);
  }

  @Test
  void aTimerOfAnotherClockIsRefused() {
    Timer real = Timer.create();
    Timer stranger = VirtualTime.create().timer();
    EventPoll realPoll = Polls.create();
    refused(Errno.EINVAL, () -> poll.add(real, Events.IN), real, "clock", poll);
    refused(Errno.EINVAL, () -> poll.add(stranger, Events.IN), stranger, "clock", poll);
    refused(Errno.EINVAL, () -> realPoll.add(stranger, Events.IN), stranger, "clock", realPoll);
    refused(Errno.EINVAL, () -> poll.add(realPoll, Events.IN), realPoll, "clock", poll);
    refused(Errno.EINVAL, () -> realPoll.add(poll, Events.IN), poll, "clock", realPoll);
    assertThat(poll.size() + realPoll.size()).isZero();
    realPoll.add(real, Events.IN);
    poll.add(timer, Events.IN);
    poll.add(EventFd.create(), Events.IN); // has no clock
  }

  @Test
  void aClosedTimerLeavesItsPollsAndIsRefused() {
    EpItem item = poll.add(timer, Events.IN, "timer");
    timer.set(millis(10));
    assertThat(poll.dump()).contains("next deadline in 10000000 ns");
    timer.close();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(poll.dump()).doesNotContain("next deadline");
    time.advance(millis(10));
    assertThat(Taken.now(poll)).isEmpty();
    refused(Errno.EBADF, () -> poll.add(timer, Events.IN), timer, "closed");
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
