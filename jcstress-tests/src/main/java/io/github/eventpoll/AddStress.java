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
 * Checks MO-ADD-1: of a registration and an event at the same time at least one sees the other; the
 * source has ordered state. Result: the item is listed.
 */
@Claim(id = "MO-ADD-1")
public final class AddStress {
  private AddStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-ADD-1: ready, registered, not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by the addition or by the callback")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-ADD-1: not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by the addition or by the callback")
  static final class Broken {}

  /**
   * A CAS that inserts, then a look at the state; a store of the state, then a look at the entry.
   */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle ENTRIES = Fixtures.field(Model.class, "entries", int.class);

    volatile int state;
    volatile int entries;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if (entries != 0) {
        listed = true;
      }
    }

    @Actor
    public void newcomer() {
      ENTRIES.compareAndSet(this, 0, 1);
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

    Shipped(LockKind kind) {
      poll = Fixtures.poll(kind);
    }

    public void source() {
      source.fire();
    }

    public void newcomer() {
      poll.add(source, Events.IN);
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
    public void newcomer() {
      super.newcomer();
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
    public void newcomer() {
      super.newcomer();
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
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The entry is inserted by a release store. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseInsertion {
    private static final VarHandle ENTRIES =
        Fixtures.field(TwinReleaseInsertion.class, "entries", int.class);

    volatile int state;
    volatile int entries;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if (entries != 0) {
        listed = true;
      }
    }

    @Actor
    public void newcomer() {
      ENTRIES.setRelease(this, 1);
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
