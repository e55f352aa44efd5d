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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-BURY-1: who acts on one notice of dead items does not wipe out another that comes
 * meanwhile. Result: nothing is listed.
 */
@Claim(id = "MO-BURY-1")
public final class BuryNoticeStress {
  /** How many items the tidier looks through: the windows are short. */
  private static final int MANY = 16;

  private BuryNoticeStress() {}

  @Outcome(
      id = "false",
      expect = FORBIDDEN,
      desc = "MO-BURY-1: a dead item on the list of an idle poll")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "nothing is left")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-BURY-1: a dead item is left")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "nothing is left")
  static final class Broken {}

  /** The notice is taken back, then what is there is taken. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger lock = new AtomicInteger();
    volatile boolean untidy = true;
    volatile boolean pushed;
    boolean found;

    void tidyIfIdle() {
      while (untidy && lock.compareAndSet(0, 1)) {
        untidy = false;
        pushed = false;
        lookThrough();
        lock.set(0);
      }
    }

    private void lookThrough() {
      for (int i = 0; i < MANY; i++) {
        found |= pushed;
      }
    }

    @Actor
    public void tidier() {
      tidyIfIdle();
    }

    @Actor
    public void callback() {
      pushed = true; // and finds that its item is dead
      untidy = true;
      tidyIfIdle();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !pushed;
    }
  }

  /** The shipped poll, with a notice left by somebody: a source closes, and its item is pushed. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = Fixtures.poll(LockKind.LOCK_FREE);
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EpItem item = poll.add(source, Events.IN);

    public Actual() {
      poll.path.leaveDead();
    }

    @Actor
    public void closer() {
      source.queue.close();
    }

    @Actor
    public void callback() {
      source.fire();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !item.linked && !poll.path.available();
    }
  }

  /** What is there is taken, then the notice is taken back: it may be a newer one. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTakenFirst {
    final AtomicInteger lock = new AtomicInteger();
    volatile boolean untidy = true;
    volatile boolean pushed;
    boolean found;

    void tidyIfIdle() {
      while (untidy && lock.compareAndSet(0, 1)) {
        pushed = false;
        lookThrough();
        untidy = false;
        lock.set(0);
      }
    }

    private void lookThrough() {
      for (int i = 0; i < MANY; i++) {
        found |= pushed;
      }
    }

    @Actor
    public void tidier() {
      tidyIfIdle();
    }

    @Actor
    public void callback() {
      pushed = true;
      untidy = true;
      tidyIfIdle();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !pushed;
    }
  }
}
