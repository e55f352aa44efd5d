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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-CLOSE-1: a waiter that enlists while the poll is closed sees that, or is chosen. First
 * result: it sees the poll closed. Second: it was chosen.
 */
@Claim(id = "MO-CLOSE-1")
public final class CloseStress {
  private CloseStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-CLOSE-1: asleep on a closed poll")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows, or will")
  static final class Sound {}

  @Outcome(id = "false, false", expect = ACCEPTABLE_INTERESTING, desc = "MO-CLOSE-1: asleep")
  @Outcome(expect = ACCEPTABLE, desc = "the waiter knows, or will")
  static final class Broken {}

  /** Mark, then look for sleepers in the lock; enlist in the lock, then read the mark. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final SpinLock lock = new SpinLock();
    volatile boolean closed;
    boolean sleeper;

    @Actor
    public void closer(ZZ_Result r) {
      closed = true;
      lock.lock();
      r.r2 = sleeper;
      lock.unlock();
    }

    @Actor
    public void waiter(ZZ_Result r) {
      lock.lock();
      sleeper = true;
      lock.unlock();
      r.r1 = closed;
    }
  }

  /** The shipped poll. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final EventPoll poll = EventPoll.create();
    final Waiter waiter = Fixtures.waiter();

    @Actor
    public void closer() {
      poll.close();
    }

    @Actor
    public void waiter(ZZ_Result r) {
      poll.sleepers.enlist(waiter);
      r.r1 = poll.isClosed();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = waiter.isChosen();
    }
  }

  /** The sleepers are looked for first, the poll is marked afterwards. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinMarkLast {
    final SpinLock lock = new SpinLock();
    volatile boolean closed;
    boolean sleeper;

    @Actor
    public void closer(ZZ_Result r) {
      lock.lock();
      r.r2 = sleeper;
      lock.unlock();
      closed = true;
    }

    @Actor
    public void waiter(ZZ_Result r) {
      lock.lock();
      sleeper = true;
      lock.unlock();
      r.r1 = closed;
    }
  }
}
