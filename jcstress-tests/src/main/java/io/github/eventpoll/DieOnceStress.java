package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.internal.SpinLock;
import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-DEAD-1: of two who end an item, by remove and by closing its source, one does the
 * accounts. Results: who does.
 */
@Claim(id = "MO-DEAD-1")
public final class DieOnceStress {
  private DieOnceStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-DEAD-1: counted down twice")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-DEAD-1: never counted down")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "MO-DEAD-1: twice")
  @Outcome(expect = ACCEPTABLE, desc = "one of them")
  static final class Broken {}

  /** Test and set in one section. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean dead;

    boolean kill() {
      lock.lock();
      boolean first = !dead;
      dead = true;
      lock.unlock();
      return first;
    }

    @Actor
    public void remover(ZZ_Result r) {
      r.r1 = kill();
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = kill();
    }
  }

  /** The shipped path. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final CallbackPath path = CallbackPath.of(EventPoll.builder(), null);
    final EpItem item = Fixtures.looseItem(Events.IN);

    @Actor
    public void remover(ZZ_Result r) {
      r.r1 = path.kill(item) != CallbackPath.Killed.BEFORE;
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = path.kill(item) != CallbackPath.Killed.BEFORE;
    }
  }

  /** Test, then set, without the lock. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoLock {
    volatile boolean dead;

    boolean kill() {
      boolean first = !dead;
      dead = true;
      return first;
    }

    @Actor
    public void remover(ZZ_Result r) {
      r.r1 = kill();
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = kill();
    }
  }
}
