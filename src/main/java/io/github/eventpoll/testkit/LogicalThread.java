package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.SteppedThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs only when it has the turn; used for one run after the other. Its fields are
 * read and written by whoever has the turn, which is handed over by the volatile {@code go}.
 */
final class LogicalThread extends SteppedThread {
  final int index;

  private volatile boolean go;
  private volatile boolean stopped;

  /** Waits for its turn, or has been given it and not yet noticed. */
  private volatile boolean waitsForTurn;

  /** Interrupted while it does not have the turn. */
  private volatile boolean interruptKept;

  private @Nullable Run run;
  private Interleavings.@Nullable Action job;

  Label label = Label.START;

  /** Where it was when it found a lock taken. */
  Label beforeLock = Label.START;

  Footprint touched = Footprint.NOTHING;

  /** An unpark that no sleep has used. */
  boolean permit;

  /** When the sleep ends by itself; meaningful while asleep. */
  long deadline = Clock.NEVER;

  /** What it sleeps on; null while not asleep. */
  @Nullable Object blocker;

  /** What must hold before it can go on; null for nothing. */
  @Nullable BooleanSupplier free;

  @Nullable Throwable thrown;

  /** Its record as a waiter, of its last sleep in a poll. */
  @Nullable Object waiter;

  /** What the step after its last point of the user touches, if it said so. */
  @Nullable Footprint declared;

  /** In the present step a wait has returned to the user. */
  boolean returned;

  /** In the present step a callback has ended before it had looked at the lists. */
  boolean passedOver;

  /** From where it last came to choose waiters. */
  Label choseAfter = Label.START;

  /** That record was chosen. */
  boolean chosen;

  LogicalThread(int index, String name) {
    super(name);
    this.index = index;
    setDaemon(true);
  }

  /** Before a run; the thread waits in {@link #run}. */
  void prepare(Run next, Interleavings.Action body) {
    run = next;
    job = body;
    label = Label.START;
    touched = Footprint.NOTHING;
    permit = false;
    deadline = Clock.NEVER;
    blocker = null;
    free = null;
    thrown = null;
    waiter = null;
    chosen = false;
    declared = null;
    returned = false;
    passedOver = false;
    interruptKept = false;
  }

  boolean belongsTo(Run some) {
    return run == some;
  }

  @Nullable Run currentRun() {
    return run;
  }

  boolean hasEnded() {
    return label.isEnd();
  }

  /** Whether it could make a step now; asked by whoever has the turn. */
  boolean canRun(long now) {
    if (hasEnded()) {
      return false;
    }
    BooleanSupplier condition = free;
    if (condition != null) {
      return condition.getAsBoolean();
    }
    return blocker == null || permit || deadline <= now || isInterrupted();
  }

  // ------------------------------------------------------------------------------- the turn

  /** Gives the turn to this thread. */
  void grant() {
    go = true;
    LockSupport.unpark(this);
  }

  /** By the thread itself: waits for its turn. Its interrupt status is kept. */
  void awaitTurn() {
    if (Thread.interrupted()) {
      interruptKept = true; // or it could not park
    }
    waitsForTurn = true;
    while (!go) {
      LockSupport.park(this);
    }
    go = false;
    waitsForTurn = false;
    if (interruptKept) {
      interruptKept = false;
      interrupt();
    }
  }

  /** By another thread it takes effect when this one has its turn: so it does in every run. */
  @Override
  public void interrupt() {
    if (Thread.currentThread() == this) {
      super.interrupt();
    } else {
      interruptKept = true;
    }
  }

  @Override
  public boolean isInterrupted() {
    return interruptKept || super.isInterrupted();
  }

  boolean waitsForTurn() {
    return waitsForTurn;
  }

  /** Ends the thread; it must be between two runs. */
  void shutDown() {
    stopped = true;
    grant();
  }

  @Override
  public void run() {
    for (; ; ) {
      awaitTurn();
      Run present = run;
      Interleavings.Action body = job;
      if (stopped || present == null || body == null) {
        return;
      }
      Throwable failure = null;
      try {
        body.run();
      } catch (Run.Cut e) {
        failure = null; // the run is over
      } catch (Throwable e) {
        failure = e;
      }
      Thread.interrupted();
      present.ended(this, failure);
    }
  }

  @Override
  public void awaitFree(boolean control, BooleanSupplier condition) {
    Run present = run;
    if (present == null) {
      throw new IllegalStateException("not in a run");
    }
    present.lockedOut(this, control ? Label.CONTROL_TAKEN : Label.PATH_TAKEN, condition);
  }
}
