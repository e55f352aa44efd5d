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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Checks MO-TOKEN-1: one {@code wakeup()} ends exactly one wait, the present one or the next.
 * Result: how many it ended.
 */
@Claim(id = "MO-TOKEN-1")
public final class TokenStress {
  private TokenStress() {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "one wait, present or next")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "MO-TOKEN-1: the wakeup is lost")
  @Outcome(id = "2", expect = FORBIDDEN, desc = "MO-TOKEN-1: the wakeup has worked twice")
  static final class Sound {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "one wait, present or next")
  @Outcome(id = "0", expect = ACCEPTABLE_INTERESTING, desc = "MO-TOKEN-1: the wakeup is lost")
  @Outcome(id = "2", expect = ACCEPTABLE_INTERESTING, desc = "MO-TOKEN-1: it has worked twice")
  static final class Broken {}

  /** Each side in one section of one lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean sleeper;
    boolean token;
    int ended;

    @Actor
    public void wakeup() {
      lock.lock();
      if (sleeper) {
        ended++;
      } else {
        token = true;
      }
      lock.unlock();
    }

    @Actor
    public void waiter() {
      lock.lock();
      if (token) {
        token = false;
        ended++;
      } else {
        sleeper = true;
      }
      lock.unlock();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = ended;
    }
  }

  /** The shipped list of waiters. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Sleepers sleepers = new Sleepers(Fixtures.POLL);
    final Waiter waiter = Fixtures.waiter();
    boolean turnedAway;

    @Actor
    public void wakeup() {
      sleepers.wakeup();
    }

    @Actor
    public void waiter() {
      turnedAway = !sleepers.enlist(waiter);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (turnedAway ? 1 : 0) + (waiter.isAwoken() ? 1 : 0);
      r.r1 += sleepers.enlist(Fixtures.waiter()) ? 0 : 1; // the token is left for the next one
    }
  }

  /** Whether anybody sleeps is tested before the section in which the token is set. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestOutside {
    final SpinLock lock = new SpinLock();
    volatile boolean sleeper;
    boolean token;
    int ended;

    @Actor
    public void wakeup() {
      boolean somebody = sleeper;
      lock.lock();
      if (somebody) {
        ended++;
      } else {
        token = true;
      }
      lock.unlock();
    }

    @Actor
    public void waiter() {
      lock.lock();
      if (token) {
        token = false;
        ended++;
      } else {
        sleeper = true;
      }
      lock.unlock();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = ended;
    }
  }
}
