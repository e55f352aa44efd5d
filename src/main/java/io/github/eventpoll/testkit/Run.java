package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a scenario: exactly one thread has the turn, the controller (the thread of the
 * test) or one of the logical threads. At every point the thread that has it chooses who comes
 * next, so that no switch is made where a thread goes on itself. Every field belongs to whoever has
 * the turn.
 */
final class Run {
  /** Decides who makes the next step. */
  interface Chooser {
    /** The turn goes back to the controller. */
    int PAUSE = -1;

    /**
     * Chooses.
     *
     * @param run the run, with the steps so far
     * @param enabled bits of the threads that can make a step; not 0
     * @return the index of one of them, or {@link #PAUSE}
     */
    int choose(Run run, int enabled);
  }

  /** Ends a logical thread whose run is over. */
  static final class Cut extends Error {
    private static final long serialVersionUID = 1L;

    private Cut() {
      super("the run is over", null, false, false);
    }
  }

  /** How long a thread may compute between two points before the run gives up on it. */
  private static final long FAIL_SAFE_NANOS = 20_000_000_000L;

  private static final long LOOK_NANOS = 2_000_000L;

  /** Points after which the source of an item is asked. */
  private static final Set<Probe.@Nullable Step> ASKING =
      EnumSet.of(Probe.Step.SCAN_ASK, Probe.Step.LET_GO, Probe.Step.MODIFY_STORED);

  /** Points before which the source of an item, or its registration, has changed. */
  private static final Set<Probe.@Nullable Step> CHANGED =
      EnumSet.of(Probe.Step.CALLBACK, Probe.Step.REMOVE_DEAD, Probe.Step.DEADLINE_READ);

  final LogicalThread[] threads;
  final List<Event> events = new ArrayList<>();
  final SteppedClock clock = new SteppedClock(this);
  private final List<Object> things = new ArrayList<>();

  private final Chooser chooser;
  private final boolean sharesOnlyLibrary;
  private final boolean narrates;
  private final int maxSteps;
  private final Thread controller = Thread.currentThread();

  private volatile boolean controllersTurn = true;
  private volatile boolean cut;

  /** The thread that has the turn, null for the controller; written by who gives the turn away. */
  private volatile @Nullable LogicalThread running;

  /** How many steps were made before time last moved by itself. */
  private int movedAfter;

  /** There are timers. */
  boolean timed;

  /** True if nobody can make a step any more. */
  boolean atRest;

  /** True if the bound of steps was reached. */
  boolean tooLong;

  /** The last thread that made a step, -1 at first. */
  int last = -1;

  /** A thread that waits for something that is not the library's, with its stack. */
  @Nullable String stuck;

  Run(
      LogicalThread[] threads,
      Chooser chooser,
      boolean sharesOnlyLibrary,
      boolean narrates,
      int maxSteps) {
    this.threads = threads;
    this.chooser = chooser;
    this.sharesOnlyLibrary = sharesOnlyLibrary;
    this.narrates = narrates;
    this.maxSteps = maxSteps;
  }

  /** The run of the calling thread, null if it is no logical thread. */
  static @Nullable Run current() {
    return Thread.currentThread() instanceof LogicalThread self ? self.currentRun() : null;
  }

  /** The calling thread if it is a thread of this run. */
  @Nullable LogicalThread self() {
    return Thread.currentThread() instanceof LogicalThread self && self.belongsTo(this)
        ? self
        : null;
  }

  // --------------------------------------------------------------------- by logical threads

  /** The calling thread has come to a point of the user, and says what comes next touches. */
  void userPoint(String name, Object[] touched) {
    LogicalThread self = self();
    if (self != null) {
      arrive(self, Label.ofUser(name), null);
      long bits = 0;
      for (Object thing : touched) {
        bits |= thing(thing);
      }
      self.declared = touched.length == 0 ? null : Footprint.changing(bits);
    }
  }

