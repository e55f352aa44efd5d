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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-REG-1: a registration either is refused or is ended by the close of the queue. First
 * result: it was accepted. Second: it was ended.
 */
@Claim(id = "MO-REG-1")
public final class RegisterStress {
  private RegisterStress() {}

  @Outcome(id = "true, false", expect = FORBIDDEN, desc = "MO-REG-1: registered, silent for ever")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "registered, then ended")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "refused")
  static final class Sound {}

  @Outcome(id = "true, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-REG-1: silent for ever")
  @Outcome(expect = ACCEPTABLE, desc = "refused or ended")
  static final class Broken {}

  /** "Closed" is a value of the variable that holds the entries. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle ENTRIES = Fixtures.field(Model.class, "entries", int.class);

    volatile int entries;

    @Actor
    public void newcomer(ZZ_Result r) {
      r.r1 = ENTRIES.compareAndSet(this, 0, 1);
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = (int) ENTRIES.getAndSet(this, -1) == 1;
    }
  }

  /** The shipped queue. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Plain source = new Fixtures.Plain();
    final EpItem item = new EpItem(poll, source, source.queue, 0, Events.IN, null);

    @Actor
    public void newcomer(ZZ_Result r) {
      r.r1 = source.queue.register(item);
    }

    @Actor
    public void closer() {
      source.queue.close();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = item.dead;
    }
  }

  /** Whether the queue is closed is tested, then the entry is set. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinCheckThenSet {
    private static final VarHandle ENTRIES =
        Fixtures.field(TwinCheckThenSet.class, "entries", int.class);

    volatile int entries;

    @Actor
    public void newcomer(ZZ_Result r) {
      r.r1 = entries != -1;
      if (r.r1) {
        entries = 1;
      }
    }

    @Actor
    public void closer(ZZ_Result r) {
      r.r2 = (int) ENTRIES.getAndSet(this, -1) == 1;
    }
  }
}
