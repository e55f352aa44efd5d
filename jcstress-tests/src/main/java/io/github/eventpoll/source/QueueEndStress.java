package io.github.eventpoll.source;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.Events;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks MO-QUEUE-2: no element comes after HUP. First result: an element was accepted. Second: the
 * queue, closed meanwhile, was seen to be at its end.
 */
@Claim(id = "MO-QUEUE-2")
public final class QueueEndStress {
  private static final Integer ELEMENT = 1;

  private QueueEndStress() {}

  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "MO-QUEUE-2: an element after HUP")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "MO-QUEUE-2: empty, closed and no HUP")
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the element is still to be taken")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "it came too late")
  static final class Sound {}

  @Outcome(
      id = "true, true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-QUEUE-2: an element after HUP")
  @Outcome(expect = ACCEPTABLE, desc = "as it should be")
  static final class Broken {}

  /** One word: the sign says closed, the rest counts. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle STATE = Fields.field(Model.class, "state", long.class);

    volatile long state;

    @Actor
    public void producer(ZZ_Result r) {
      r.r1 = STATE.compareAndSet(this, 0L, 1L);
    }

    @Actor
    public void closer(ZZ_Result r) {
      STATE.getAndBitwiseOr(this, Long.MIN_VALUE);
      r.r2 = state == Long.MIN_VALUE;
    }
  }

  /** The shipped queue. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final QueueSource<Integer> queue = QueueSource.bounded(2);

    @Actor
    public void producer(ZZ_Result r) {
      try {
        r.r1 = queue.offer(ELEMENT);
      } catch (IllegalStateException closed) {
        r.r1 = false;
      }
    }

    @Actor
    public void closer(ZZ_Result r) {
      queue.close();
      r.r2 = queue.readiness() == Events.HUP;
    }
  }

  /** A flag and a counter: each exact, not both at once. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinFlag {
    private static final VarHandle COUNT = Fields.field(TwinFlag.class, "count", int.class);

    volatile boolean closed;
    volatile int count;

    @Actor
    public void producer(ZZ_Result r) {
      if (!closed) {
        COUNT.getAndAdd(this, 1);
        r.r1 = true;
      }
    }

    @Actor
    public void closer(ZZ_Result r) {
      closed = true;
      r.r2 = count == 0;
    }
  }
}
