package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Checks MO-PUB-1: what a thread did before it woke a source's queue is visible to the thread that
 * gets the event. First result: events taken. Second: the data, or -1 without an event.
 */
@Claim(id = "MO-PUB-1")
public final class PublishStress {
  private PublishStress() {}

  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "MO-PUB-1: an event without its data")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the event and its data")
  @Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "no event yet")
  static final class Sound {}

  @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "MO-PUB-1: event without its data")
  @Outcome(expect = ACCEPTABLE, desc = "no event yet, or the event and its data")
  static final class Broken {}

  /** A release store of the variable that the acquire load reads. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle EVENT = Fixtures.field(Model.class, "event", int.class);

    int data;
    int event;

    @Actor
    public void source() {
      data = 1;
      EVENT.setRelease(this, 1);
    }

    @Actor
    public void waiter(II_Result r) {
      r.r1 = (int) EVENT.getAcquire(this);
      r.r2 = r.r1 == 1 ? data : -1;
    }
  }

  /** A source without ordered state, whose event alone carries the data to an await. */
  abstract static class Shipped {
    final EventPoll poll;
    final Fixtures.Plain source = new Fixtures.Plain();
    final ReadyEvents ready = new ReadyEvents(1);
    int data;

    Shipped(LockKind kind) {
      poll = Fixtures.poll(kind);
      poll.add(source, Events.IN);
    }

    public void source() {
      data = 1;
      source.state = Events.IN;
      source.queue.wake(Events.IN);
    }

    public void waiter(II_Result r) {
      r.r1 = poll.awaitNow(ready);
      r.r2 = r.r1 == 1 ? data : -1;
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
    public void waiter(II_Result r) {
      super.waiter(r);
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
    public void waiter(II_Result r) {
      super.waiter(r);
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
    public void waiter(II_Result r) {
      super.waiter(r);
    }
  }

  /** Opaque on both sides: the order of the two stores is anybody's; x86 keeps it. */
  @Claim(id = "MO-PUB-1", visible = false)
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinOpaque {
    private static final VarHandle EVENT = Fixtures.field(TwinOpaque.class, "event", int.class);

    int data;
    int event;

    @Actor
    public void source() {
      data = 1;
      EVENT.setOpaque(this, 1);
    }

    @Actor
    public void waiter(II_Result r) {
      r.r1 = (int) EVENT.getOpaque(this);
      r.r2 = r.r1 == 1 ? data : -1;
    }
  }
}
