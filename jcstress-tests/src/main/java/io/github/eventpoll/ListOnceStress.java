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
 * Checks MO-DEAD-1: two callbacks of one item at the same time list it once. Result: how often a
 * scan meets it.
 */
@Claim(id = "MO-DEAD-1")
public final class ListOnceStress {
  private ListOnceStress() {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "once")
  @Outcome(expect = FORBIDDEN, desc = "MO-DEAD-1: listed twice, or not at all")
  static final class Sound {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "once")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-DEAD-1: listed twice, or not at all")
  static final class Broken {}

  /** Test and listing in one section. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean linked;
    int listed;

    void accept() {
      lock.lock();
      if (!linked) {
        linked = true;
        listed++;
      }
      lock.unlock();
    }

    @Actor
    public void one() {
      accept();
    }

    @Actor
    public void other() {
      accept();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped path. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    private static final int ENOUGH = 3;

    final CallbackPath path = CallbackPath.of(EventPoll.builder(), null);
    final EpItem item = Fixtures.looseItem(Events.IN);

    @Actor
    public void one() {
      path.accept(item, Events.IN);
    }

    @Actor
    public void other() {
      path.accept(item, Events.IN);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      int met = 0;
      path.startScan();
      while (met < ENOUGH && path.next() != null) {
        met++;
      }
      path.endScan();
      r.r1 = met;
    }
  }

  /** The test comes before the section. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestOutside {
    final SpinLock lock = new SpinLock();
    volatile boolean linked;
    int listed;

    void accept() {
      if (!linked) {
        lock.lock();
        linked = true;
        listed++;
        lock.unlock();
      }
    }

    @Actor
    public void one() {
      accept();
    }

    @Actor
    public void other() {
      accept();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = listed;
    }
  }
}
