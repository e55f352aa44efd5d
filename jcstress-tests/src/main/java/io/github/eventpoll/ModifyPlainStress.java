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
 * Checks MO-MOD-1 for a source whose state is plain: there the fences in {@code wake} and in {@code
 * modify} carry the claim. Result: the item is listed.
 */
@Claim(id = {"MO-MOD-1", "MO-WAKE-1"})
public final class ModifyPlainStress {
  private ModifyPlainStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-MOD-1: ready and wanted, not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-MOD-1: not listed")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "listed by modify or by the callback")
  static final class Broken {}

  /** A full fence on both sides. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      VarHandle.fullFence();
      if (mask != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      VarHandle.fullFence();
      if (state != 0) {
        listed = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = listed;
    }
  }

  /** The shipped poll. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Plain source = new Fixtures.Plain();
    final EpItem item = poll.add(source, Events.OUT);

    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
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

  /** No fence on the side of the source. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoFence {
    int state;
    volatile int mask;
    volatile boolean listed;

    @Actor
    public void source() {
      state = 1;
      if (mask != 0) {
        listed = true;
      }
    }

    @Actor
    public void modify() {
      mask = 1;
      VarHandle.fullFence();
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
