package io.github.eventpoll;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-FAIL-1: the failure of an item whose source closes at the same time is not kept.
 * Result: it is.
 */
@Claim(id = "MO-FAIL-1")
public final class FailureStress {
  private FailureStress() {}

  @Outcome(id = "true", expect = FORBIDDEN, desc = "MO-FAIL-1: kept for an item that is gone")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "dropped by one side or by both")
  static final class Sound {}

  @Outcome(id = "true", expect = ACCEPTABLE_INTERESTING, desc = "MO-FAIL-1: kept")
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "dropped by one side or by both")
  static final class Broken {}

  /** Note, then test whether the item is dead; mark it dead, then drop the note. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model {
    volatile boolean dead;
    volatile boolean kept;

    @Actor
    public void scanner() {
      kept = true;
      if (dead) {
        kept = false;
      }
    }

    @Actor
    public void closer() {
      dead = true;
      if (kept) {
        kept = false;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = kept;
    }
  }

  /** The shipped registry. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    private static final Throwable THROWN = new IllegalStateException("thrown");

    final EventPoll poll = EventPoll.create();
    final Fixtures.Plain source = new Fixtures.Plain();
    final EpItem item = poll.add(source, Events.IN);
    final Owed owed = new Owed();

    @Actor
    public void scanner() {
      poll.control.lock();
      try {
        poll.registry.failed(item, THROWN, owed);
      } finally {
        poll.control.unlock();
      }
    }

    @Actor
    public void closer() {
      source.queue.close();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = item.failure() != null;
    }
  }

  /** The test comes before the note. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinTestFirst {
    volatile boolean dead;
    volatile boolean kept;

    @Actor
    public void scanner() {
      if (!dead) {
        kept = true;
      }
    }

    @Actor
    public void closer() {
      dead = true;
      if (kept) {
        kept = false;
      }
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = kept;
    }
  }
}
