package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A timer by itself: setting, counting, reading. */
@EveryPath
class TimerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final VirtualTime time = VirtualTime.create();
  private final Timer timer = time.timer();

  // ------------------------------------------------------------------------------- counting

  @Test
  void aNewTimerIsDisarmed() {
    time.advance(Duration.ofDays(1));
    assertThat(timer.tryRead()).isZero();
    assertThat(timer.remaining()).isZero();
    assertThat(timer.interval()).isZero();
    assertThat(timer.readiness()).isZero();
  }

  @Test
  void s130_aPeriodicTimerCountsThePeriods() {
    timer.set(millis(5), millis(5));
    time.advance(millis(17));
    assertThat(timer.tryRead()).isEqualTo(3);
    assertThat(timer.tryRead()).isZero();
  }

  @Test
  @DisplayName("I-88: a slow reader does not make the ticks drift")
  void i88_theNextDeadlineStaysOnTheGrid() {
    timer.set(millis(10), millis(10));
    long ticks = 0;
    for (int i = 0; i < 100; i++) {
      time.advance(Duration.ofNanos(13_700_001));
      timer.expire(now());
      time.advance(Duration.ofNanos(999_999));
      ticks += timer.tryRead();
      long passed = (i + 1) * 14_700_000L;
      assertThat(ticks).isEqualTo(passed / 10_000_000);
      assertThat(timer.remaining()).isEqualTo(Duration.ofNanos(10_000_000 - passed % 10_000_000));
    }
  }

  @Test
  void s133_aPointInThePastExpiresAtOnce() {
    time.advance(SECOND);
    timer.setAt(1);
    assertThat(timer.readiness()).isEqualTo(Events.IN);
    assertThat(timer.tryRead()).isEqualTo(1);
    time.advance(SECOND);
    assertThat(timer.tryRead()).isZero();
  }

  @Test
  @DisplayName("golden: absolute, 1 s past, interval 10 ms: 101 (also before the clock's origin)")
  void aPointInThePastCountsAllPeriodsSince() {
    timer.setAt(time.nanoTime() - SECOND.toNanos(), millis(10));
    assertThat(timer.readiness()).isEqualTo(Events.IN);
    assertThat(timer.tryRead()).isEqualTo(101);
    time.advance(millis(9));
    assertThat(timer.tryRead()).isZero();
    time.advance(millis(1));
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  void s134_aPeriodWithoutAFirstTimeDisarms() {
    timer.set(millis(1));
    timer.set(Duration.ZERO, SECOND);
    time.advance(Duration.ofHours(1));
    assertThat(timer.tryRead()).isZero();
    assertThat(timer.remaining()).isZero();
    assertThat(timer.interval()).isEqualTo(SECOND);
  }

  @Test
  void s137_manyTicksAreReckonedAtOnce() {
    timer.set(Duration.ofNanos(1), Duration.ofNanos(1));
    time.advance(millis(100));
    assertThat(timer.tryRead()).isEqualTo(100_000_000);
    timer.set(Duration.ofNanos(1), Duration.ofNanos(1));
    time.advance(Duration.ofDays(365 * 100)); // one step for each would take a century, too
    assertThat(timer.tryRead()).isEqualTo(Duration.ofDays(365 * 100).toNanos());
  }

  @Test
  void s139_neverEarly() {
    for (int ms = 1; ms <= 17; ms++) {
      for (int i = 0; i < 10; i++) {
        timer.set(millis(ms));
        time.advanceNanos(ms * 1_000_000L - 1);
        timer.expire(now());
        assertThat(timer.tryRead()).isZero();
        assertThat(timer.remaining()).isEqualTo(Duration.ofNanos(1));
        time.advanceNanos(1);
        assertThat(timer.tryRead()).isEqualTo(1);
      }
    }
  }

  @Test
  @DisplayName("I-89: 1 ns to 100 ms are neither busy nor infinite")
  void i89_smallTimes() {
    for (long nanos = 1; nanos <= 100_000_000; nanos *= 10) {
      timer.set(Duration.ofNanos(nanos));
      assertThat(timer.readiness()).isZero();
      time.advanceNanos(nanos - 1);
      assertThat(timer.tryRead()).isZero();
      time.advanceNanos(1);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------------------------- setting

  @Test
  void s131_settingClearsWhatIsPending() {
    for (Duration later : new Duration[] {Duration.ZERO, SECOND}) {
      timer.set(millis(1), millis(1));
      time.advance(millis(3));
      timer.expire(now());
      assertThat(timer.readiness()).isEqualTo(Events.IN);
      timer.set(later);
      assertThat(timer.readiness()).isZero();
      assertThat(timer.tryRead()).isZero();
      assertThat(timer.remaining()).isEqualTo(later);
      assertThat(timer.interval()).isZero();
    }
  }

  @Test
  void s131_disarmClearsToo() {
    timer.set(millis(1), millis(1));
    time.advance(millis(3));
    timer.expire(now());
    timer.disarm();
    time.advance(SECOND);
    assertThat(timer.readiness()).isZero();
    assertThat(timer.tryRead()).isZero();
    assertThat(timer.remaining()).isZero();
  }

  @Test
  @DisplayName("KR-56b: whoever comes to expire finds the timer set again and leaves it")
  void kr56_expiryOfThePast() {
    timer.set(millis(1));
    time.advance(millis(1));
    long due = now();
    timer.set(millis(5));
    timer.expire(due);
    assertThat(timer.readiness()).isZero();
    assertThat(timer.remaining()).isEqualTo(millis(5));
  }

  @Test
  @DisplayName("KR-56a: expired twice, counted once")
  void kr56_expiryTwice() {
    timer.set(millis(1), millis(1));
    time.advance(millis(2));
    timer.expire(now());
    timer.expire(now());
    assertThat(timer.tryRead()).isEqualTo(2); // one expiry and one period missed since
    timer.set(millis(1));
    time.advance(millis(2));
    timer.expire(now());
    timer.expire(now());
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  void theTimeLeftArmsAPeriodicTimerAgainAndKeepsTheCount() {
    timer.set(millis(10), millis(10));
    time.advance(millis(25));
    timer.expire(now());
    assertThat(timer.remaining()).isEqualTo(millis(5));
    time.advance(millis(5));
    assertThat(timer.readiness()).isEqualTo(Events.IN);
    assertThat(timer.remaining()).isEqualTo(millis(10));
    assertThat(timer.tryRead()).isEqualTo(3);
    assertThat(timer.remaining()).isEqualTo(millis(10));
  }

  @Test
  void aSingleTimerHasNoTimeLeftAfterItsExpiry() {
    timer.set(millis(10));
    time.advance(millis(10));
    assertThat(timer.remaining()).isZero();
    assertThat(timer.readiness()).isEqualTo(Events.IN);
    assertThat(timer.tryRead()).isEqualTo(1);
    assertThat(timer.remaining()).isZero();
  }

  // ------------------------------------------------------------------------- extreme numbers

  @Test
  @DisplayName("S136, I-80, I-86: what is too far to be reckoned never comes and never throws")
  void s136_theLongestTimes() {
    time.advance(SECOND);
    for (Duration far :
        new Duration[] {
          FOR_EVER,
          FOR_EVER.minusNanos(1),
          Duration.ofNanos(Long.MAX_VALUE),
          Duration.ofNanos(Long.MAX_VALUE - SECOND.toNanos() + 1),
          Duration.ofNanos(Long.MAX_VALUE - SECOND.toNanos()),
          Duration.ofNanos(Long.MAX_VALUE - SECOND.toNanos() - 1),
          Duration.ofDays(20 * 365),
          Duration.ofMillis(1L << 31),
          Duration.ofMillis((1L << 31) - 1),
        }) {
      timer.set(far, far);
      assertThat(timer.readiness()).isZero();
      assertThat(timer.tryRead()).isZero();
      assertThat(timer.remaining()).isPositive();
      timer.setAt(time.nanoTime() + Durations.saturatedNanos(far), far);
      assertThat(timer.tryRead()).isZero();
      assertThat(timer.toString()).contains("left");
    }
    time.advance(Duration.ofDays(20));
    assertThat(timer.tryRead()).isZero();
    time.advance(Duration.ofDays(5)); // 2^31 - 1 ms
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  void s136_aPeriodForEverExpiresOnce() {
    timer.set(Duration.ofNanos(1), FOR_EVER);
    time.advanceNanos(1);
    assertThat(timer.tryRead()).isEqualTo(1);
    time.advance(Duration.ofDays(365 * 100));
    assertThat(timer.tryRead()).isZero();
    assertThat(timer.interval()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Test
  void theLongestPastAndTheShortestPeriod() {
    time.advance(Duration.ofDays(365));
    timer.setAt(time.nanoTime() + Long.MIN_VALUE, Duration.ofNanos(1)); // as far as it goes
    time.advance(Duration.ofDays(365));
    assertThat(timer.tryRead()).isEqualTo(Long.MAX_VALUE);
    assertThat(timer.tryRead()).isZero();
    time.advanceNanos(1);
    assertThat(timer.tryRead()).isEqualTo(1);
  }

  @Test
  @DisplayName("S142, I-85: no wheel: neither granularity nor a longest time")
  void s142_anyDelayFiresExactly() {
    long[] delays = {12, 3_900_000_000_000L, 100_000_000L * 4096 + 1, 7_300_000, 1_000_000_007};
    for (long delay : delays) {
      timer.set(Duration.ofNanos(delay));
      time.advanceNanos(delay - 1);
      assertThat(timer.tryRead()).isZero();
      time.advanceNanos(1);
      assertThat(timer.tryRead()).isEqualTo(1);
    }
  }

  @Test
  void s145_acrossTheWrapOfTheCounter() {
    for (long start : new long[] {Long.MAX_VALUE - 1000, Long.MIN_VALUE, Long.MIN_VALUE + 1, -5}) {
      VirtualTime wrapping = VirtualTime.startingAt(start);
      Timer relative = wrapping.timer();
      Timer absolute = wrapping.timer();
      relative.set(Duration.ofNanos(2000), Duration.ofNanos(100));
      absolute.setAt(start + 2000, Duration.ofNanos(100));
      wrapping.advanceNanos(1999);
      assertThat(relative.tryRead() + absolute.tryRead()).isZero();
      wrapping.advanceNanos(1);
      assertThat(relative.tryRead()).isEqualTo(1);
      assertThat(absolute.tryRead()).isEqualTo(1);
      wrapping.advanceNanos(1050);
      assertThat(relative.tryRead()).isEqualTo(10);
      assertThat(absolute.tryRead()).isEqualTo(10);
      absolute.setAt(start + 10, Duration.ofNanos(1000)); // past, on the other side of the wrap
      assertThat(absolute.tryRead()).isEqualTo(4);
    }
  }

  @Test
  void s145_zeroIsAPointInTimeLikeEveryOther() {
    VirtualTime negative = VirtualTime.startingAt(-10);
    Timer atZero = negative.timer();
    atZero.setAt(0);
    assertThat(atZero.remaining()).isEqualTo(Duration.ofNanos(10));
    negative.advanceNanos(10);
    assertThat(atZero.tryRead()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------- refused, closed

  @Test
  void badInputIsRefusedAndNamed() {
    timer.set(millis(5));
    Duration negative = Duration.ofNanos(-1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> timer.set(negative))
        .withMessageContaining("first expiry")
        .withMessageContaining(negative.toString());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> timer.set(SECOND, negative))
        .withMessageContaining("period")
        .withMessageContaining(negative.toString());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> timer.setAt(5, FOR_EVER.negated()))
        .withMessageContaining("period")
        .withMessageContaining(FOR_EVER.negated().toString());
    assertThatNullPointerException().isThrownBy(() -> timer.set(null));
    assertThatNullPointerException().isThrownBy(() -> timer.set(SECOND, null));
    assertThatNullPointerException().isThrownBy(() -> timer.setAt(5, null));
    assertThatNullPointerException().isThrownBy(() -> timer.read(null));
    assertThat(timer.remaining()).isEqualTo(millis(5)); // as it was
  }

  @Test
  void aClosedTimerRefusesEverythingAndSaysSo() {
    timer.set(millis(5), millis(5));
    time.advance(millis(5));
    timer.close();
    timer.close();
    for (Runnable call :
        new Runnable[] {
          timer::tryRead,
          timer::remaining,
          timer::disarm,
          () -> timer.set(SECOND),
          () -> timer.setAt(0),
        }) {
      assertThatIllegalStateException()
          .isThrownBy(call::run)
          .withMessageContaining("Timer[")
          .withMessageContaining("closed");
    }
    assertThatIllegalStateException().isThrownBy(timer::read);
    assertThatIllegalStateException().isThrownBy(() -> timer.read(SECOND));
    timer.expire(now());
    assertThat(timer.readiness()).isZero();
  }

  @Test
  void itsTextTellsWhatItIsSetTo() {
    assertThat(timer).hasToString("Timer[ticks 0]");
    timer.set(millis(5), SECOND);
    assertThat(timer).hasToString("Timer[ticks 0, PT0.005S left, every PT1S]");
    time.advance(millis(5));
    timer.expire(now());
    assertThat(timer).hasToString("Timer[ticks 1, every PT1S]");
  }

  // ------------------------------------------------------------------------------- blocking

  @Test
  void readingForATimeThatIsOverDoesNotWait() throws InterruptedException {
    timer.set(SECOND);
    assertThat(timer.read(Duration.ZERO)).isZero();
    assertThat(timer.read(FOR_EVER.negated())).isZero();
    time.advance(SECOND);
    assertThat(timer.read(Duration.ZERO)).isEqualTo(1);
  }

  @Test
  void onRealTimeABlockingReadWaitsForTheExpiry() throws InterruptedException {
    try (Timer real = Timer.create()) {
      real.setAt(System.nanoTime() + 1_000_000);
      assertThat(real.read()).isEqualTo(1);
      real.set(millis(1), millis(1));
      assertThat(real.read(Duration.ofMinutes(1))).isPositive();
      real.set(Duration.ofDays(1));
      assertThat(real.read(millis(1))).isZero();
    }
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  /** The instant, as the engine shows it to a timer: the origin of this time is 0. */
  private long now() {
    return time.nanoTime();
  }
}
