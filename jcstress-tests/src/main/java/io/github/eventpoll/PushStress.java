package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-PUSH-1: an item that was pushed is reached by the next scan, whatever another callback
 * is about to push at the same time. Result: found at once, and the other one in the end.
 */
@Claim(id = "MO-PUSH-1")
public final class PushStress {
  /** An element of the models' stack. */
  static final class Node {
    volatile Node below;
  }

  private PushStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-PUSH-1: pushed and hidden")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "found at once")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-PUSH-1: pushed and hidden")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "found at once")
  static final class Broken {}

  /** Linked, then made the top by a compare-and-set. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicReference<Node> top = new AtomicReference<>();
    final Node mine = new Node();
    final Node other = new Node();

    void push(Node node) {
      Node old;
      do {
        old = top.get();
        node.below = old;
      } while (!top.compareAndSet(old, node));
    }

    @Actor
    public void stalling() {
      push(other);
    }

    @Actor
    public void callbackThenScan(Z_Result r) {
      push(mine);
      for (Node node = top.getAndSet(null); node != null; node = node.below) {
        r.r1 |= node == mine;
      }
    }
  }

  /** The shipped path. */
  abstract static class Shipped {
    final CallbackPath path;
    final EpItem mine = Fixtures.looseItem(Events.IN);
    final EpItem other = Fixtures.looseItem(Events.IN);
    boolean metMine;
    boolean metOther;

    Shipped(LockKind kind) {
      path = Fixtures.path(kind);
    }

    void scan() {
      path.startScan();
      for (EpItem item = path.next(); item != null; item = path.next()) {
        metMine |= item == mine;
        metOther |= item == other;
        Fixtures.drop(path, item);
      }
      path.endScan();
    }

    public void stalling() {
      path.accept(other, Events.IN);
    }

    public void callbackThenScan(Z_Result r) {
      path.accept(mine, Events.IN);
      scan();
      r.r1 = metMine;
    }

    public void arbiter(Z_Result r) {
      scan();
      r.r1 &= metOther;
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
    public void stalling() {
      super.stalling();
    }

    @Override
    @Actor
    public void callbackThenScan(Z_Result r) {
      super.callbackThenScan(r);
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The top is exchanged first and the link set afterwards (KR-49). */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinExchangeThenLink {
    final AtomicReference<Node> top = new AtomicReference<>();
    final Node mine = new Node();
    final Node other = new Node();

    void push(Node node) {
      Node old = top.getAndSet(node);
      node.below = old;
    }

    @Actor
    public void stalling() {
      push(other);
    }

    @Actor
    public void callbackThenScan(Z_Result r) {
      push(mine);
      for (Node node = top.getAndSet(null); node != null; node = node.below) {
        r.r1 |= node == mine;
      }
    }
  }
}
