package io.github.eventpoll.source;

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
 * Checks MO-COUNT-1: a counter does not run over. Two writes of which only one fits. Results: which
 * were accepted.
 */
@Claim(id = "MO-COUNT-1")
public final class CountBoundStress {
  private static final long FULL = -1L;
  private static final long SMALL = 5;
  private static final long LARGE = -3L;

  private CountBoundStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-COUNT-1: the counter ran over")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-COUNT-1: refused without a reason")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Sound {}

  @Outcome(
      id = "true, true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-COUNT-1: the counter ran over")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Broken {}

  private static boolean fits(long value, long count) {
    return Long.compareUnsigned(FULL - count, value) > 0;
  }

  /** What fits is decided on the value that the CAS replaces. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle COUNT = Fields.field(Model.class, "count", long.class);

    volatile long count;

    @Actor
    public void small(ZZ_Result r) {
      r.r1 = add(SMALL);
    }

    @Actor
    public void large(ZZ_Result r) {
      r.r2 = add(LARGE);
    }

    private boolean add(long value) {
      for (; ; ) {
        long seen = count;
        if (!fits(value, seen)) {
          return false;
        }
        if (COUNT.compareAndSet(this, seen, seen + value)) {
          return true;
        }
      }
    }
  }

  /** The shipped counter. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventFd counter = EventFd.create();

    @Actor
    public void small(ZZ_Result r) {
      r.r1 = counter.tryWrite(SMALL);
    }

    @Actor
    public void large(ZZ_Result r) {
      r.r2 = counter.tryWrite(LARGE);
    }
  }

  /** What is small beside the count that was seen is added to whatever the count is by then. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinBlindAdd {
    private static final VarHandle COUNT = Fields.field(TwinBlindAdd.class, "count", long.class);

    volatile long count;

    @Actor
    public void small(ZZ_Result r) {
      if (fits(SMALL, count)) {
        COUNT.getAndAdd(this, SMALL);
        r.r1 = true;
      }
    }

    @Actor
    public void large(ZZ_Result r) {
      long seen = count;
      r.r2 = fits(LARGE, seen) && COUNT.compareAndSet(this, seen, seen + LARGE);
    }
  }
}
