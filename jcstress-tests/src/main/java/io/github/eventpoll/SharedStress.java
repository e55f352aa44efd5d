package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SharedLock;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-SHARED-1: a shared and an exclusive section do not overlap, and the later one sees what
 * the earlier one did. First result: the sharer met the excluder inside or its work half done.
 * Second: the other way round.
 */
@Claim(id = "MO-SHARED-1")
public final class SharedStress {
  private static final int ROUNDS = 4;

  private SharedStress() {}

  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "MO-SHARED-1: both inside")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-SHARED-1: both inside")
  static final class Broken {}

  /**
   * Counted, then "excluded" is read; excluded, then the count is read. Who meets the other gives
   * up.
   */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger count = new AtomicInteger();
    volatile boolean excluded;
    int work;
    int more;

    @Actor
    public void sharer(ZZ_Result r) {
      count.getAndIncrement();
      if (!excluded) {
        r.r1 = work != more;
      }
      count.getAndDecrement();
    }

    @Actor
    public void excluder(ZZ_Result r) {
      excluded = true;
      if (count.get() == 0) {
        work = 1;
        more = 1;
        excluded = false;
      }
    }
  }

  /** The shipped lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final SharedLock lock = new SharedLock();
    boolean sharing;
    boolean excluding;

    @Actor
    public void sharer(ZZ_Result r) {
      for (int i = 0; i < ROUNDS; i++) {
        int cell = lock.lockShared();
        sharing = true;
        r.r1 |= excluding;
        VarHandle.fullFence(); // stay inside for a while; the lock comes before and after
        r.r1 |= excluding;
        sharing = false;
        lock.unlockShared(cell);
      }
    }

    @Actor
    public void excluder(ZZ_Result r) {
      for (int i = 0; i < ROUNDS; i++) {
        lock.lock();
        excluding = true;
        r.r2 |= sharing;
        VarHandle.fullFence(); // as above
        r.r2 |= sharing;
        excluding = false;
        lock.unlock();
      }
    }
  }

  /** The sharer counts itself by a release store. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseCount {
    private static final VarHandle COUNT =
        Fixtures.field(TwinReleaseCount.class, "count", int.class);

    volatile int count;
    volatile boolean excluded;

    @Actor
    public void sharer(ZZ_Result r) {
      COUNT.setRelease(this, 1);
      r.r1 = !excluded; // inside
    }

    @Actor
    public void excluder(ZZ_Result r) {
      excluded = true;
      r.r2 = count == 0; // inside
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      boolean both = r.r1 && r.r2;
      r.r1 = both;
      r.r2 = both;
    }
  }
}
