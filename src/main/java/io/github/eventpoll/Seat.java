package io.github.eventpoll;

import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The turn of one driver, that is the right to sleep in it, and the waiters of all polls that
 * depend on it. Taking the turn never waits. Whoever gives it up looks for a successor afterwards,
 * and whoever wants to sleep becomes a candidate before it looks at the turn: so not both can miss
 * (MO-TURN-1). Where every candidate leads another driver, the driver's helper thread leads.
 */
final class Seat {
  /** Holds the turn for one pass, asleep never. */
  private static final Object PASSING =
      new Object() {
        @Override
        public String toString() {
          return "a thread that looks once";
        }
      };

  private static final VarHandle HOLDER;
  private static final VarHandle TURNS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOLDER = lookup.findVarHandle(Seat.class, "holder", Object.class);
      TURNS = lookup.findVarHandle(Seat.class, "turns", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Driver driver;

  /** For tests; set before threads come. */
  @Nullable Probe probe;

  /** Who has the turn: a waiter, PASSING, or null. CAS to take, store to give up: MO-TURN-1. */
  private volatile @Nullable Object holder;

  /** How often the turn was taken; written by who has it, read opaque by who looks. */
  @SuppressWarnings("UnusedVariable") // read through TURNS
  private long turns;

  private final SpinLock guard = new SpinLock();

  /** Waiters that depend on this driver, of whichever poll; guard: guard. */
  private final List<Waiter> candidates = new ArrayList<>();

  /** Started at first need; guard: guard. */
  private @Nullable DriverHelper helper;

  /** A count; written under guard, read by those who look. */
  private volatile int helpersStarted;

  Seat(Driver driver) {
    this.driver = driver;
  }

  boolean isFree() {
    return holder == null;
  }

  /** How many helpers were started so far. */
  int helpersStarted() {
    return helpersStarted;
  }

  /** The waiter that has the turn; for looking only. */
  @Nullable Waiter leader() {
    return holder instanceof Waiter waiter ? waiter : null;
  }

  void at(Probe.Step step) {
    Probe watching = probe;
    if (watching != null) {
      watching.at(step, this);
    }
  }

  /** How often the turn was taken so far; any thread. */
  long turns() {
    return (long) TURNS.getOpaque(this);
  }

  /** A candidate that sleeps; null if there is none, or the candidates just change. For looking. */
  @Nullable Waiter candidateAsleep() {
    if (!guard.tryLock()) {
      return null;
    }
    try {
      for (Waiter waiter : candidates) {
        if (waiter.isAsleep()) {
          return waiter;
        }
      }
      return null;
    } finally {
      guard.unlock();
    }
  }

  /** Takes the turn for a waiter if nobody has it, or the waiter itself has. */
  boolean tryTake(Waiter waiter) {
    return holder == waiter || (holder == null && take(waiter));
  }

  private boolean take(Object taker) {
    if (!HOLDER.compareAndSet(this, null, taker)) {
      return false;
    }
    turns++;
    return true;
  }

  /** The thread that has the turn sleeps under another record from now on. */
  void handOn(Waiter successor) {
    holder = successor;
  }

  /** Gives the turn up: then pending flushes are made, and a successor is looked for. */
  void release() {
    holder = null; // MO-TURN-1: volatile store, then the candidates and requests are looked at
    handOver();
  }

  /** What everybody owes who had the turn; somebody else may have it by now. */
  private void handOver() {
    at(Probe.Step.TURN_FREED);
    try {
      while (driver.flushRequested() && tryPass()) {
        // the pass was the work
      }
    } finally {
      promote();
    }
  }

  /** Makes one pass if the turn is free; then looks for a successor as everybody who had it. */
  boolean pass() {
    if (!isFree()) {
      return false;
    }
    boolean passed = false;
    try {
      passed = tryPass();
    } finally {
      if (passed) {
        handOver();
      }
    }
    return passed;
  }

  private boolean tryPass() {
    if (holder != null || !take(PASSING)) {
      return false;
    }
    Object record = null;
    try {
      record = Recorder.IT.beginPass();
      driver.sleep(Driver.AT_ONCE);
    } finally {
      try {
        at(Probe.Step.REPORTED);
        driver.dispatch();
        Recorder.IT.endPass(record, this, false);
      } finally {
        holder = null; // MO-TURN-1
      }
    }
    return true;
  }

  /** Flushes now, or has the one who leads do it. The request was published before (KR-38). */
  void flush() {
    if (!pass()) {
      kickHolder();
    }
  }

  void flushIfRequested() {
    if (driver.flushRequested()) {
      flush();
    }
  }

  /** Makes a leader that sleeps look again and so make a new pass. */
  void kickHolder() {
    if (holder instanceof Waiter waiter) {
      waiter.kickAndWake();
    }
  }

  void enlist(Waiter waiter) {
    guard.lock();
    try {
      candidates.add(waiter); // MO-TURN-1: then the waiter looks at the turn
    } finally {
      guard.unlock();
    }
  }

  /** Takes a waiter off the candidates; whoever did not lead may have been meant to. */
  void withdraw(Waiter waiter) {
    guard.lock();
    try {
      candidates.remove(waiter);
    } finally {
      guard.unlock();
    }
    promote();
  }

  /**
   * If the turn is free and somebody depends on it, makes somebody take it: a waiter if one can,
   * else the helper. A helper that is not needed any more is told, so that it gives the turn up;
   * then it comes here itself.
   */
  void promote() {
    boolean free = holder == null;
    if (!free && !isLedByHelper()) {
      return;
    }
    Waiter able;
    DriverHelper told = null;
    boolean fresh = false;
    guard.lock();
    try {
      able = ableToLead();
      boolean needed = isHelperNeeded();
      if (needed && free && helper == null) {
        fresh = true;
        helper = newHelper();
      }
      if (free || !needed) {
        told = helper;
      }
    } finally {
      guard.unlock();
    }
    if (free && able != null) {
      able.kickAndWake();
    }
    if (fresh) {
      told.start();
      Recorder.IT.helperStarted(this);
    } else if (told != null) {
      told.kick();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written under guard only
  private DriverHelper newHelper() {
    helpersStarted++;
    return new DriverHelper(this);
  }

  private boolean isLedByHelper() {
    return holder instanceof Waiter leader && leader.isHelper();
  }

  /** True if waiters depend on this driver and none of them can lead it. */
  boolean needsHelper() {
    guard.lock();
    try {
      return isHelperNeeded();
    } finally {
      guard.unlock();
    }
  }

  /**
   * True if the helper is not needed and may end: in the same section it is forgotten, so that
   * whoever needs one from now on starts another.
   */
  boolean dismissedIfIdle(DriverHelper asking) {
    guard.lock();
    try {
      if (isHelperNeeded() || !asking.isIdle()) {
        return false;
      }
      forget(asking);
      return true;
    } finally {
      guard.unlock();
    }
  }

  private boolean isHelperNeeded() {
    return !candidates.isEmpty() && ableToLead() == null;
  }

  /** The helper ends, for whatever reason. */
  void dismiss(DriverHelper ending) {
    guard.lock();
    try {
      forget(ending);
    } finally {
      guard.unlock();
    }
  }

  private void forget(DriverHelper ending) {
    if (helper == ending) {
      helper = null;
    }
  }

  void releaseIfHeldBy(Waiter waiter) {
    if (holder == waiter) {
      release();
    }
  }

  private @Nullable Waiter ableToLead() {
    for (int i = candidates.size() - 1; i >= 0; i--) {
      Waiter waiter = candidates.get(i);
      if (waiter.canLead(this)) {
        return waiter;
      }
    }
    return null;
  }

  /** Adds a line for each candidate and for the helper; waits for nobody. */
  void describe(StringBuilder text, String indent) {
    if (!guard.tryLock()) {
      text.append(indent).append("candidates change just now\n");
      return;
    }
    try {
      for (Waiter waiter : candidates) {
        text.append(indent).append("candidate ").append(waiter).append('\n');
      }
      if (helper != null) {
        text.append(indent).append("helper ").append(helper).append('\n');
      }
    } finally {
      guard.unlock();
    }
  }

  @Override
  public String toString() {
    Object has = holder;
    return driver + (has == null ? " led by nobody" : " led by " + has);
  }
}
