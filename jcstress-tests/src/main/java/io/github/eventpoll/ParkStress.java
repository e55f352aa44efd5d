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
 * Checks MO-PARK-1: a waiter that is chosen does not park, or whoever chose it knows that it must
 * be unparked. First result: the chooser will unpark. Second: the waiter parks.
 */
@Claim(id = "MO-PARK-1")
public final class ParkStress {
  private ParkStress() {}

  @Outcome(id = "false, true", expect = FORBIDDEN, desc = "MO-PARK-1: chosen, parked, not unparked")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "parked, then chosen and unparked")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "chosen before it parked")
  static final class Sound {}

  @Outcome(id = "false, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-PARK-1: chosen, parked")
  @Outcome(expect = ACCEPTABLE, desc = "both sides agree")
  static final class Broken {}

  private static final int PARKED = 1;
  private static final int CHOSEN = 4;

  /** Where the thread is and whether it was chosen are one word. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle WORD = Fixtures.field(Model.class, "word", int.class);

    volatile int word;

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = ((int) WORD.getAndBitwiseOr(this, CHOSEN) & PARKED) != 0;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r2 = WORD.compareAndSet(this, 0, PARKED);
    }
  }

  /** The shipped word. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Waiter waiter = Fixtures.waiter();

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = (waiter.choose(0) & Waiter.PARKED) != 0;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r2 = waiter.tryPark();
    }
  }

  /** The shipped word of a waiter that is about to sleep in a driver. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualSelect {
    final Waiter waiter = Fixtures.waiter();

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = (waiter.choose(0) & Waiter.SELECTING) != 0;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r2 = waiter.trySelect();
    }
  }

  /** The waiter tests the word and then sets it. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinCheckThenSet {
    private static final VarHandle WORD = Fixtures.field(TwinCheckThenSet.class, "word", int.class);

    volatile int word;

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = ((int) WORD.getAndBitwiseOr(this, CHOSEN) & PARKED) != 0;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r2 = word == 0;
      if (r.r2) {
        WORD.getAndBitwiseOr(this, PARKED);
      }
    }
  }
}
