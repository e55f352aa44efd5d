package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import io.github.eventpoll.testkit.ScriptedChannel;
import io.github.eventpoll.testkit.ScriptedDriver;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-BELIEF-1: a driver reports a channel while another thread empties it, meets would-block
 * and new input arrives. Result: the edge-triggered item is delivered, now or after one more pass.
 */
@Claim(id = "MO-BELIEF-1")
public final class BeliefStress {
  private BeliefStress() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "delivered, or asked for again")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-BELIEF-1: ready, and asked for by nobody")
  static final class Sound {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "delivered, or asked for again")
  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-BELIEF-1: asked for by nobody")
  static final class Broken {}

  /** One channel with one item: what is there, what is believed of it, what the item was told. */
  abstract static class OneItem {
    volatile boolean input = true;
    volatile boolean believed;
    volatile boolean told;
    volatile boolean listed;

    final void report() {
      if (input && !told) {
        believed = true;
        for (int i = 0; i < 4; i++) {
          Thread.onSpinWait(); // about as long as Shares needs for its lock and its items
        }
        told = true;
        listed = true;
      }
    }

    final void drain() {
      input = false;
      believed = false;
      told = false;
      input = true;
    }
  }

  /** A scan that finds no belief marks the item untold. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model extends OneItem {
    @Actor
    public void driver() {
      report();
    }

    @Actor
    public void user() {
      drain();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      if (listed && !believed) {
        told = false;
      }
      r.r1 = (listed && believed) || !told;
    }
  }

  /** The shipped engine, on a channel of the test kit, which has no descriptor. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final ScriptedChannel channel = ScriptedDriver.create().channel("c");
    final EventPoll poll = EventPoll.create();
    final Seat seat;

    public Actual() {
      poll.add(channel, Events.IN | Events.ET);
      seat = poll.drivers.seats()[0];
      channel.arrive(1);
    }

    @Actor
    public void driver() {
      seat.pass();
    }

    @Actor
    public void user() {
      channel.take();
      channel.take();
      channel.arrive(1);
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = poll.awaitNow(new ReadyEvents(1)) == 1;
    }
  }

  /** A scan that finds no belief leaves the item told. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinDropsInSilence extends OneItem {
    @Actor
    public void driver() {
      report();
    }

    @Actor
    public void user() {
      drain();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = (listed && believed) || !told;
    }
  }
}
