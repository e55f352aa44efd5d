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
 * Checks MO-BURY-1: an item that dies without the control lock is off the list when nobody works on
 * the poll any more. Result: nothing is listed.
 */
@Claim(id = "MO-BURY-1")
public final class BuryStress {
  private BuryStress() {}

  @Outcome(
      id = "false",
      expect = FORBIDDEN,
      desc = "MO-BURY-1: a dead item on the list of an idle poll")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "nothing is left")
  static final class Sound {}

  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-BURY-1: a dead item is left")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "nothing is left")
  static final class Broken {}

  /** Said and then tried; released and then looked. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger lock = new AtomicInteger(1);
    volatile boolean untidy;
    volatile boolean listed = true;

    void tidyIfIdle() {
      while (untidy && lock.compareAndSet(0, 1)) {
        untidy = false;
        listed = false;
        lock.set(0);
      }
    }

    @Actor
    public void closer() {
      untidy = true;
      tidyIfIdle();
    }

    @Actor
    public void holder() {
      lock.set(0);
      tidyIfIdle();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !listed;
    }
  }

  /** The shipped poll: a source closes while its item is harvested. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualClose {
    final EventPoll poll = Fixtures.poll(LockKind.LOCK_FREE);
    final Fixtures.Ordered source = new Fixtures.Ordered(Events.IN);
    final EpItem item = poll.add(source, Events.IN);
    final ReadyEvents ready = new ReadyEvents(1);

    @Actor
    public void closer() {
      source.queue.close();
    }

    @Actor
    public void holder() {
      poll.awaitNow(ready);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !item.linked && !poll.path.available();
    }
  }

  /** The shipped poll: an item is removed while a callback pushes it. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualPush {
    final EventPoll poll = Fixtures.poll(LockKind.LOCK_FREE);
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final EpItem item = poll.add(source, Events.IN);

    @Actor
    public void closer() {
      item.remove();
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

  /** The closer tries the lock and says afterwards what is left. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTryFirst {
    final AtomicInteger lock = new AtomicInteger(1);
    volatile boolean untidy;
    volatile boolean listed = true;

    @Actor
    public void closer() {
      if (lock.compareAndSet(0, 1)) {
        listed = false;
        lock.set(0);
      } else {
        untidy = true;
      }
    }

    @Actor
    public void holder() {
      lock.set(0);
      if (untidy && lock.compareAndSet(0, 1)) {
        listed = false;
        lock.set(0);
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !listed;
    }
  }
}