  /** The calling thread has come to a point. */
  void point(Label label, @Nullable Object about) {
    LogicalThread self = self();
    if (self != null) {
      arrive(self, label, about);
    }
  }

  /** The calling thread is told what it has just done, and stays where it is. */
  void reported(Probe.Step report, int poll) {
    LogicalThread self = self();
    if (self == null) {
      return;
    }
    if (report == Probe.Step.WAKEUP_KEPT) {
      touched(Footprints.keptWakeup(poll));
    } else if (report == Probe.Step.RETURNED) {
      self.returned = true;
    } else if (report == Probe.Step.SKIPPED || report == Probe.Step.UNWANTED) {
      self.passedOver = true;
    }
  }

  /** The calling thread sleeps. */
  void sleep(LogicalThread self, Object on, long deadline) {
    long things = Footprints.thread(self.index) | (deadline == Clock.NEVER ? 0 : Footprints.CLOCK);
    Footprint sleeping = new Footprint(things, Footprints.thread(self.index));
    touched(sleeping);
    if (!self.permit && !self.isInterrupted() && clock.peek() < deadline) {
      self.blocker = on;
      self.deadline = deadline;
      try {
        arrive(self, Label.ASLEEP, on);
      } finally {
        self.blocker = null;
        self.deadline = Clock.NEVER;
      }
      touched(sleeping);
    }
    self.permit = false;
  }

  /** The calling thread has found a lock taken. */
  void lockedOut(LogicalThread self, Label taken, BooleanSupplier condition) {
    self.free = condition;
    try {
      arrive(self, taken, null);
    } finally {
      self.free = null;
    }
  }

  /** The calling thread, if it is one of this run, has touched something in its present step. */
  void touched(Footprint what) {
    LogicalThread self = self();
    if (self != null) {
      self.touched = self.touched.and(what);
    }
  }

  private void arrive(LogicalThread self, Label to, @Nullable Object about) {
    if (cut) {
      throw new Cut();
    }
    note(self, to, about);
    step(self, to, about);
    LogicalThread next = choose();
    if (next != self) {
      handOver(next);
      self.awaitTurn();
      if (cut) {
        throw new Cut();
      }
    }
    if (about instanceof EpItem item) {
      if (ASKING.contains(to.step())) {
        touched(Footprint.reading(thing(item.source())));
      } else if (to.step() == Probe.Step.DUE) {
        touched(Footprint.changing(thing(item.source())));
      }
    }
  }

  /** What a point shows of the step that ends there. */
  private void note(LogicalThread self, Label to, @Nullable Object about) {
    if (about instanceof EpItem item && CHANGED.contains(to.step())) {
      touched(Footprint.changing(thing(item.source())));
    } else if (to.step() == Probe.Step.ENLISTING) {
      self.waiter = about;
      self.chosen = false;
    } else if (to.step() == Probe.Step.CHOSEN) {
      noteChosen(about);
    }
  }

  private void noteChosen(@Nullable Object waiter) {
    for (LogicalThread thread : threads) {
      if (thread.waiter == waiter) {
        thread.chosen = true;
        touched(Footprint.changing(Footprints.thread(thread.index)));
        return;
      }
    }
    touched(Footprint.ALL);
  }

  /** A source, or what a point has named: by identity, in the order in which they come up. */
  private long thing(Object thing) {
    int index = 0;
    while (index < things.size() && things.get(index) != thing) {
      index++;
    }
    if (index == things.size()) {
      things.add(thing);
    }
    return Footprints.source(index);
  }

