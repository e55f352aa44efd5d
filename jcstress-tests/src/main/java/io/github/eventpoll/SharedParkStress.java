package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SharedLock;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-SHARED-2: of a sharer that leaves and an excluder that parks at least one sees the
 * other. In the shipped lock the sharer waits for the excluder to get in, gives up after a time
 * that no wake needs, and then helps it out. Result: not parked for ever.
 */
@Claim(id = "MO-SHARED-2")
public final class SharedParkStress {
  private SharedParkStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-SHARED-2: parked, nobody will unpark")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "not parked, or told")
  static final class Sound {}

  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-SHARED-2: parked, nobody will unpark")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "not parked, or told")
  static final class Broken {}

  /** Counted off, then it is read who waits; waiting, then the count is read. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger count = new AtomicInteger(1);
    volatile boolean waiting;
    boolean told;
    boolean parked;

    @Actor
    public void sharer() {
      count.getAndDecrement();
      told = waiting;
    }

    @Actor
    public void excluder() {
      waiting = true;
      parked = count.get() != 0;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = told || !parked;
    }
  }

  /** The shipped lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    private static final long GIVE_UP_NANOS = 5_000_000_000L;
    private static final int LOOKS_PER_CLOCK = 1000;

    final SharedLock lock = new SharedLock();
    final int cell = lock.lockShared();
    volatile Thread excluder;
    volatile boolean inside;

    @Actor
    public void sharer(Z_Result r) {
      lock.unlockShared(cell);
      r.r1 = true;
      long end = System.nanoTime() + GIVE_UP_NANOS;
      for (int i = 1; !inside; i++) {
        Thread.onSpinWait();
        if (i % LOOKS_PER_CLOCK == 0 && System.nanoTime() - end > 0) {
          r.r1 = false;
          LockSupport.unpark(excluder);
        }
      }
    }

    @Actor
    public void excluder() {
      excluder = Thread.currentThread();
      lock.lock();
      inside = true;
      lock.unlock();
    }
  }

  /** The excluder says by a release store that it waits. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseWaiting {
    private static final VarHandle WAITING =
        Fixtures.field(TwinReleaseWaiting.class, "waiting", boolean.class);

    final AtomicInteger count = new AtomicInteger(1);
    volatile boolean waiting;
    boolean told;
    boolean parked;

    @Actor
    public void sharer() {
      count.getAndDecrement();
      told = waiting;
    }

    @Actor
    public void excluder() {
      WAITING.setRelease(this, true);
      parked = count.get() != 0;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = told || !parked;
    }
  }
}
