package io.github.eventpoll.source;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.stress.Claim;
import java.lang.invoke.VarHandle;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-QUEUE-1: of an offer and a registration at the same time at least one sees the other.
 * Result: the element is announced.
 */
@Claim(id = "MO-QUEUE-1")
public final class QueueStress {
  private static final Integer ELEMENT = 1;

  private QueueStress() {}

  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-QUEUE-1: an element nobody hears of")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "announced by the offer or found by the look")
  static final class Sound {}

  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "MO-QUEUE-1: an element nobody hears of")
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "announced by the offer or found by the look")
  static final class Broken {}

  /** A place is reserved by CAS, filled by a release store, and then somebody to tell is sought. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    private static final VarHandle STATE = Fields.field(Model.class, "state", long.class);
    private static final VarHandle ENTRIES = Fields.field(Model.class, "entries", int.class);

    final MpscAtomicArrayQueue<Integer> elements = new MpscAtomicArrayQueue<>(2);
    volatile long state;
    volatile int entries;
    volatile boolean announced;

    @Actor
    public void producer() {
      STATE.compareAndSet(this, 0L, 1L);
      elements.offer(ELEMENT);
      if (entries != 0) {
        announced = true;
      }
    }

    @Actor
    public void newcomer() {
      ENTRIES.compareAndSet(this, 0, 1);
      if (state != 0) {
        announced = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = announced;
    }
  }

  /** A shipped queue in a shipped poll. */
  abstract static class Shipped {
    final EventPoll poll = EventPoll.create();
    final QueueSource<Integer> queue;

    Shipped(QueueKind kind) {
      queue = QueueSource.bounded(2, kind);
    }

    public void producer() {
      queue.offer(ELEMENT);
    }

    public void newcomer() {
      poll.add(queue, Events.IN);
    }

    public void arbiter(Z_Result r) {
      r.r1 = poll.readiness() != 0;
    }
  }

  /** The shipped queue for any number of threads. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual extends Shipped {
    public Actual() {
      super(QueueKind.MPMC);
    }

    @Override
    @Actor
    public void producer() {
      super.producer();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** The one for a single producer and a single consumer, which itself only uses release stores. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class ActualSpsc extends Shipped {
    public ActualSpsc() {
      super(QueueKind.SPSC);
    }

    @Override
    @Actor
    public void producer() {
      super.producer();
    }

    @Override
    @Actor
    public void newcomer() {
      super.newcomer();
    }

    @Override
    @Arbiter
    public void arbiter(Z_Result r) {
      super.arbiter(r);
    }
  }

  /** Ready means: the first element can be seen. It is put there by a release store. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinPeek {
    private static final VarHandle ENTRIES = Fields.field(TwinPeek.class, "entries", int.class);

    final MpscAtomicArrayQueue<Integer> elements = new MpscAtomicArrayQueue<>(2);
    volatile int entries;
    volatile boolean announced;

    @Actor
    public void producer() {
      elements.offer(ELEMENT);
      if (entries != 0) {
        announced = true;
      }
    }

    @Actor
    public void newcomer() {
      ENTRIES.compareAndSet(this, 0, 1);
      if (elements.relaxedPeek() != null) {
        announced = true;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = announced;
    }
  }
}
