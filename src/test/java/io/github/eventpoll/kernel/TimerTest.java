package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers as timerfd(2), with short real times. */
@EveryPath
@Tag("kernel")
class TimerTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final long HOUR = 3600 * SECOND;

  /** For what comes within milliseconds; far longer than it can take. */
  private static final int SOON = 5_000;

  @Test
  void s131_settingClears() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          r.add(e, t, IN);
          r.read(t);
          r.setTimer(t, MILLI, 0);
          r.await(e, 1, SOON);
          r.await(e);
          r.ask(t, IN | OUT);
          r.setTimer(t, HOUR, 0);
          r.await(e);
          r.ask(t, IN);
          r.read(t);
          r.timer(t, HOUR);
          r.setTimer(t, MILLI, 0);
          r.await(e, 1, SOON);
          r.setTimer(t, 0, 0);
          r.await(e);
          r.read(t);
          r.timer(t, HOUR);
        });
  }

  @Test
  void s133_absoluteAndPast() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          r.add(e, t, IN | ET);
          r.setTimerAt(t, -SECOND, 0);
          r.await(e, 1, SOON);
          r.await(e);
          r.read(t);
          r.read(t);
          r.timer(t, HOUR);
          r.setTimerAt(t, MILLI, 0);
          r.await(e, 1, SOON);
          r.read(t);
        });
  }

  /** Golden: absolute, past, periodic: the first read counts all periods since, on the grid. */
  @Test
  void absolutePastAndPeriodic() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          r.add(e, t, IN);
          r.setTimerAt(t, -20 * SECOND - SECOND / 10, 2 * SECOND);
          r.await(e, 1, SOON);
          r.read(t);
          r.timer(t, 2 * SECOND - SECOND / 10);
          r.await(e);
          r.read(t);
        });
  }

  @Test
  void s134_aPeriodWithoutAStart() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          r.add(e, t, IN);
          r.setTimer(t, 0, MILLI);
          r.timer(t, HOUR);
          r.await(e, 1, 10);
          r.read(t);
        });
  }

  @Test
  void s136_farAway() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          Handle soon = r.timer("soon");
          r.add(e, t, IN);
          r.add(e, soon, IN);
          r.setTimer(t, Long.MAX_VALUE, Long.MAX_VALUE);
          r.setTimer(soon, MILLI, 0);
          r.await(e, 2, SOON);
          r.timer(t, Long.MAX_VALUE);
          r.setTimer(t, 175_200 * HOUR, 0);
          r.timer(t, 175_200 * HOUR);
          r.read(soon);
          r.await(e, 2, 5);
        });
  }

  @Test
  void s137_aPeriodOfOneNanosecond() throws Exception {
    compare(
        r -> {
          Handle idle = r.poll("idle");
          Handle t = r.timer("t");
          r.setTimer(t, 1, 1);
          r.await(idle, 1, 20);
          r.readAtLeast(t, 20_000_000);
        });
  }

  /** KERNEL-SEMANTICS 7.2: an expired periodic timer is armed again by read and by get. */
  @Test
  void s050_periodicEdge() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle t = r.timer("t");
          r.add(e, t, IN | ET);
          r.setTimer(t, MILLI, 10 * MILLI);
          r.await(e, 1, SOON);
          r.await(e, 1, 35);
          r.readAtLeast(t, 4);
          r.await(e, 1, SOON);
          r.await(e, 1, 35);
          r.timer(t, 10 * MILLI);
          r.await(e, 1, SOON);
          r.await(e, 1, 35);
          r.readAtLeast(t, 6);
        });
  }

  @Test
  void s130_periodicLevel() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle idle = r.poll("idle");
          Handle t = r.timer("t");
          r.add(e, t, IN);
          r.setTimer(t, 5 * MILLI, 5 * MILLI);
          r.await(idle, 1, 18);
          r.await(e);
          r.await(e);
          r.readAtLeast(t, 3);
          r.await(e, 1, SOON);
          r.readAtLeast(t, 1);
        });
  }

  @Test
  void modesOfWatching() throws Exception {
    for (int mode : new int[] {ONESHOT, ET, EXCLUSIVE, EXCLUSIVE | ET, ET | ONESHOT, 0}) {
      compare(
          r -> {
            Handle e = r.poll("e");
            Handle t = r.timer("t");
            r.setTimer(t, MILLI, 0);
            r.ask(t, 0);
            r.add(e, t, IN | mode);
            r.await(e, 1, SOON);
            r.await(e);
            r.modify(e, t, IN | mode);
            r.await(e);
            r.setTimer(t, HOUR, 0);
            r.modify(e, t, IN | mode);
            r.await(e);
            r.setTimer(t, MILLI, 0);
            r.await(e, 1, SOON);
            r.read(t);
            r.await(e);
          });
    }
  }

  @Test
  void s200_inAPollBelow() throws Exception {
    for (int mode : new int[] {0, ET}) {
      compare(
          r -> {
            Handle t = r.timer("t");
            Handle inner = r.poll("inner");
            Handle middle = r.poll("middle");
            Handle outer = r.poll("outer");
            r.add(outer, middle, IN | mode);
            r.add(middle, inner, IN | mode);
            r.add(inner, t, IN | mode);
            r.setTimer(t, MILLI, 0);
            r.await(outer, 1, SOON);
            r.await(outer);
            r.await(middle);
            r.await(inner);
            r.await(outer);
            r.setTimer(t, MILLI, MILLI);
            r.await(outer, 1, SOON);
            r.setTimer(t, HOUR, 0);
            r.await(outer);
            r.await(inner);
          });
    }
  }

  @Test
  void setAgainWhileAThreadSleeps() throws Exception {
    compare(
        r -> {
          Handle t = r.timer("t");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(outer, inner, IN);
          r.waiter("A", outer, 1);
          r.add(inner, t, IN | ET);
          r.setTimer(t, HOUR, 0);
          r.settle();
          r.setTimer(t, MILLI, 0);
          r.join("A");
          r.waiter("B", inner, 1);
          r.read(t);
          r.waiter("C", inner, 1);
          r.settle();
          r.setTimerAt(t, -1, 0);
          r.join("C");
        });
  }

  @Test
  void whatIsRefused() throws Exception {
    compare(
        r -> {
          Handle t = r.timer("t");
          r.setTimer(t, -1, 0);
          r.setTimer(t, 1, -1);
          r.setTimer(t, -SECOND, SECOND);
          r.timer(t, HOUR);
          r.close(t);
          r.setTimer(t, 1, 0);
          r.timer(t, HOUR);
          r.read(t);
        });
  }
}
