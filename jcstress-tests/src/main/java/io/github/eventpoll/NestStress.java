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
 * Checks MO-ADD-1 where the source is a poll: its state is whether it has something listed, which a
 * callback does not write again if it is so already. Result: the outer poll has listed the inner.
 */
@Claim(id = "MO-ADD-1")
public final class NestStress {
  private NestStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-ADD-1: inner poll ready, outer asleep")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by the addition or by the callback")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-ADD-1: outer asleep")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by the addition or by the callback")
  static final class Broken {}

  /** As for any source. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean available;
    volatile boolean watched;
    volatile boolean outerListed;

    @Actor
    public void callback() {
      available = true;
      if (watched) {
        outerListed = true;
      }
    }

    @Actor
    public void newcomer() {
      watched = true;
      if (available) {
        outerListed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = outerListed;
    }
  }

  /** The shipped poll, twice. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll inner = EventPoll.create();
    final EventPoll outer = EventPoll.create();
    final Fixtures.Ordered source = new Fixtures.Ordered();

    public Actual() {
      inner.add(source, Events.IN);
    }

    @Actor
    public void callback() {
      source.fire();
    }

    @Actor
    public void newcomer() {
      outer.add(inner, Events.IN);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = outer.path.available();
    }
  }

  /** The inner poll tells its watchers before it lists. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTellFirst {
    volatile boolean available;
    volatile boolean watched;
    volatile boolean outerListed;

    @Actor
    public void callback() {
      boolean tell = watched;
      available = true;
      if (tell) {
        outerListed = true;
      }
    }

    @Actor
    public void newcomer() {
      watched = true;
      if (available) {
        outerListed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = outerListed;
    }
  }
}
