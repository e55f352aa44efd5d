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
 * Checks MO-NEST-1: a source is added to a poll that nobody watches yet, while that poll is added
 * to another one. No path through two polls is allowed. Results: which additions succeeded.
 */
@Claim(id = "MO-NEST-1")
public final class NestCountStress {
  private NestCountStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-NEST-1: both unchecked")
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-NEST-1: both unchecked")
  @Outcome(
      id = {"true, false", "false, true", "false, false"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  static final class Broken {}

  /** The count is changed, and looked at, under one lock; the source is linked under it as well. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int nestings;
    volatile boolean watched;
    volatile boolean source;

    @Actor
    public void leaf(ZZ_Result r) {
      synchronized (this) {
        if (nestings == 0 && !watched) {
          source = true;
          r.r1 = true;
        }
      }
    }

    @Actor
    public void nest(ZZ_Result r) {
      synchronized (this) {
        nestings = 1;
      }
      if (!source) {
        watched = true;
        r.r2 = true;
      }
      nestings = 0;
    }
  }

  /** The shipped polls. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll outer = Fixtures.pathless();
    final EventPoll inner = Fixtures.pathless();
    final Fixtures.Ordered source = new Fixtures.Ordered();

    @Actor
    public void leaf(ZZ_Result r) {
      r.r1 = Fixtures.adds(inner, source);
    }

    @Actor
    public void nest(ZZ_Result r) {
      r.r2 = Fixtures.adds(outer, inner);
    }
  }

  /** The count is changed without the lock: an addition may have read it and not yet linked. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoLock {
    volatile int nestings;
    volatile boolean watched;
    volatile boolean source;

    @Actor
    public void leaf(ZZ_Result r) {
      synchronized (this) {
        if (nestings == 0 && !watched) {
          source = true;
          r.r1 = true;
        }
      }
    }

    @Actor
    public void nest(ZZ_Result r) {
      nestings = 1;
      if (!source) {
        watched = true;
        r.r2 = true;
      }
      nestings = 0;
    }
  }
}
