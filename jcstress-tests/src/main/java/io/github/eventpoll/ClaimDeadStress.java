package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-DEAD-2: of a callback that claims its item and an end of this item at least one sees
 * the other. First result: the callback accepted. Second: the end found the item listed nowhere.
 */
@Claim(id = "MO-DEAD-2")
public final class ClaimDeadStress {
  private ClaimDeadStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-DEAD-2: pushed, and not known to be")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-DEAD-2: not known")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Broken {}

  /** Claimed, then "dead" is read; dead, then the claim is read. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger word = new AtomicInteger();
    volatile boolean dead;

    @Actor
    public void callback(ZZ_Result r) {
      r.r1 = word.compareAndSet(0, 1) && !dead;
    }

    @Actor
    public void end(ZZ_Result r) {
      dead = true;
      r.r2 = word.get() == 0;
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void callback(ZZ_Result r) {
      r.r1 = path.accept(item, Events.IN);
    }

    public void end(ZZ_Result r) {
      r.r2 = path.kill(item) == CallbackPath.Killed.NOW;
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
    public void callback(ZZ_Result r) {
      super.callback(r);
    }

    @Override
    @Actor
    public void end(ZZ_Result r) {
      super.end(r);
    }
  }

  /** The callback reads "dead" and claims afterwards. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinDeadFirst {
    final AtomicInteger word = new AtomicInteger();
    volatile boolean dead;

    @Actor
    public void callback(ZZ_Result r) {
      r.r1 = !dead && word.compareAndSet(0, 1);
    }

    @Actor
    public void end(ZZ_Result r) {
      dead = true;
      r.r2 = word.get() == 0;
    }
  }
}
