package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-DUTY-1: a waiter that keeps time, wakes, and finds the deadline moved behind its own
 * time-out gives up the duty; if the deadline moves forward again meanwhile, it notices or is
 * kicked. First result: it plans for the deadline. Second: it will look again.
 */
@Claim(id = {"MO-DUTY-1", "MO-TIMER-1"})
public final class ResignStress {
  private static final int PLANNED = 50;
  private static final int SET = 80;
  private static final int TIMEOUT = 100;
  private static final int MOVED = 200;

  private ResignStress() {}

  @Outcome(
      id = "false, false",
      expect = FORBIDDEN,
      desc = "MO-DUTY-1: the deadline is slept through")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows the deadline, or looks again")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-DUTY-1: slept through")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows the deadline, or looks again")
  static final class Broken {}

  /** Give up, then look at the deadline; set the deadline, then look who keeps time. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile long nearest = MOVED;
    volatile boolean kept = true;

    @Actor
    public void setter(ZZ_Result r) {
      nearest = SET;
      r.r2 = !kept;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      kept = false;
      r.r1 = nearest == SET;
    }
  }

  /** The shipped poll, watching a timer. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Timer timer = new Fixtures.Timer();
    final Waiter waiter = Fixtures.enlisted(poll.sleepers);

    public Actual() {
      timer.set(PLANNED);
      poll.add(timer, Events.IN);
      waiter.beginLook();
      poll.sleepers.plan(waiter, TIMEOUT, poll.deadlines);
      timer.set(MOVED);
    }

    @Actor
    public void setter() {
      timer.set(SET);
    }

    @Actor
    public void waiter(ZZ_Result r) {
      // Its plan is still the old one, as in the second round of the loop in plan.
      r.r1 = poll.sleepers.plan(waiter, TIMEOUT, poll.deadlines) == SET;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = !waiter.tryPark();
    }
  }

  /** The deadline is not looked at again after the duty was given up. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinLookFirst {
    volatile long nearest = MOVED;
    volatile boolean kept = true;

    @Actor
    public void setter(ZZ_Result r) {
      nearest = SET;
      r.r2 = !kept;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r1 = nearest == SET;
      kept = false;
    }
  }
}
