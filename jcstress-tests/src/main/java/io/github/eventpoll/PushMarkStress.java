package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-PUSH-2: a callback that has pushed its item and is about to mark it does not mark the
 * claim of another. The scanner takes the item, lets it go and claims it as another callback would,
 * which is held up before its push. Result: the item counts as pushed and is not.
 */
@Claim(id = "MO-PUSH-2")
public final class PushMarkStress {
  /** How often the scanner looks: the callback may be late. */
  private static final int TRIES = 20;

  private static final int FREE = 0;
  private static final int CLAIMED = 1;
  private static final int PUSHED = 2;
  private static final int LISTED = 3;
  private static final int EARLY = 4;

  private PushMarkStress() {}

  @Outcome(id = "true", expect = FORBIDDEN, desc = "MO-PUSH-2: relied on, and on no list")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "claimed, or not to be claimed yet")
  static final class Sound {}

  @Outcome(id = "true", expect = ACCEPTABLE_INTERESTING, desc = "MO-PUSH-2: relied on, on no list")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "claimed, or not to be claimed yet")
  static final class Broken {}

  /** Who drains an item before it is marked leaves a trace, which the next claim respects. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger word = new AtomicInteger();
    volatile boolean pushed;
    boolean claimed;

    @Actor
    public void callback() {
      word.set(CLAIMED);
      pushed = true;
      if (!word.compareAndSet(CLAIMED, PUSHED)) {
        word.compareAndSet(EARLY, FREE);
      }
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < TRIES; i++) {
        if (pushed) {
          if (!word.compareAndSet(CLAIMED, EARLY)) {
            word.set(FREE);
          }
          claimed = word.compareAndSet(FREE, CLAIMED);
          return;
        }
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = claimed && word.get() == PUSHED;
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);
    boolean claimed;

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void callback() {
      path.accept(item, Events.IN);
    }

    public void scanner() {
      for (int i = 0; i < TRIES && !claimed; i++) {
        path.startScan();
        if (path.next() != null) {
          path.letGo(item);
          claimed = item.claim();
          path.drop(item);
        }
        path.endScan();
      }
    }

    public void arbiter(Z_Result r) {
      r.r1 = claimed && item.state != EpItem.CLAIMED;
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
    public void scanner() {
      super.scanner();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The scanner leaves no trace that the mark is still to come. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoTrace {
    final AtomicInteger word = new AtomicInteger();
    volatile boolean pushed;
    boolean claimed;

    @Actor
    public void callback() {
      word.set(CLAIMED);
      pushed = true;
      word.compareAndSet(CLAIMED, PUSHED);
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < TRIES; i++) {
        if (pushed) {
          word.set(LISTED);
          word.set(FREE);
          claimed = word.compareAndSet(FREE, CLAIMED);
          return;
        }
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = claimed && word.get() == PUSHED;
    }
  }
}
