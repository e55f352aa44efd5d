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
 * Checks MO-DUTY-1: when the waiter that keeps time leaves while another one comes, the newcomer
 * keeps time or is kicked. First result: the newcomer keeps time. Second: it will look again.
 */
@Claim(id = "MO-DUTY-1")
public final class DutyStress {
  private static final int DEADLINE = 100;

  private DutyStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-DUTY-1: asleep, nobody keeps time")
  @Outcome(expect = ACCEPTABLE, desc = "the newcomer keeps time, or will look again")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-DUTY-1: nobody does")
  @Outcome(expect = ACCEPTABLE, desc = "the newcomer keeps time, or will look again")
  static final class Broken {}

  /** Give up, then look for sleepers; enlist, then look whether somebody keeps time. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean kept = true;
    volatile boolean sleeper;

    @Actor
    public void leaver(ZZ_Result r) {
      kept = false;
      r.r2 = sleeper;
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      sleeper = true;
      r.r1 = !kept;
    }
  }

  /** The shipped list of waiters. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Sleepers sleepers = new Sleepers(Fixtures.POLL);
    final Deadlines deadlines = new Deadlines();
    final Waiter keeper = Fixtures.enlisted(sleepers);
    final Waiter newcomer = Fixtures.waiter();

    public Actual() {
      Fixtures.OneDeadline demand = new Fixtures.OneDeadline();
      demand.deadline = DEADLINE;
      deadlines.update(Fixtures.looseItem(Events.IN), demand);
      sleepers.plan(keeper, Clock.NEVER, deadlines);
    }

    @Actor
    public void leaver() {
      sleepers.leave(keeper, deadlines);
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      sleepers.enlist(newcomer);
      newcomer.beginLook();
      r.r1 = sleepers.plan(newcomer, Clock.NEVER, deadlines) == DEADLINE;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = !newcomer.tryPark();
    }
  }

  /** The duty is given up by a release store. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseDuty {
    private static final VarHandle KEPT =
        Fixtures.field(TwinReleaseDuty.class, "kept", boolean.class);

    volatile boolean kept = true;
    volatile boolean sleeper;

    @Actor
    public void leaver(ZZ_Result r) {
      KEPT.setRelease(this, false);
      r.r2 = sleeper;
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      sleeper = true;
      r.r1 = !kept;
    }
  }
}
