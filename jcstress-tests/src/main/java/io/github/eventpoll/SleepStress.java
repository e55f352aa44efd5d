package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-SLEEP-1: a callback that finds nobody to wake and a waiter that finds nothing to do
 * never happen together. First result: the callback chose the waiter. Second: the waiter saw the
 * event.
 */
@Claim(id = "MO-SLEEP-1")
public final class SleepStress {
  private SleepStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-SLEEP-1: asleep with an event")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Sound {}

  @Outcome(
      id = "false, false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-SLEEP-1: asleep with an event")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Broken {}

  /** Two volatile variables, each side writes one and reads the other. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean available;
    volatile boolean sleeper;

    @Actor
    public void callback(ZZ_Result r) {
      available = true;
      r.r1 = sleeper;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      sleeper = true;
      r.r2 = available;
    }
  }

  /** The shipped classes: accept, then wakeOne; enlist, then available. */
  abstract static class Shipped {
    final CallbackPath path;
    final Sleepers sleepers = new Sleepers(Fixtures.POLL);
    final EpItem item = Fixtures.looseItem(Events.IN);
    final Waiter waiter = Fixtures.waiter();

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void callback(ZZ_Result r) {
      path.accept(item, Events.IN);
      r.r1 = sleepers.wakeOne();
    }

    public void waiter(ZZ_Result r) {
      sleepers.enlist(waiter);
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
    public void callback(ZZ_Result r) {
      super.callback(r);
    }

    @Override
    @Actor
    public void waiter(ZZ_Result r) {
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
    public void callback(ZZ_Result r) {
      super.callback(r);
    }

    @Override
    @Actor
    public void waiter(ZZ_Result r) {
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
    public void callback(ZZ_Result r) {
      super.callback(r);
    }

    @Override
    @Actor
    public void waiter(ZZ_Result r) {
      super.waiter(r);
    }
  }

  /** The event is published by a release store: nothing orders it before the look for sleepers. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseStore {
    private static final VarHandle AVAILABLE =
        Fixtures.field(TwinReleaseStore.class, "available", boolean.class);

    volatile boolean available;
    volatile boolean sleeper;

    @Actor
    public void callback(ZZ_Result r) {
      AVAILABLE.setRelease(this, true);
      r.r1 = sleeper;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      sleeper = true;
      r.r2 = available;
    }
  }
}
