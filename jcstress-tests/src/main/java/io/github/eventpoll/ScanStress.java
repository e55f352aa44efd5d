package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SpinLock;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-SCAN-1: an event of an item that a scan has in hand is seen by the scan or lists the
 * item again. First result: the scan saw the event. Second: the item is listed afterwards.
 */
@Claim(id = "MO-SCAN-1")
public final class ScanStress {
  private ScanStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-SCAN-1: neither seen nor listed")
  @Outcome(expect = ACCEPTABLE, desc = "seen, or listed again, or both")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-SCAN-1: event lost")
  @Outcome(expect = ACCEPTABLE, desc = "seen, or listed again, or both")
  static final class Broken {}

  /** The item is off the list before the source is asked; both sides change the list in a lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    volatile int state;
    boolean listed = true;

    @Actor
    public void callback() {
      state = 1;
      lock.lock();
      listed = true;
      lock.unlock();
    }

    @Actor
    public void scanner(ZZ_Result r) {
      lock.lock();
      listed = false;
      lock.unlock();
      r.r1 = state == 1;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = listed;
    }
  }

  /** The shipped path; the item is edge-triggered: the scan does not put it back. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN | Events.ET);
    int state;

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
      path.accept(item, Events.IN);
    }

    public void callback() {
      state = 1;
      VarHandle.fullFence(); // as in WaitQueue.wake
      path.accept(item, Events.IN);
    }

    public void scanner(ZZ_Result r) {
      path.startScan();
      path.next();
      path.letGo(item);
      path.beforeAsking(item);
      r.r1 = state == 1;
      path.drop(item);
      path.endScan();
    }

    public void arbiter(ZZ_Result r) {
      r.r2 = path.available();
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
    public void scanner(ZZ_Result r) {
      super.scanner(r);
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
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
    public void scanner(ZZ_Result r) {
      super.scanner(r);
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
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
    public void scanner(ZZ_Result r) {
      super.scanner(r);
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
      super.arbiter(r);
    }
  }

  /** The source is asked first, then the item is taken off the list. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinAskFirst {
    final SpinLock lock = new SpinLock();
    volatile int state;
    boolean listed = true;

    @Actor
    public void callback() {
      state = 1;
      lock.lock();
      listed = true;
      lock.unlock();
    }

    @Actor
    public void scanner(ZZ_Result r) {
      r.r1 = state == 1;
      lock.lock();
      listed = false;
      lock.unlock();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = listed;
    }
  }

  /** The callback tests without the lock whether the item is listed. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoLock {
    final SpinLock lock = new SpinLock();
    int state;
    boolean listed = true;

    @Actor
    public void callback() {
      state = 1;
      if (!listed) {
        lock.lock();
        listed = true;
        lock.unlock();
      }
    }

    @Actor
    public void scanner(ZZ_Result r) {
      lock.lock();
      listed = false;
      lock.unlock();
      r.r1 = state == 1;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = listed;
    }
  }
}
