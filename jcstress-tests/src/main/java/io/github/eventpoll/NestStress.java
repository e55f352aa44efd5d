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
  abstract static class Shipped {
    final EventPoll inner;
    final EventPoll outer;
    final Fixtures.Ordered source = new Fixtures.Ordered();

    Shipped(LockKind kind) {
      inner = Fixtures.poll(kind);
      outer = Fixtures.poll(kind);
      inner.add(source, Events.IN);
    }

    public void callback() {
      source.fire();
    }

    public void newcomer() {
      outer.add(inner, Events.IN);
    }

    public void arbiter(Z_Result r) {
      r.r1 = outer.path.available();
    }
  }

  /** The spin variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualSpin extends Shipped {
    public ActualSpin() {
      super(LockKind.SPIN);
    }

    @Override
    @Actor
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The rwlock variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualRw extends Shipped {
    public ActualRw() {
      super(LockKind.RWLOCK);
    }

    @Override
    @Actor
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The lock-free variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualLockFree extends Shipped {
    public ActualLockFree() {
      super(LockKind.LOCK_FREE);
    }

    @Override
    @Actor
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
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
