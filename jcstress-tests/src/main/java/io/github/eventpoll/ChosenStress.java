package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-CHOSEN-1: a waiter that leaves has either been chosen and knows it, or has left
 * empty-handed and nobody counts on it. First result: somebody has chosen it. Second: it knows; in
 * the tests of a whole poll: it came back with the event, or another waiter was chosen.
 */
@Claim(id = "MO-CHOSEN-1")
public final class ChosenStress {
  private ChosenStress() {}

  @Outcome(id = "true, false", expect = FORBIDDEN, desc = "MO-CHOSEN-1: entrusted, and gone")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "chosen, and will look")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "left, the event finds no waiter")
  static final class Sound {}

  @Outcome(
      id = "true, false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-CHOSEN-1: entrusted, gone")
  @Outcome(expect = ACCEPTABLE, desc = "both sides agree")
  static final class Broken {}

  /** One variable, one winner. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    final AtomicInteger word = new AtomicInteger();

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = word.compareAndSet(0, 1);
    }

    @Actor
    public void leaver(ZZ_Result r) {
      r.r2 = !word.compareAndSet(0, 2);
    }
  }

  /** The shipped list of waiters; the waiter's time is up. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final Sleepers sleepers = new Sleepers(Fixtures.POLL);
    final Waiter waiter = Fixtures.enlisted(sleepers);

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = sleepers.wakeOne();
    }

    @Actor
    public void leaver(ZZ_Result r) {
      sleepers.withdraw(waiter);
      r.r2 = waiter.isChosen();
    }
  }

  /** The shipped poll: the waiter gives up by its time-out; a second one sleeps on. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualTimeout {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final ReadyEvents ready = new ReadyEvents(1);
    final Waiter second = Fixtures.enlisted(poll.sleepers);
    boolean leavesWithout;

    public ActualTimeout() {
      poll.add(source, Events.IN);
    }

    @Actor
    public void chooser() {
      source.fire();
    }

    @Actor
    public void leaver() {
      leavesWithout = poll.awaitUninterruptibly(ready, Duration.ofNanos(1)) == 0;
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = true; // there was an event
      r.r2 = !leavesWithout || second.isChosen();
    }
  }

  /** The shipped poll: the waiter gives up because of an interrupt; a second one sleeps on. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualInterrupt {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Ordered source = new Fixtures.Ordered();
    final ReadyEvents ready = new ReadyEvents(1);
    final Waiter second = Fixtures.enlisted(poll.sleepers);
    boolean leavesWithout;

    public ActualInterrupt() {
      poll.add(source, Events.IN);
    }

    @Actor
    public void chooser() {
      source.fire();
    }

    @Actor
    public void leaver() {
      Thread.currentThread().interrupt();
      try {
        leavesWithout = poll.await(ready) == 0;
      } catch (InterruptedException e) {
        leavesWithout = true;
      }
      Thread.interrupted();
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = true; // there was an event
      r.r2 = !leavesWithout || second.isChosen();
    }
  }

  /** The leaver tests whether it was chosen, without the guard, and then marks that it has left. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinCheckThenSet {
    final AtomicInteger word = new AtomicInteger();

    @Actor
    public void chooser(ZZ_Result r) {
      r.r1 = word.compareAndSet(0, 1);
    }

    @Actor
    public void leaver(ZZ_Result r) {
      r.r2 = word.get() == 1;
      if (!r.r2) {
        word.set(2);
      }
    }
  }
}
