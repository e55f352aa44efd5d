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
 * Checks MO-MOD-1 for a source whose state is plain: there the fences in {@code wake} and in {@code
 * modify} carry the claim. Result: the item is listed.
 */
@Claim(id = {"MO-MOD-1", "MO-WAKE-1"})
public final class ModifyPlainStress {
  private ModifyPlainStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-MOD-1: ready and wanted, not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-MOD-1: not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Broken {}

  /** A full fence on both sides. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      VarHandle.fullFence();
      if (mask != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      VarHandle.fullFence();
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
    final Fixtures.Plain source = new Fixtures.Plain();
    final EpItem item;

    Shipped(LockKind kind) {
      poll = Fixtures.poll(kind);
      item = poll.add(source, Events.OUT);
    }

    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
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

  /** No fence on the side of the source. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoFence {
    int state;
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
      VarHandle.fullFence();
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
