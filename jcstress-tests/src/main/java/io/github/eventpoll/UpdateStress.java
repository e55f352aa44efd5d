package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SpinLock;
import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-DEMAND-2: of two threads that set a source's deadline, what the poll keeps in the end
 * is what the source has in the end. Result: it is.
 */
@Claim(id = "MO-DEMAND-2")
public final class UpdateStress {
  private UpdateStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-DEMAND-2: the poll keeps an old deadline")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the poll and the source agree")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-DEMAND-2: an old deadline")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the poll and the source agree")
  static final class Broken {}

  /** The value is read inside the section in which it is noted. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock guard = new SpinLock();
    volatile int deadline;
    int noted;

    void set(int value) {
      deadline = value;
      guard.lock();
      noted = deadline;
      guard.unlock();
    }

    @Actor
    public void one() {
      set(1);
    }

    @Actor
    public void other() {
      set(2);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = noted == deadline;
    }
  }

  /** The shipped class. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Deadlines deadlines = new Deadlines();
    final EpItem item = Fixtures.looseItem(Events.IN);
    final Fixtures.OneDeadline demand = new Fixtures.OneDeadline();

    @Actor
    public void one() {
      demand.deadline = 1;
      deadlines.update(item, demand);
    }

    @Actor
    public void other() {
      demand.deadline = 2;
      deadlines.update(item, demand);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = deadlines.nearest() == demand.deadline;
    }
  }

  /** The value is read before the section. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReadOutside {
    final SpinLock guard = new SpinLock();
    volatile int deadline;
    int noted;

    void set(int value) {
      deadline = value;
      int seen = deadline;
      guard.lock();
      noted = seen;
      guard.unlock();
    }

    @Actor
    public void one() {
      set(1);
    }

    @Actor
    public void other() {
      set(2);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = noted == deadline;
    }
  }
}
