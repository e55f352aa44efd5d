package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SpinLock;
import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Checks MO-DEAD-1: two callbacks of one item at the same time list it once. Result: how often a
 * scan meets it.
 */
@Claim(id = "MO-DEAD-1")
public final class ListOnceStress {
  private ListOnceStress() {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "once")
  @Outcome(expect = FORBIDDEN, desc = "MO-DEAD-1: listed twice, or not at all")
  static final class Sound {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "once")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-DEAD-1: listed twice, or not at all")
  static final class Broken {}

  /** Test and listing in one section. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean linked;
    int listed;

    void accept() {
      lock.lock();
      if (!linked) {
        linked = true;
        listed++;
      }
      lock.unlock();
    }

    @Actor
    public void one() {
      accept();
    }

    @Actor
    public void other() {
      accept();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    private static final int ENOUGH = 3;

    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void one() {
      path.accept(item, Events.IN);
    }

    public void other() {
      path.accept(item, Events.IN);
    }

    public void arbiter(I_Result r) {
      int met = 0;
      path.startScan();
      for (EpItem found = path.next(); found != null && met < ENOUGH; found = path.next()) {
        Fixtures.drop(path, found);
        met++;
      }
      path.endScan();
      r.r1 = met;
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
    public void one() {
      super.one();
    }

    @Override
    @Actor
    public void other() {
      super.other();
    }

    @Override
    @Arbiter
    public void arbiter(I_Result r) {
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
    public void one() {
      super.one();
    }

    @Override
    @Actor
    public void other() {
      super.other();
    }

    @Override
    @Arbiter
    public void arbiter(I_Result r) {
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
    public void one() {
      super.one();
    }

    @Override
    @Actor
    public void other() {
      super.other();
    }

    @Override
    @Arbiter
    public void arbiter(I_Result r) {
      super.arbiter(r);
    }
  }

  /** The test comes before the section. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestOutside {
    final SpinLock lock = new SpinLock();
    volatile boolean linked;
    int listed;

    void accept() {
      if (!linked) {
        lock.lock();
        linked = true;
        listed++;
        lock.unlock();
      }
    }

    @Actor
    public void one() {
      accept();
    }

    @Actor
    public void other() {
      accept();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = listed;
    }
  }
}
