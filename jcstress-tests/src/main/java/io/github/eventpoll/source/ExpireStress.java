package io.github.eventpoll.source;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.internal.SourceDoor;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Checks MO-EXPIRE-1: a tick is counted once, and only for the setting it belongs to. A timer is
 * due; one thread expires it, the other reads it and sets it to later. First result: what was read.
 * Second: what is counted in the end.
 */
@Claim(id = "MO-EXPIRE-1")
public final class ExpireStress {
  private static final long DUE = 10;

  private ExpireStress() {}

  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one tick, for the first setting")
  @Outcome(expect = FORBIDDEN, desc = "MO-EXPIRE-1: a tick lost, doubled, or of the past")
  static final class Sound {}

  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one tick, for the first setting")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-EXPIRE-1: a tick too many or too few")
  static final class Broken {}

  /** Generation and ticks in one word: the high half says which setting, the low half counts. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle WORD = Fields.field(Model.class, "word", long.class);
    private static final long SET_AGAIN = 1L << 32;

    volatile long word;

    @Actor
    public void expirer() {
      WORD.compareAndSet(this, 0L, 1L);
    }

    @Actor
    public void owner(JJ_Result r) {
      WORD.compareAndSet(this, 0L, 1L); // a reader counts the tick if nobody has
      r.r1 = (int) word;
      WORD.getAndSet(this, SET_AGAIN);
    }

    @Arbiter
    public void arbiter(JJ_Result r) {
      r.r2 = (int) word;
    }
  }

  /** The shipped timer. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final StandingClock clock = new StandingClock();
    final Timer timer = (Timer) SourceDoor.get().timer(clock);

    public Actual() {
      timer.set(Duration.ofNanos(DUE));
      clock.now = DUE;
    }

    @Actor
    public void expirer() {
      timer.expire(DUE);
    }

    @Actor
    public void owner(JJ_Result r) {
      r.r1 = timer.tryRead();
      timer.set(Duration.ofNanos(DUE));
    }

    @Arbiter
    public void arbiter(JJ_Result r) {
      r.r2 = timer.tryRead();
    }
  }

  /** The states of the shipped timer, but the expirer looks and then writes. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestThenSet {
    private static final VarHandle STATE =
        Fields.field(TwinTestThenSet.class, "state", TimerState.class);

    volatile TimerState state = TimerState.set(DUE, 0, 0);

    @Actor
    public void expirer() {
      TimerState seen = state;
      if (seen.isDue(DUE)) {
        state = seen.expired();
      }
    }

    @Actor
    public void owner(JJ_Result r) {
      TimerState seen;
      TimerState now;
      do {
        seen = state;
        now = seen.broughtUpTo(DUE);
      } while (!STATE.compareAndSet(this, seen, now.taken()));
      r.r1 = now.ticks();
      STATE.getAndSet(this, TimerState.set(2 * DUE, 0, DUE));
    }

    @Arbiter
    public void arbiter(JJ_Result r) {
      r.r2 = state.ticks();
    }
  }

  /** A clock that is moved by hand, before the actors start. */
  private static final class StandingClock extends Clock {
    long now;

    StandingClock() {
      super(0);
    }

    @Override
    public long raw() {
      return now;
    }

    @Override
    public Sleeper sleeper() {
      throw new AssertionError("nobody sleeps here");
    }
  }
}
