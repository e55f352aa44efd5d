package io.github.eventpoll.source;

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
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Checks MO-COUNT-1: what was read and what is left in a counter is what was written. Result: their
 * sum.
 */
@Claim(id = "MO-COUNT-1")
public final class CountStress {
  private static final long INITIAL = 4;
  private static final long SMALL = 1;
  private static final long LARGE = 1L << 40;

  private CountStress() {}

  @Outcome(id = "1099511627781", expect = ACCEPTABLE, desc = "nothing lost, nothing doubled")
  @Outcome(expect = FORBIDDEN, desc = "MO-COUNT-1: the sum is wrong")
  static final class Sound {}

  @Outcome(id = "1099511627781", expect = ACCEPTABLE, desc = "nothing lost, nothing doubled")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-COUNT-1: the sum is wrong")
  static final class Broken {}

  /** Every change is one atomic read-modify-write. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle COUNT = Fields.field(Model.class, "count", long.class);

    volatile long count = INITIAL;
    long taken;

    @Actor
    public void writer() {
      COUNT.getAndAdd(this, SMALL);
      long seen;
      do {
        seen = count;
      } while (!COUNT.compareAndSet(this, seen, seen + LARGE));
    }

    @Actor
    public void reader() {
      taken = (long) COUNT.getAndSet(this, 0L);
    }

    @Arbiter
    public void arbiter(J_Result r) {
      r.r1 = taken + count;
    }
  }

  /** The shipped counter. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventFd counter = EventFd.create((int) INITIAL);
    long taken;

    @Actor
    public void writer() {
      counter.tryWrite(SMALL);
      counter.tryWrite(LARGE);
    }

    @Actor
    public void reader() {
      taken = counter.tryRead();
    }

    @Arbiter
    public void arbiter(J_Result r) {
      r.r1 = taken + counter.count();
    }
  }

  /** Volatile, but read and then written. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReadThenWrite {
    volatile long count = INITIAL;
    long taken;

    @Actor
    public void writer() {
      long seen = count;
      count = seen + SMALL;
      seen = count;
      count = seen + LARGE;
    }

    @Actor
    public void reader() {
      taken = count;
      count = 0;
    }

    @Arbiter
    public void arbiter(J_Result r) {
      r.r1 = taken + count;
    }
  }
}
