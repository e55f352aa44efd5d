package io.github.eventpoll.nio;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.eventpoll.stress.Claim;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Checks MO-FLUSH-1: two threads ask for a flush; whichever has the turn makes the passes. Result:
 * every request was followed by a pass that began after it.
 */
@Claim(id = "MO-FLUSH-1")
public final class FlushStress {
  private FlushStress() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "both flushes were made")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "MO-FLUSH-1: a flush was not made")
  static final class Sound {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "both flushes were made")
  @Outcome(id = "false", expect = ACCEPTABLE_INTERESTING, desc = "MO-FLUSH-1: one was not made")
  static final class Broken {}

  /** What a pass is for: of each side whether it has something to flush, and whether it was. */
  abstract static class Flushes {
    final AtomicBoolean turn = new AtomicBoolean();
    volatile boolean first;
    volatile boolean second;
    volatile boolean firstDone;
    volatile boolean secondDone;

    final void work() {
      boolean one = first;
      boolean other = second;
      if (one) {
        firstDone = true;
      }
      if (other) {
        secondDone = true;
      }
    }
  }

  /** Requests are numbered; a pass stands for those that were there when it began. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Model extends Flushes {
    final AtomicInteger wanted = new AtomicInteger();
    volatile int done;

    private void flush() {
      wanted.getAndIncrement();
      while (done < wanted.get() && turn.compareAndSet(false, true)) {
        int covered = wanted.get();
        work();
        done = covered;
        turn.set(false);
      }
    }

    @Actor
    public void first() {
      first = true;
      flush();
    }

    @Actor
    public void second() {
      second = true;
      flush();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = firstDone && secondDone;
    }
  }

  /** The shipped driver and turn; the driver has no channels, so that a pass is no system call. */
  @JCStressTest
  @JCStressMeta(Sound.class)
  @State
  public static class Actual {
    final SelectorDriver driver = new SelectorDriver(SelectorProvider.provider());

    @Actor
    public void first() {
      driver.flushNow();
    }

    @Actor
    public void second() {
      driver.flushNow();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = !driver.flushRequested();
    }
  }

  /** A flag in place of numbers, cleared when the pass ends. */
  @JCStressTest
  @JCStressMeta(Broken.class)
  @State
  public static class TwinFlagClearedAfterPass extends Flushes {
    volatile boolean wanted;

    private void flush() {
      wanted = true;
      while (wanted && turn.compareAndSet(false, true)) {
        work();
        wanted = false;
        turn.set(false);
      }
    }

    @Actor
    public void first() {
      first = true;
      flush();
    }

    @Actor
    public void second() {
      second = true;
      flush();
    }

    @Arbiter
    public void arbiter(Z_Result r) {
      r.r1 = firstDone && secondDone;
    }
  }
}
