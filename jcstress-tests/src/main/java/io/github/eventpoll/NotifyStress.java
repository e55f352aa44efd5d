package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-NOTIFY-1: of a wake that is skipped because its item is listed and a scan that drops
 * this item at least one is wrong. Result: the source is ready in the end, and found.
 */
@Claim(id = "MO-NOTIFY-1")
public final class NotifyStress {
  /** How often the scanner looks: the callback may be late. */
  private static final int TRIES = 20;

  private NotifyStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-NOTIFY-1: ready, skipped and dropped")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "found")
  static final class Sound {}

  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-NOTIFY-1: ready, skipped and dropped")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "found")
  static final class Broken {}

  /** The scanner clears and then asks. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int state;
    volatile boolean notified = true;
    volatile boolean listed;
    boolean seen;

    @Actor
    public void source() {
      state = 1;
      if (!notified) {
        listed = true;
      }
    }

    @Actor
    public void scanner() {
      notified = false;
      seen = state == 1;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || listed;
    }
  }

  /** The shipped poll, harvested. */
  abstract static class Harvested {
    final EventPoll poll;
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.IN);
    final ReadyEvents ready = new ReadyEvents(1);

    Harvested(LockKind kind) {
      poll = Fixtures.poll(kind);
      poll.add(source, Events.IN); // listed
      source.drain();
    }

    public void source() {
      source.fire();
    }

    public void scanner() {
      poll.awaitNow(ready);
    }

    public void arbiter(Z_Result r) {
      r.r1 = poll.awaitNow(ready) == 1;
    }
  }

  /** The spin variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualHarvestSpin extends Harvested {
    public ActualHarvestSpin() {
      super(LockKind.SPIN);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
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
  public static class ActualHarvestRw extends Harvested {
    public ActualHarvestRw() {
      super(LockKind.RWLOCK);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
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
  public static class ActualHarvestLockFree extends Harvested {
    public ActualHarvestLockFree() {
      super(LockKind.LOCK_FREE);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The shipped poll, asked as a source, as a poll that watches it does. */
  abstract static class Nested {
    final EventPoll poll;
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.IN);
    final ReadyEvents ready = new ReadyEvents(1);

    Nested(LockKind kind) {
      poll = Fixtures.poll(kind);
      poll.add(source, Events.IN); // listed
      source.drain();
    }

    public void source() {
      source.fire();
    }

    public void scanner() {
      poll.readiness();
    }

    public void arbiter(Z_Result r) {
      r.r1 = poll.awaitNow(ready) == 1;
    }
  }

  /** The spin variant. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualNestedSpin extends Nested {
    public ActualNestedSpin() {
      super(LockKind.SPIN);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
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
  public static class ActualNestedRw extends Nested {
    public ActualNestedRw() {
      super(LockKind.RWLOCK);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
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
  public static class ActualNestedLockFree extends Nested {
    public ActualNestedLockFree() {
      super(LockKind.LOCK_FREE);
    }

    @Override
    @Actor
    public void source() {
      super.source();
    }

    @Override
    @Actor
    public void scanner() {
      super.scanner();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /**
   * The lock-free variant, where a callback relies on the scan whatever the source; plain state.
   */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualPlainLockFree {
    final EventPoll poll = Fixtures.poll(LockKind.LOCK_FREE);
    final Fixtures.Plain source = new Fixtures.Plain();
    final ReadyEvents ready = new ReadyEvents(1);

    public ActualPlainLockFree() {
      source.state = Events.IN;
      poll.add(source, Events.IN | Events.ET); // listed
      source.state = 0;
    }

    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
    }

    @Actor
    public void scanner(Z_Result r) {
      r.r1 = poll.awaitNow(ready) == 1;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 |= poll.awaitNow(ready) == 1;
    }
  }

  /** The scanner asks, then clears, then drops the item (KR-8). */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinClearLast {
    volatile int state;
    volatile boolean notified = true;
    volatile boolean listed;
    boolean seen;

    @Actor
    public void source() {
      state = 1;
      if (!notified) {
        listed = true;
      }
    }

    @Actor
    public void scanner() {
      seen = state == 1;
      notified = false;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || listed;
    }
  }

  /** The scanner clears by a release store. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseClear {
    private static final VarHandle NOTIFIED =
        Fixtures.field(TwinReleaseClear.class, "notified", boolean.class);

    volatile int state;
    volatile boolean notified = true;
    volatile boolean listed;
    boolean seen;

    @Actor
    public void source() {
      state = 1;
      if (!notified) {
        listed = true;
      }
    }

    @Actor
    public void scanner() {
      NOTIFIED.setRelease(this, false);
      seen = state == 1;
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = seen || listed;
    }
  }

  /** The callback lists the item and says so afterwards; the next wake is skipped (KR-9). */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinSetLate {
    volatile boolean listed;
    volatile boolean notified;

    @Actor
    public void source() {
      listed = true;
      notified = true;
    }

    @Actor
    public void scanner() {
      for (int i = 0; i < TRIES; i++) {
        if (listed) {
          notified = false;
          listed = false; // asked, not ready, dropped
          return;
        }
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed || !notified;
    }
  }
}
