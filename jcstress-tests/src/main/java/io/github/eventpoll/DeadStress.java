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
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final CallbackPath path = CallbackPath.of(EventPoll.builder(), null);
    final EpItem item = Fixtures.looseItem(Events.IN);

    @Actor
    public void callback() {
      path.accept(item, Events.IN);
    }

    @Actor
    public void remove() {
      path.kill(item);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = item.linked || path.available();
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
