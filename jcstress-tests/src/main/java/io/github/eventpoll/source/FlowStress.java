package io.github.eventpoll.source;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Flow;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/**
 * Checks MO-FLOW-1: a subscription's calls do not overlap, and no demand is left untold. First
 * result: two calls overlapped. Second: what was requested, of 1 by each of two threads.
 */
@Claim(id = "MO-FLOW-1")
public final class FlowStress {
  private FlowStress() {}

  @Outcome(id = "false, 2", expect = ACCEPTABLE, desc = "one after the other, and all of it")
  @Outcome(expect = FORBIDDEN, desc = "MO-FLOW-1: calls overlapped, or demand was left untold")
  static final class Sound {}

  @Outcome(id = "false, 2", expect = ACCEPTABLE, desc = "one after the other, and all of it")
  @Outcome(
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-FLOW-1: calls overlapped, or demand was left untold")
  static final class Broken {}

  /** A subscription as its publisher may write it: for one caller at a time. */
  static final class Careless implements Flow.Subscription {
    volatile boolean inside;
    volatile boolean overlapped;
    long requested;

    @Override
    public void request(long n) {
      if (inside) {
        overlapped = true;
      }
      inside = true;
      requested += n;
      inside = false;
    }

    @Override
    public void cancel() {}
  }

  /** One word: who makes it something tells it, who finds it so adds to it. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle OWED = Fields.field(Model.class, "owed", long.class);

    final Careless subscription = new Careless();
    volatile long owed;

    private void request() {
      if ((long) OWED.getAndAdd(this, 1L) != 0) {
        return;
      }
      long seen;
      do {
        seen = owed;
        subscription.request(seen);
      } while ((long) OWED.getAndAdd(this, -seen) != seen);
    }

    @Actor
    public void one() {
      request();
    }

    @Actor
    public void other() {
      request();
    }

    @Arbiter
    public void arbiter(ZJ_Result r) {
      r.r1 = subscription.overlapped;
      r.r2 = subscription.requested;
    }
  }

  /** The shipped source, which asks for one more for each of two elements that are taken. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Careless subscription = new Careless();
    final FlowSource<Integer> source = FlowSource.create(2);

    public Actual() {
      source.onSubscribe(subscription);
      source.onNext(1);
      source.onNext(1);
    }

    @Actor
    public void one() {
      source.poll();
    }

    @Actor
    public void other() {
      source.poll();
    }

    @Arbiter
    public void arbiter(ZJ_Result r) {
      r.r1 = subscription.overlapped;
      r.r2 = subscription.requested - 2;
    }
  }

  /** A flag says that somebody tells; who finds it up leaves, though the teller has just looked. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinFlag {
    private static final VarHandle OWED = Fields.field(TwinFlag.class, "owed", long.class);
    private static final VarHandle TELLS = Fields.field(TwinFlag.class, "tells", boolean.class);

    final Careless subscription = new Careless();
    volatile long owed;
    volatile boolean tells;

    private void request() {
      OWED.getAndAdd(this, 1L);
      if (TELLS.compareAndSet(this, false, true)) {
        subscription.request((long) OWED.getAndSet(this, 0L));
        tells = false;
      }
    }

    @Actor
    public void one() {
      request();
    }

    @Actor
    public void other() {
      request();
    }

    @Arbiter
    public void arbiter(ZJ_Result r) {
      r.r1 = subscription.overlapped;
      r.r2 = subscription.requested;
    }
  }
}
