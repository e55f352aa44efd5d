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
 * Checks MO-MOD-1 for a one-shot item that is delivered, which disarms it, and armed again while an
 * event comes. First result: the event is still in the source. Second: the item is listed.
 */
@Claim(id = "MO-MOD-1")
public final class RearmStress {
  private static final int FIRST = Events.IN;
  private static final int SECOND = Events.RDNORM;

  private RearmStress() {}

  @Outcome(id = "true, false", expect = FORBIDDEN, desc = "MO-MOD-1: armed, ready, not listed")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "the event came later and is listed")
  @Outcome(
      id = "false, .*",
      expect = ACCEPTABLE,
      desc = "the event came before the source was read")
  static final class Sound {}

  @Outcome(id = "true, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-MOD-1: not listed")
  @Outcome(expect = ACCEPTABLE, desc = "listed, or read already")
  static final class Broken {}

  /** Disarm, read the state, arm, look at the state again. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger state = new AtomicInteger(FIRST);
    volatile boolean armed = true;
    volatile boolean listed;

    @Actor
    public void source() {
      state.getAndAdd(SECOND);
      if (armed) {
        listed = true;
      }
    }

    @Actor
    public void reader() {
      listed = false;
      armed = false;
      state.getAndSet(0);
      armed = true;
      if (state.get() != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = state.get() != 0;
      r.r2 = listed;
    }
  }

  /** The shipped poll: delivered, drained, armed again. */
  abstract static class Shipped {
    final EventPoll poll;
    final Fixtures.Ordered source = new Fixtures.Ordered(FIRST);
    final EpItem item;
    final ReadyEvents ready = new ReadyEvents(1);

    Shipped(LockKind kind) {
      poll = Fixtures.poll(kind);
      item = poll.add(source, FIRST | SECOND | Events.ONESHOT);
    }

    public void source() {
      source.fire(SECOND);
    }

    public void reader() {
      poll.awaitNow(ready);
      source.drain();
      item.modify(FIRST | SECOND | Events.ONESHOT);
    }

    public void arbiter(ZZ_Result r) {
      r.r1 = source.readiness() != 0;
      r.r2 = poll.path.available();
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
    public void reader() {
      super.reader();
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
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
    public void reader() {
      super.reader();
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
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
    public void reader() {
      super.reader();
    }

    @Override
    @Arbiter
    public void arbiter(ZZ_Result r) {
      super.arbiter(r);
    }
  }

  /** The state is looked at before the item is armed. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinLookFirst {
    final AtomicInteger state = new AtomicInteger(FIRST);
    volatile boolean armed = true;
    volatile boolean listed;

    @Actor
    public void source() {
      state.getAndAdd(SECOND);
      if (armed) {
        listed = true;
      }
    }

    @Actor
    public void reader() {
      listed = false;
      armed = false;
      state.getAndSet(0);
      boolean ready = state.get() != 0;
      armed = true;
      if (ready) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = state.get() != 0;
      r.r2 = listed;
    }
  }
}
