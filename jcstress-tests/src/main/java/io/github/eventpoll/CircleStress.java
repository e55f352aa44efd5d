package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-NEST-2 for two polls of which each is added to the other. Results: which additions
 * succeeded.
 */
@Claim(id = "MO-NEST-2")
public final class CircleStress {
  private CircleStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-NEST-2: a circle")
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-NEST-2: a circle")
  @Outcome(
      id = {"true, false", "false, true", "false, false"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Broken {}

  /** Looked at and linked under one lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    boolean there;
    boolean back;

    @Actor
    public void there(ZZ_Result r) {
      synchronized (this) {
        there = !back;
        r.r1 = there;
      }
    }

    @Actor
    public void back(ZZ_Result r) {
      synchronized (this) {
        back = !there;
        r.r2 = back;
      }
    }
  }

  /** The shipped polls, of different topologies. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll one = EventPoll.builder().topology(Topology.STRIPED).build();
    final EventPoll other = EventPoll.builder().topology(Topology.SHARED).build();

    @Actor
    public void there(ZZ_Result r) {
      r.r1 = Fixtures.adds(one, other);
    }

    @Actor
    public void back(ZZ_Result r) {
      r.r2 = Fixtures.adds(other, one);
    }
  }

  /** Looked at before the lock. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinCheckOutside {
    volatile boolean there;
    volatile boolean back;

    @Actor
    public void there(ZZ_Result r) {
      boolean may = !back;
      synchronized (this) {
        there = may;
        r.r1 = may;
      }
    }

    @Actor
    public void back(ZZ_Result r) {
      boolean may = !there;
      synchronized (this) {
        back = may;
        r.r2 = may;
      }
    }
  }
}
