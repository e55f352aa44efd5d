package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Sleeper;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-SLEEP-2: a thread that waits on one source without a poll does not miss its wake. The
 * clock's sleeper stands in for parking: it spins until it is told, and gives up after a time that
 * no wake needs. Result: the waiter came back with the event.
 */
@Claim(id = "MO-SLEEP-2")
public final class OneWaiterStress {
  private OneWaiterStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-SLEEP-2: parked, nobody will unpark")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "saw the event, or was woken for it")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-SLEEP-2: parked for ever")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "saw the event, or was woken for it")
  static final class Broken {}

  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int KICKED = 2;

  /** The word of the waiter and the state of the source, all volatile. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle WORD = Fixtures.field(Model.class, "word", int.class);

    volatile int word = KICKED;
    volatile int state;
    boolean told;
    boolean parked;

    @Actor
    public void source() {
      state = 1;
      told = (int) WORD.getAndBitwiseOr(this, KICKED) == PARKED;
    }

    @Actor
    public void waiter() {
      WORD.getAndBitwiseAnd(this, ~KICKED);
      parked = state == 0 && WORD.compareAndSet(this, RUNNING, PARKED);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !parked || told;
    }
  }

  /** The shipped class. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final SpinningClock clock = new SpinningClock();
    final Fixtures.Plain source = new Fixtures.Plain(new WaitQueue(clock));

    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
    }

    @Actor
    public void waiter(Z_Result r) {
      try {
        r.r1 = OneWaiter.await(source, source.queue, Events.IN, Clock.NEVER) != 0 && !clock.lost;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The kick is cleared by a release store, which may land after the next one and wipe it out. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseClear {
    private static final VarHandle WORD = Fixtures.field(TwinReleaseClear.class, "word", int.class);

    volatile int word = KICKED;
    volatile int state;
    boolean told;
    boolean parked;

    @Actor
    public void source() {
      state = 1;
      told = (int) WORD.getAndBitwiseOr(this, KICKED) == PARKED;
    }

    @Actor
    public void waiter() {
      WORD.setRelease(this, RUNNING);
      parked = state == 0 && WORD.compareAndSet(this, RUNNING, PARKED);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !parked || told;
    }
  }

  /** The clock that the source's waiters sleep by, and the source's demand, which is none. */
  static final class SpinningClock extends Clock implements Sleeper, Demand {
    private static final long GIVE_UP_NANOS = 5_000_000_000L;

    volatile boolean told;

    /** Written and read by the waiter only. */
    boolean lost;

    SpinningClock() {
      super(0);
    }

    @Override
    public void park(Object blocker, long deadline) {
      long end = raw() + GIVE_UP_NANOS;
      for (int i = 1; !told; i++) {
        Thread.onSpinWait();
        if (i % 1000 == 0 && raw() - end > 0) {
          lost = true;
          return;
        }
      }
      told = false;
    }

    @Override
    public void unpark(Thread thread) {
      told = true;
    }

    @Override
    public long raw() {
      return System.nanoTime();
    }

    @Override
    public Sleeper sleeper() {
      return this;
    }

    @Override
    public long nearestDeadline() {
      return NEVER;
    }

    @Override
    public void expire(long now) {}

    @Override
    public Clock clock() {
      return this;
    }
  }
}
