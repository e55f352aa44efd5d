package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import java.util.concurrent.locks.LockSupport;

/** The time of one run: it stands still, and its threads sleep by giving their turn away. */
final class SteppedClock extends Clock implements Sleeper {
  private final Run run;

  /** Changed by whoever has the turn. */
  private long now;

  SteppedClock(Run run) {
    super(0);
    this.run = run;
  }

  @Override
  public long raw() {
    run.touched(Footprint.reading(Footprints.CLOCK));
    return now;
  }

  /** The present instant, for the run itself. */
  long peek() {
    return now;
  }

  void moveTo(long instant) {
    now = Math.max(now, instant);
  }

  @Override
  public Sleeper sleeper() {
    return this;
  }

  @Override
  public void park(Object blocker, long deadline) {
    LogicalThread self = run.self();
    if (self != null) {
      run.sleep(self, blocker, deadline);
    } else if (deadline == NEVER) {
      throw new AssertionError(
          "a thread of no run would sleep for ever: " + blocker + ", in " + Thread.currentThread());
    } else {
      moveTo(deadline); // nobody else runs while the scenario is built or checked
    }
  }

  @Override
  public void unpark(Thread thread) {
    if (thread instanceof LogicalThread logical && logical.belongsTo(run)) {
      run.touched(Footprint.changing(Footprints.thread(logical.index)));
      logical.permit = true;
    } else {
      LockSupport.unpark(thread);
    }
  }
}
