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
 * Checks MO-LATE-1: an item that a callback found claimed by another, which is held up, is
 * available from the return of that callback on, whatever a scan of other items does. Result:
 * available.
 */
@Claim(id = "MO-LATE-1")
public final class LateStress {
  /** The windows are short: more than one chance for each sample. */
  private static final int ROUNDS = 8;

  private static final int MANY_ROUNDS = 100;

  private LateStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-LATE-1: accepted, not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-LATE-1: not available")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "available")
  static final class Broken {}

  /** The reader looks at the list of the late itself, before it looks at what is listed. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger late = new AtomicInteger();
    volatile boolean listed = true;

    @Actor
    public void callback(Z_Result r) {
      late.set(1);
      r.r1 = true;
      for (int i = 0; i < ROUNDS; i++) {
        r.r1 &= late.get() != 0 || listed;
      }
    }

    @Actor
    public void scanner() {
      listed = false;
      if (late.get() != 0) {
        listed = true;
        late.set(0);
      }
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
      path.accept(Fixtures.looseItem(Events.IN), Events.IN);
      item.claim(); // by a callback that is held up before its push
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

  /**
   * The callback announces what it added; the scanner takes the announcement back and looks
   * afterwards.
   */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinAnnounced {
    final AtomicInteger late = new AtomicInteger();
    volatile boolean listed = true;

    @Actor
    public void callback(Z_Result r) {
      late.set(1);
      listed = true;
      r.r1 = true;
      for (int i = 0; i < MANY_ROUNDS; i++) {
        r.r1 &= listed;
      }
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < MANY_ROUNDS; i++) {
        listed = false;
        if (late.get() != 0) {
          listed = true;
        }
      }
    }
  }
}
