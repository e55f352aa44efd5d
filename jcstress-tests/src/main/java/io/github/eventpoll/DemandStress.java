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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-DEMAND-1: a deadline that is set in an inner poll while that is added to an outer one
 * is known to the outer one afterwards. Result: it is.
 */
@Claim(id = "MO-DEMAND-1")
public final class DemandStress {
  private static final int DEADLINE = 100;

  private DemandStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-DEMAND-1: the outer poll keeps no time")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the outer poll knows the deadline")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-DEMAND-1: it keeps no time")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the outer poll knows the deadline")
  static final class Broken {}

  /** Publish, then look for watchers; link, then read. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean deadline;
    volatile boolean linked;
    volatile boolean known;

    @Actor
    public void setter() {
      deadline = true;
      if (linked) {
        known = true;
      }
    }

    @Actor
    public void newcomer() {
      linked = true;
      if (deadline) {
        known = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = known;
    }
  }

  /** The shipped poll, twice, and a timer. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll inner = EventPoll.create();
    final EventPoll outer = EventPoll.create();
    final Fixtures.Timer timer = new Fixtures.Timer();

    public Actual() {
      inner.add(timer, Events.IN);
    }

    @Actor
    public void setter() {
      timer.set(DEADLINE);
    }

    @Actor
    public void newcomer() {
      outer.add(inner, Events.IN);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = outer.deadlines.nearest() == DEADLINE;
    }
  }

  /** The demand is read before the edge is linked. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReadFirst {
    volatile boolean deadline;
    volatile boolean linked;
    volatile boolean known;

    @Actor
    public void setter() {
      deadline = true;
      if (linked) {
        known = true;
      }
    }

    @Actor
    public void newcomer() {
      boolean seen = deadline;
      linked = true;
      if (seen) {
        known = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = known;
    }
  }
}
