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
 * Checks MO-LISTS-1: callbacks that share the lock put each item on the ready list once and lose
 * none. Result: how many items are there; one each, and one that both bring.
 */
@Claim(id = "MO-LISTS-1")
public final class ListsStress {
  private ListsStress() {}

  @Outcome(id = "3", expect = ACCEPTABLE, desc = "each once")
  @Outcome(expect = FORBIDDEN, desc = "MO-LISTS-1: lost, or listed twice")
  static final class Sound {}

  @Outcome(id = "3", expect = ACCEPTABLE, desc = "each once")
  @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "MO-LISTS-1: lost, or listed twice")
  static final class Broken {}

  /** A compare-and-set wins the item, an exchange its place. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger claimed = new AtomicInteger();
    final AtomicInteger places = new AtomicInteger();

    void callback() {
      places.getAndIncrement();
      if (claimed.compareAndSet(0, 1)) {
        places.getAndIncrement();
      }
    }

    @Actor
    public void one() {
      callback();
    }

    @Actor
    public void other() {
      callback();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = places.get();
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    private static final int ENOUGH = 5;

    final CallbackPath path;
    final EpItem first = Fixtures.looseItem(Events.IN);
    final EpItem second = Fixtures.looseItem(Events.IN);
    final EpItem both = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void one() {
      path.accept(first, Events.IN);
      path.accept(both, Events.IN);
    }

    public void other() {
      path.accept(both, Events.IN);
      path.accept(second, Events.IN);
    }

    public void arbiter(I_Result r) {
      int met = 0;
      path.startScan();
      for (EpItem item = path.next(); item != null && met < ENOUGH; item = path.next()) {
        Fixtures.drop(path, item);
        met++;
      }
      path.endScan();
      r.r1 = met;
    }
  }

  /** The rwlock variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualRw extends Shipped {
    public ActualRw() {
      super(LockKind.RWLOCK);
    }

    @Override
    @Actor
    public void one() {
      super.one();
    }

    @Override
    @Actor
    public void other() {
      super.other();
    }

    @Override
    @Arbiter
    public void arbiter(I_Result r) {
      super.arbiter(r);
    }
  }

  /** The end of the list is read and then set. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReadThenSet {
    final AtomicInteger claimed = new AtomicInteger();
    volatile int places;

    void callback() {
      int last = places;
      places = last + 1;
      if (claimed.compareAndSet(0, 1)) {
        last = places;
        places = last + 1;
      }
    }

    @Actor
    public void one() {
      callback();
    }

    @Actor
    public void other() {
      callback();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = places;
    }
  }
}
