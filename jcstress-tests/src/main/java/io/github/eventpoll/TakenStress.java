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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-AVAIL-2: an item that a callback has pushed is available from the return of the
 * callback on, while scans take it from the stack, keep it and end. Result: available.
 */
@Claim(id = "MO-AVAIL-2")
public final class TakenStress {
  /** The windows are short: more than one chance for each sample. */
  private static final int ROUNDS = 8;

  private TakenStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-AVAIL-2: pushed, not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-AVAIL-2: not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Broken {}

  /** Marked as listed before it is off the stack; the reader looks at the stack first. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger stack = new AtomicInteger();
    volatile boolean listed;

    @Actor
    public void callback(Z_Result r) {
      stack.set(1);
      r.r1 = stack.get() != 0 || listed;
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        if (stack.get() != 0) {
          listed = true;
          stack.set(0);
        }
      }
    }
  }

  /** The shipped path; a second item is there to be dropped. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
      path.accept(Fixtures.looseItem(Events.IN), Events.IN);
    }

    public void callback(Z_Result r) {
      path.accept(item, Events.IN);
      r.r1 = true;
      for (int i = 0; i < ROUNDS; i++) {
        r.r1 &= path.available();
      }
    }

    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        path.startScan();
        for (EpItem met = path.next(); met != null; met = path.next()) {
          path.letGo(met);
          if (met == item) {
            path.requeue(item);
          } else {
            path.drop(met);
          }
        }
        path.endScan();
      }
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
    public void callback(Z_Result r) {
      super.callback(r);
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }
  }

  /** The reader looks at the mark first, then at the stack. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinListedFirst {
    final AtomicInteger stack = new AtomicInteger();
    volatile boolean listed;

    @Actor
    public void callback(Z_Result r) {
      stack.set(1);
      r.r1 = listed || stack.get() != 0;
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < ROUNDS; i++) {
        if (stack.get() != 0) {
          listed = true;
          stack.set(0);
        }
      }
    }
  }
}
