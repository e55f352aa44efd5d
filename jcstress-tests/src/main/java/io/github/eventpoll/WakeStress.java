package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ArrayBlockingQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-WAKE-1: {@code wake} may follow any kind of store. The source's state is plain, the
 * registration comes at the same time. First result: the newcomer found the source ready. Second:
 * the callback reached it.
 */
@Claim(id = {"MO-WAKE-1", "MO-ADD-1"})
public final class WakeStress {
  private WakeStress() {}

  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-WAKE-1: ready, and nobody knows")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Sound {}

  @Outcome(
      id = "false, false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-WAKE-1: ready, and nobody knows")
  @Outcome(expect = ACCEPTABLE, desc = "one side has seen the other, or both have")
  static final class Broken {}

  /** Plain and volatile accesses with a full fence between, on both sides. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    int state;
    volatile boolean entries;

    @Actor
    public void source(ZZ_Result r) {
      state = 1;
      VarHandle.fullFence();
      r.r2 = entries;
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      entries = true;
      VarHandle.fullFence();
      r.r1 = state != 0;
    }
  }

  /** What the tests on shipped classes share. */
  abstract static class Rig {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Plain source = new Fixtures.Plain();
    final EpItem item = new EpItem(poll, source, source.queue, 0, Events.IN, null);

    void register(ZZ_Result r) {
      source.queue.register(item);
      VarHandle.fullFence(); // as in Registry.askAdded
      r.r1 = source.readiness() != 0;
    }

    void look(ZZ_Result r) {
      r.r2 = poll.path.available();
    }
  }

  /** The shipped queue. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual extends Rig {
    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      register(r);
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      look(r);
    }
  }

  /** The shipped queue around one that we know nothing of. Results as in the next. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualBlockingQueue {
    final EventPoll poll = EventPoll.create();
    final BlockingQueueSource<Integer> queue = BlockingQueueSource.of(new ArrayBlockingQueue<>(1));

    @Actor
    public void source() {
      queue.offer(1);
    }

    @Actor
    public void newcomer() {
      poll.add(queue, Events.IN);
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = poll.path.available();
    }
  }

  /** The shipped addition, with its own fence. First result: false. Second: the item is listed. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualAdd {
    final EventPoll poll = EventPoll.create();
    final Fixtures.Plain source = new Fixtures.Plain();

    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wake(Events.IN);
    }

    @Actor
    public void newcomer() {
      poll.add(source, Events.IN);
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r2 = poll.path.available();
    }
  }

  /** The shipped queue, but rung without the fence although the state is not ordered. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinNoFence extends Rig {
    @Actor
    public void source() {
      source.state = Events.IN;
      source.queue.wakeOrdered(Events.IN);
    }

    @Actor
    public void newcomer(ZZ_Result r) {
      register(r);
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      look(r);
    }
  }
}
