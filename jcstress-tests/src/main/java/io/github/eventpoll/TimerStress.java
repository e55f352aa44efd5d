package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-TIMER-1: an earlier deadline that comes while a waiter plans its sleep shortens it.
 * First result: the waiter plans for the earlier one. Second: it will not park, or was kicked.
 */
@Claim(id = "MO-TIMER-1")
public final class TimerStress {
  private static final int LATE = 100;
  private static final int EARLY = 10;

  private TimerStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-TIMER-1: sleeps past the deadline")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows the deadline, or looks again")
  static final class Sound {}

  @Outcome(
      id = "false, false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-TIMER-1: sleeps past it")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows the deadline, or looks again")
  static final class Broken {}

  /** The deadline and the plan, both volatile; each side writes its own, then reads the other's. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile long nearest = LATE;
    volatile long plan;

    @Actor
    public void setter(ZZ_Result r) {
      nearest = EARLY;
      r.r2 = plan > EARLY;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      plan = LATE;
      r.r1 = nearest == EARLY;
    }
  }

  /** The shipped poll, watching a timer. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Timer timer = new Fixtures.Timer();
    final Waiter waiter = Fixtures.waiter();

    public Actual() {
      timer.set(LATE);
      poll.add(timer, Events.IN);
    }

    @Actor
    public void setter() {
      timer.set(EARLY);
    }

    @Actor
    public void waiter(ZZ_Result r) {
      poll.sleepers.enlist(waiter);
      waiter.beginLook();
      r.r1 = poll.sleepers.plan(waiter, Clock.NEVER, poll.deadlines) == EARLY;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = !waiter.tryPark();
    }
  }

  /** The plan is stored with release. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleasePlan {
    private static final VarHandle PLAN = Fixtures.field(TwinReleasePlan.class, "plan", long.class);

    volatile long nearest = LATE;
    volatile long plan;

    @Actor
    public void setter(ZZ_Result r) {
      nearest = EARLY;
      r.r2 = plan > EARLY;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      PLAN.setRelease(this, LATE);
      r.r1 = nearest == EARLY;
    }
  }
}
