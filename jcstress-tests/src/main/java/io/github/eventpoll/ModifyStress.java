package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-MOD-1: of a modification and an event that only the new mask wants at least one sees
 * the other; the source has ordered state. Result: the item is listed.
 */
@Claim(id = "MO-MOD-1")
public final class ModifyStress {
  private ModifyStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-MOD-1: ready and wanted, not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-MOD-1: not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Broken {}

  /** Mask and state, both volatile. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if (mask != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      if (state != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped poll. */
  abstract static class Shipped {
    final EventPoll poll;
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EpItem item;

    Shipped(LockKind kind) {
      poll = Fixtures.poll(kind);
      item = poll.add(source, Events.OUT);
    }

    public void source() {
      source.fire();
    }

    public void modify() {
      item.modify(Events.IN);
    }

    public void arbiter(Z_Result r) {
      r.r1 = poll.path.available();
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
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void modify() {
      super.modify();
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
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void modify() {
      super.modify();
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
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void modify() {
      super.modify();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The mask is stored with release. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseMask {
    private static final VarHandle MASK = Fixtures.field(TwinReleaseMask.class, "mask", int.class);

    volatile int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if (mask != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      MASK.setRelease(this, 1);
      if (state != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }
}
