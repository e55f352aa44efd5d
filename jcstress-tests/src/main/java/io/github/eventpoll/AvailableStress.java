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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-AVAIL-1: while a level-triggered item is ready all the time, nobody is told that there
 * is nothing, whatever scans go on. Result: what a waiter reads, several times.
 */
@Claim(id = "MO-AVAIL-1")
public final class AvailableStress {
  /** The windows are short: more than one chance for each sample. */
  private static final int ROUNDS = 8;

  private AvailableStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-AVAIL-1: ready all the time, not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-AVAIL-1: not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Broken {}

  /** One variable stands for list and scan: it does not change at all. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean available = true;
    int listed = 1;

    @Actor
    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        listed = 0; // in the scanner's hands
        listed = 1; // put back
        if (listed == 0) {
          available = false;
        }
      }
    }

    @Actor
    public void waiter(Z_Result r) {
      r.r1 = true;
      for (int i = 0; i < ROUNDS; i++) {
        r.r1 &= available;
      }
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
      path.accept(Fixtures.looseItem(Events.IN), Events.IN);
    }

    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        path.startScan();
        for (EpItem item = path.next(); item != null; item = path.next()) {
          path.requeue(item);
        }
        path.endScan();
      }
    }

    public void waiter(Z_Result r) {
      r.r1 = true;
      for (int i = 0; i < ROUNDS; i++) {
        r.r1 &= path.available();
      }
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
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void waiter(Z_Result r) {
      super.waiter(r);
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
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void waiter(Z_Result r) {
      super.waiter(r);
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
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void waiter(Z_Result r) {
      super.waiter(r);
    }
  }

  /** Only the list counts: while a scan has it in hand there seems to be nothing. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinScanNotCounted {
    volatile boolean listed = true;
    volatile int state = 1;

    @Actor
    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        listed = false;
        if (state != 0) {
          listed = true;
        }
      }
    }

    @Actor
    public void waiter(Z_Result r) {
      r.r1 = true;
      for (int i = 0; i < ROUNDS; i++) {
        r.r1 &= listed;
      }
    }
  }
}
