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
 * Checks MO-NEST-2 for the addition of a source to a watched poll, and of this poll to one more,
 * with room for one path. Results: which additions succeeded.
 */
@Claim(id = "MO-NEST-2")
public final class NestLeafStress {
  private NestLeafStress() {}

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

  /** One side takes the stripe of its source, the other side all. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final Object[] stripes = {new Object(), new Object()};
    int watchers = 1;
    boolean source;

    @Actor
    public void leaf(ZZ_Result r) {
      synchronized (stripes[1]) {
        if (watchers == 1) {
          source = true;
          r.r1 = true;
        }
      }
    }

    @Actor
    public void nest(ZZ_Result r) {
      synchronized (stripes[0]) {
        synchronized (stripes[1]) {
          if (!source) {
            watchers++;
            r.r2 = true;
          }
        }
      }
    }
  }

  /** The shipped polls. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll first = EventPoll.create();
    final EventPoll second = Fixtures.onePath();
    final EventPoll inner = Fixtures.onePath();
    final Fixtures.Ordered source = new Fixtures.Ordered();

    public Actual() {
      first.add(inner, Events.IN);
    }

    @Actor
    public void leaf(ZZ_Result r) {
      r.r1 = Fixtures.adds(inner, source);
    }

    @Actor
    public void nest(ZZ_Result r) {
      r.r2 = Fixtures.adds(second, inner);
    }
  }

  /** The side that should take all stripes leaves one out. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinOneStripeShort {
    final Object[] stripes = {new Object(), new Object()};
    volatile int watchers = 1;
    volatile boolean source;

    @Actor
    public void leaf(ZZ_Result r) {
      synchronized (stripes[1]) {
        if (watchers == 1) {
          source = true;
          r.r1 = true;
        }
      }
    }

    @Actor
    public void nest(ZZ_Result r) {
      synchronized (stripes[0]) {
        if (!source) {
          watchers++;
          r.r2 = true;
        }
      }
    }
  }
}
