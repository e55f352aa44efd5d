package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.Driver;
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
 * Checks MO-TURN-1: one thread gives the turn of a driver up, another one wants to sleep. Result:
 * the second has the turn, or has been told to look again.
 */
@Claim(id = "MO-TURN-1")
public final class TurnStress {
  private TurnStress() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "took the turn, or was told")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-TURN-1: asleep, and nobody leads")
  static final class Sound {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "took the turn, or was told")
  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-TURN-1: nobody leads")
  static final class Broken {}

  /** Each side writes its own variable, then reads the other's; all volatile. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int holder = 1;
    volatile int candidate;
    boolean kicked;
    boolean free;

    @Actor
    public void leaver() {
      holder = 0;
      kicked = candidate == 1;
    }

    @Actor
    public void comer() {
      candidate = 1;
      free = holder == 0;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = kicked || free;
    }
  }

  /** The shipped turn, candidates and word of the waiter. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Seat seat = (Seat) new Idle().seat();
    final Seat[] seats = {seat};
    final Waiter comer = Fixtures.waiter();
    final Leading leading = new Leading();

    public Actual() {
      Waiter leaver = Fixtures.waiter();
      leaver.lead(seat);
      seat.tryTake(leaver);
    }

    @Actor
    public void leaver() {
      seat.release();
    }

    @Actor
    public void comer() {
      comer.beginLook();
      comer.becomeCandidate(seats);
      leading.lead(comer, seats);
      comer.tryPark();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = leading.led() == seat || !comer.isAsleep();
    }
  }

  /** The turn is given up by a release store: nothing orders it before the look at candidates. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseStore {
    private static final VarHandle HOLDER =
        Fixtures.field(TwinReleaseStore.class, "holder", int.class);

    volatile int holder = 1;
    volatile int candidate;
    boolean kicked;
    boolean free;

    @Actor
    public void leaver() {
      HOLDER.setRelease(this, 0);
      kicked = candidate == 1;
    }

    @Actor
    public void comer() {
      candidate = 1;
      free = holder == 0;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = kicked || free;
    }
  }

  /** A driver that nobody sleeps in. */
  private static final class Idle extends Driver {
    @Override
    public void sleep(long until) {}

    @Override
    public void dispatch() {}

    @Override
    public void wake() {}

    @Override
    public boolean flushRequested() {
      return false;
    }
  }
}
