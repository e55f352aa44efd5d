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
 * Checks MO-MASK-1: an event that is dropped by its mask before any lock is found by the
 * modification that wants it, also after a one-shot item was disarmed. Result: not ready, or
 * listed.
 */
@Claim(id = "MO-MASK-1")
public final class MaskStress {
  private static final int BOTH = Events.IN | Events.OUT | Events.ONESHOT;

  private MaskStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-MASK-1: ready and wanted, not listed")
  @Outcome(
      id = "true",
      expect = ACCEPTABLE,
      desc = "listed by modify or by the callback, or not ready")
  static final class Sound {}

  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-MASK-1: ready and wanted, not listed")
  @Outcome(
      id = "true",
      expect = ACCEPTABLE,
      desc = "listed by modify or by the callback, or not ready")
  static final class Broken {}

  /** Mask and state, both volatile. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if ((mask & 1) != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      if ((state & mask) != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped poll; the mask comes to want the event. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualModify {
    final EventPoll poll = Fixtures.poll(LockKind.SPIN);
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EpItem item = poll.add(source, Events.OUT);

    @Actor
    public void source() {
      source.fire();
    }

    @Actor
    public void modify() {
      item.modify(Events.IN);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = poll.path.available();
    }
  }

  /** The shipped poll; the mask turns away from the event and comes back. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualAway {
    final EventPoll poll = Fixtures.poll(LockKind.SPIN);
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EpItem item = poll.add(source, Events.IN);

    @Actor
    public void source() {
      source.fire();
    }

    @Actor
    public void modify() {
      item.modify(Events.OUT);
      item.modify(Events.IN);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = poll.path.available();
    }
  }

  /** The shipped poll; delivered, so disarmed, then drained and armed again. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualOneShot {
    final EventPoll poll = Fixtures.poll(LockKind.SPIN);
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.OUT);
    final EpItem item = poll.add(source, BOTH);
    final ReadyEvents ready = new ReadyEvents(1);

    @Actor
    public void source() {
      source.fire(Events.IN);
    }

    @Actor
    public void reader() {
      poll.awaitNow(ready);
      source.drain();
      item.modify(BOTH);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = source.readiness() == 0 || poll.path.available();
    }
  }

  /** The mask is stored with release. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseMask {
    private static final VarHandle MASK = Fixtures.field(TwinReleaseMask.class, "mask", int.class);

    volatile int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if ((mask & 1) != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      MASK.setRelease(this, 1);
      if (state != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }

  /** The source stores its state with release and rings without a fence (KR-11). */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinReleaseState {
    private static final VarHandle STATE =
        Fixtures.field(TwinReleaseState.class, "state", int.class);

    volatile int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      STATE.setRelease(this, 1);
      if ((mask & 1) != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      if (state != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }
}
