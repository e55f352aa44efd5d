package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-EXCL-1: two wakes, two polls that watch exclusively, one waiter on each: both are
 * chosen. Results: which are.
 */
@Claim(id = "MO-EXCL-1")
public final class ExclusiveStress {
  private ExclusiveStress() {}

  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "one waiter for each wake")
  @Outcome(expect = FORBIDDEN, desc = "MO-EXCL-1: two wakes used up by one waiter")
  static final class Sound {}

  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "one waiter for each wake")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-EXCL-1: two wakes used up by one waiter")
  static final class Broken {}

  /** A wake stops where its own CAS has won. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicBoolean first = new AtomicBoolean();
    final AtomicBoolean second = new AtomicBoolean();

    void wake() {
      if (!first.compareAndSet(false, true)) {
        second.set(true);
      }
    }

    @Actor
    public void one() {
      wake();
    }

    @Actor
    public void other() {
      wake();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /** The shipped poll, twice. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EventPoll first = EventPoll.create();
    final EventPoll second = EventPoll.create();
    final Waiter firstWaiter = Fixtures.enlisted(first.sleepers);
    final Waiter secondWaiter = Fixtures.enlisted(second.sleepers);

    public Actual() {
      first.add(source, Events.IN | Events.EXCLUSIVE);
      second.add(source, Events.IN | Events.EXCLUSIVE);
    }

    @Actor
    public void one() {
      source.fire();
    }

    @Actor
    public void other() {
      source.fire();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = firstWaiter.isChosen();
      r.r2 = secondWaiter.isChosen();
    }
  }

  /** A wake stops where it has seen somebody, and then chooses. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinStopsWhereItLooked {
    final AtomicBoolean first = new AtomicBoolean();
    final AtomicBoolean second = new AtomicBoolean();

    void wake() {
      if (!first.get()) {
        first.compareAndSet(false, true);
      } else {
        second.set(true);
      }
    }

    @Actor
    public void one() {
      wake();
    }

    @Actor
    public void other() {
      wake();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }
}