  private void step(LogicalThread self, Label to, @Nullable Object about) {
    Label from = self.label.isTaken() ? self.beforeLock : self.label;
    if (to.isTaken()) {
      self.beforeLock = from;
    }
    Footprint footprint = Footprints.of(from, to, self, sharesOnlyLibrary).and(self.touched);
    footprint = footprint.and(Footprint.reading(Footprints.thread(self.index))); // interrupted?
    if (!timed) {
      footprint = footprint.without(Footprints.KEEPING_TIME);
    }
    if (to.step() == Probe.Step.CHOSEN && from.step() != Probe.Step.CHOSEN) {
      self.choseAfter = from;
    }
    self.returned = false;
    self.passedOver = false;
    String text = narrates ? Narration.of(to, about, clock.peek()) : null;
    events.add(new Event(self.index, self.label, to, footprint, movedAfter, text));
    self.label = to;
    self.touched = Footprint.NOTHING;
    last = self.index;
  }

  /** The calling thread's body has ended; it does not have the turn afterwards. */
  void ended(LogicalThread self, @Nullable Throwable failure) {
    if (cut) {
      self.label = Label.END;
      handOver(null);
      return;
    }
    step(self, Label.END, failure);
    self.thrown = failure;
    handOver(failure != null ? null : choose());
  }

  // ------------------------------------------------------------------------------ the turn

  /** Who makes the next step; null for the controller. */
  private @Nullable LogicalThread choose() {
    int enabled = enabled();
    while (enabled == 0) {
      if (!moveTime()) {
        atRest = true;
        return null;
      }
      enabled = enabled();
    }
    if (events.size() >= maxSteps) {
      tooLong = true;
      return null;
    }
    int choice = chooser.choose(this, enabled);
    return choice == Chooser.PAUSE ? null : threads[choice];
  }

  private int enabled() {
    int enabled = 0;
    long now = clock.peek();
    for (LogicalThread thread : threads) {
      if (thread.canRun(now)) {
        enabled |= 1 << thread.index;
      }
    }
    return enabled;
  }

  /** Nobody can run: time goes on to the nearest deadline; false if there is none. */
  private boolean moveTime() {
    long nearest = Clock.NEVER;
    for (LogicalThread thread : threads) {
      if (thread.blocker != null) {
        nearest = Math.min(nearest, thread.deadline);
      }
    }
    if (nearest == Clock.NEVER) {
      return false;
    }
    clock.moveTo(nearest);
    movedAfter = events.size();
    return true;
  }

  private void handOver(@Nullable LogicalThread next) {
    running = next;
    if (next == null) {
      controllersTurn = true;
      LockSupport.unpark(controller);
    } else {
      next.grant();
    }
  }

  // --------------------------------------------------------------------- by the controller

  /** Lets the threads run until the chooser pauses, somebody fails or nobody can run. */
  void go() {
    atRest = false;
    LogicalThread first = choose();
    if (first != null) {
      controllersTurn = false;
      handOver(first);
      awaitControllersTurn();
    }
  }

  private void awaitControllersTurn() {
    long start = System.nanoTime();
    int seen = -1;
    int still = 0;
    boolean interrupted = false;
    while (!controllersTurn) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      interrupted |= Thread.interrupted();
      LogicalThread thread = running;
      if (controllersTurn || thread == null) {
        continue;
      }
      int progress = events.size(); // a racy read, compared with itself only
      still = progress == seen && Blocking.isBlocked(thread) ? still + 1 : 0;
      seen = progress;
      if (still >= 20 || System.nanoTime() - start > FAIL_SAFE_NANOS) {
        stuck = Blocking.describe(thread);
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends what is left of the threads' bodies, one after the other. */
  void end() {
    cut = true;
    if (stuck != null) {
      return; // its threads are lost
    }
    for (LogicalThread thread : threads) {
      if (thread.label == Label.START) {
        thread.label = Label.END;
      } else if (!thread.hasEnded()) {
        controllersTurn = false;
        handOver(thread);
        awaitControllersTurn();
      }
    }
  }

  /** The failure of a thread, null if none has failed. */
  @Nullable LogicalThread failed() {
    for (LogicalThread thread : threads) {
      if (thread.thrown != null) {
        return thread;
      }
    }
    return null;
  }
}
