package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-WATCH-1: of a wake that is skipped because nobody watches the poll and a poll that
 * comes to watch it at least one sees the other. Result: the outer poll finds the inner one.
 */
@Claim(id = "MO-WATCH-1")
public final class WatchStress {
  private WatchStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-WATCH-1: inner ready, outer does not hear")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the outer poll finds the inner one")
  static final class Sound {}

  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-WATCH-1: inner ready, outer does not hear")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the outer poll finds the inner one")
  static final class Broken {}

  /** Registered, then asked; state, then watched. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int state;
    volatile boolean watched;
    volatile boolean told;
    boolean seen;

    @Actor
    public void source() {
      state = 1;
      if (watched) {
        told = true;
      }
    }

    @Actor
    public void newcomer() {
      watched = true;
      seen = state == 1;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || told;
    }
  }

  /** The shipped poll, twice; the source of the inner one is listed already. */
  abstract static class Shipped {
    final EventPoll inner;
    final EventPoll outer;
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.IN);
    final ReadyEvents ready = new ReadyEvents(1);

    Shipped(LockKind kind) {
      inner = Fixtures.poll(kind);
      outer = Fixtures.poll(kind);
      inner.add(source, Events.IN); // listed
      source.drain();
    }

    public void source() {
      source.fire();
    }

    public void newcomer() {
      outer.add(inner, Events.IN | Events.ET);
    }

    public void arbiter(Z_Result r) {
      r.r1 = outer.awaitNow(ready) == 1;
    }
  }

  /** The spin variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualSpin extends Shipped {
    public ActualSpin() {
      super(LockKind.SPIN);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
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
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The lock-free variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualLockFree extends Shipped {
    public ActualLockFree() {
      super(LockKind.LOCK_FREE);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** Whether the poll is watched was looked up before the state is stored (KR-10). */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinWatchedBefore {
    volatile int state;
    volatile boolean watched;
    volatile boolean told;
    boolean seen;

    @Actor
    public void source() {
      boolean known = watched;
      state = 1;
      if (known) {
        told = true;
      }
    }

    @Actor
    public void newcomer() {
      watched = true;
      seen = state == 1;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || told;
    }
  }

  /** The newcomer asks and registers afterwards. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinAskFirst {
    volatile int state;
    volatile boolean watched;
    volatile boolean told;
    boolean seen;

    @Actor
    public void source() {
      state = 1;
      if (watched) {
        told = true;
      }
    }

    @Actor
    public void newcomer() {
      seen = state == 1;
      watched = true;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || told;
    }
  }
}
