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
 * Checks MO-NEST-2 for two additions of one source to different watched polls, with room for one
 * more path. Results: which additions succeeded.
 */
@Claim(id = "MO-NEST-2")
public final class LastPathStress {
  private LastPathStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-NEST-2: a path too many")
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-NEST-2: a path too many")
  @Outcome(
      id = {"true, false", "false, true", "false, false"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Broken {}

  /** Counted and linked under one lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    int paths;

    private boolean add() {
      synchronized (this) {
        if (paths == 1) {
          return false;
        }
        paths++;
        return true;
      }
    }

    @Actor
    public void here(ZZ_Result r) {
      r.r1 = add();
    }

    @Actor
    public void there(ZZ_Result r) {
      r.r2 = add();
    }
  }

  /** The shipped polls. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll outer = EventPoll.create();
    final EventPoll here = Fixtures.onePath();
    final EventPoll there = Fixtures.onePath();
    final Fixtures.Ordered source = new Fixtures.Ordered();

    public Actual() {
      outer.add(here, Events.IN);
      outer.add(there, Events.IN);
    }

    @Actor
    public void here(ZZ_Result r) {
      r.r1 = Fixtures.adds(here, source);
    }

    @Actor
    public void there(ZZ_Result r) {
      r.r2 = Fixtures.adds(there, source);
    }
  }

  /** Counted before the lock. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinCountOutside {
    volatile int paths;

    private boolean add() {
      if (paths == 1) {
        return false;
      }
      synchronized (this) {
        paths++;
      }
      return true;
    }

    @Actor
    public void here(ZZ_Result r) {
      r.r1 = add();
    }

    @Actor
    public void there(ZZ_Result r) {
      r.r2 = add();
    }
  }
}
