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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-KICK-1: a waiter that clears a kick sees what it was kicked for. It has a kick already;
 * another one comes. First result: it has seen the second reason. Second: it looks again or is
 * unparked.
 */
@Claim(id = "MO-KICK-1")
public final class KickStress {
  private KickStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-KICK-1: kick and reason both missed")
  @Outcome(expect = ACCEPTABLE, desc = "the reason was seen, or will be")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-KICK-1: both missed")
  @Outcome(expect = ACCEPTABLE, desc = "the reason was seen, or will be")
  static final class Broken {}

  /** Clear, then look; publish, then kick. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger kicks = new AtomicInteger(1);
    volatile int reason;

    @Actor
    public void kicker() {
      reason = 1;
      kicks.getAndSet(1);
    }

    @Actor
    public void waiter(ZZ_Result r) {
      kicks.getAndSet(0);
      r.r1 = reason == 1;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = kicks.get() == 1;
    }
  }

  /** The shipped word. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Waiter waiter = Fixtures.waiter();
    volatile int reason;
    boolean told;

    public Actual() {
      waiter.kick();
    }

    @Actor
    public void kicker() {
      reason = 1;
      told = (waiter.kick() & (Waiter.PARKED | Waiter.KICKED)) == Waiter.PARKED;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      waiter.beginLook();
      r.r1 = reason == 1;
      r.r2 = !waiter.tryPark();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 |= told;
    }
  }

  /** The kick is cleared after the look. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinClearAfter {
    final Waiter waiter = Fixtures.waiter();
    volatile int reason;
    boolean told;

    public TwinClearAfter() {
      waiter.kick();
    }

    @Actor
    public void kicker() {
      reason = 1;
      told = (waiter.kick() & (Waiter.PARKED | Waiter.KICKED)) == Waiter.PARKED;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      r.r1 = reason == 1;
      waiter.beginLook();
      r.r2 = !waiter.tryPark();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 |= told;
    }
  }
}
