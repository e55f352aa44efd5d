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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Checks MO-REG-1: two registrations at the same time are both there afterwards. Results: which
 * are.
 */
@Claim(id = "MO-REG-1")
public final class RegisterBothStress {
  private RegisterBothStress() {}

  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both")
  @Outcome(expect = FORBIDDEN, desc = "MO-REG-1: a registration was overwritten")
  static final class Sound {}

  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-REG-1: a registration was overwritten")
  static final class Broken {}

  /** A counter by CAS. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger entries = new AtomicInteger();

    void register() {
      for (; ; ) {
        int seen = entries.get();
        if (entries.compareAndSet(seen, seen + 1)) {
          return;
        }
      }
    }

    @Actor
    public void one() {
      register();
    }

    @Actor
    public void other() {
      register();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = entries.get();
    }
  }

  /** The shipped queue. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final WaitQueue queue = new WaitQueue();
    final EpItem first = Fixtures.looseItem(Events.IN);
    final EpItem second = Fixtures.looseItem(Events.IN);

    @Actor
    public void one() {
      queue.register(first);
    }

    @Actor
    public void other() {
      queue.register(second);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = queue.snapshot().length;
    }
  }

  /** Read, then set. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReadThenSet {
    final AtomicInteger entries = new AtomicInteger();

    @Actor
    public void one() {
      entries.set(entries.get() + 1);
    }

    @Actor
    public void other() {
      entries.set(entries.get() + 1);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = entries.get();
    }
  }
}
