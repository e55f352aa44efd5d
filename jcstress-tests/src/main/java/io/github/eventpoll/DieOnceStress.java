package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SpinLock;
import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-DEAD-1: of two who end an item, by remove and by closing its source, one does the
 * accounts. Results: who does.
 */
@Claim(id = "MO-DEAD-1")
public final class DieOnceStress {
  private DieOnceStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-DEAD-1: counted down twice")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-DEAD-1: never counted down")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-DEAD-1: twice")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Broken {}

  /** Test and set in one section. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean dead;

    boolean kill() {
      lock.lock();
      boolean first = !dead;
      dead = true;
      lock.unlock();
      return first;
    }

    @Actor
    public void remover(ZZ_Result r) {
      r.r1 = kill();
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = kill();
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void remover(ZZ_Result r) {
      r.r1 = path.kill(item) != CallbackPath.Killed.BEFORE;
    }

    public void closer(ZZ_Result r) {
      r.r2 = path.kill(item) != CallbackPath.Killed.BEFORE;
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
    public void remover(ZZ_Result r) {
      super.remover(r);
    }

    @Override
    @Actor
    public void closer(ZZ_Result r) {
      super.closer(r);
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
    public void remover(ZZ_Result r) {
      super.remover(r);
    }

    @Override
    @Actor
    public void closer(ZZ_Result r) {
      super.closer(r);
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
    public void remover(ZZ_Result r) {
      super.remover(r);
    }

    @Override
    @Actor
    public void closer(ZZ_Result r) {
      super.closer(r);
    }
  }

  /** Test, then set, without the lock. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoLock {
    volatile boolean dead;

    boolean kill() {
      boolean first = !dead;
      dead = true;
      return first;
    }

    @Actor
    public void remover(ZZ_Result r) {
      r.r1 = kill();
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = kill();
    }
  }
}
