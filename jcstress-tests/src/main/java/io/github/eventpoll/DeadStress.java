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
import org.openjdk.jcstress.infra.results.Z_Result;

/** Checks MO-DEAD-1: after an item was removed no callback lists it. Result: it is listed. */
@Claim(id = "MO-DEAD-1")
public final class DeadStress {
  private DeadStress() {}

  @Outcome(id = "true", expect = FORBIDDEN, desc = "MO-DEAD-1: a removed item is listed")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "off the list")
  static final class Sound {}

  @Outcome(
      id = "true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-DEAD-1: a removed item is listed")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "off the list")
  static final class Broken {}

  /** Test and change in one section of one lock. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    boolean dead;
    boolean listed;

    @Actor
    public void callback() {
      lock.lock();
      if (!dead) {
        listed = true;
      }
      lock.unlock();
    }

    @Actor
    public void remove() {
      lock.lock();
      dead = true;
      listed = false;
      lock.unlock();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem item = Fixtures.looseItem(Events.IN);

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    public void callback() {
      path.accept(item, Events.IN);
    }

    public void remove() {
      path.kill(item);
      path.bury(item);
    }

    public void arbiter(Z_Result r) {
      path.startScan();
      r.r1 = path.next() != null;
      path.endScan();
      r.r1 |= item.linked || path.available();
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
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void remove() {
      super.remove();
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
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void remove() {
      super.remove();
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
    public void callback() {
      super.callback();
    }

    @Override
    @Actor
    public void remove() {
      super.remove();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The shipped poll: the source closes while a scan has its item in hand. */
  abstract static class InHand {
    final EventPoll poll;
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.IN);
    final ReadyEvents ready = new ReadyEvents(1);

    InHand(LockKind kind) {
      poll = Fixtures.poll(kind);
      poll.add(source, Events.IN);
    }

    public void scanner() {
      poll.awaitNow(ready);
    }

    public void close() {
      source.queue.close();
    }

    public void arbiter(Z_Result r) {
      r.r1 = poll.awaitNow(ready) != 0 || poll.path.available() || poll.size() != 0;
    }
  }

  /** The spin variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualInHandSpin extends InHand {
    public ActualInHandSpin() {
      super(LockKind.SPIN);
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void close() {
      super.close();
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
  public static class ActualInHandRw extends InHand {
    public ActualInHandRw() {
      super(LockKind.RWLOCK);
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void close() {
      super.close();
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
  public static class ActualInHandLockFree extends InHand {
    public ActualInHandLockFree() {
      super(LockKind.LOCK_FREE);
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }

    @Override
    @Actor
    public void close() {
      super.close();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The callback tests "dead" before it takes the lock. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestOutside {
    final SpinLock lock = new SpinLock();
    volatile boolean dead;
    boolean listed;

    @Actor
    public void callback() {
      if (!dead) {
        lock.lock();
        listed = true;
        lock.unlock();
      }
    }

    @Actor
    public void remove() {
      lock.lock();
      dead = true;
      listed = false;
      lock.unlock();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }
}
