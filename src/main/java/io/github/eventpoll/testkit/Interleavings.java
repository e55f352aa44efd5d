package io.github.eventpoll.testkit;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * Runs a small scenario of several threads in every order in which its threads can meet, and
 * reports the first order in which it fails as a numbered list of steps.
 *
 * <p>The threads are real, but only one runs at a time, from one <em>point</em> to the next. Points
 * are the interesting places of the library in polls made by the {@link Stage}, every sleep in
 * them, and the places that the user's code marks with {@link #point}. A run fails if a thread
 * throws, if a thread sleeps when nobody is left to wake it (a lost wake-up), if one sleeps on a
 * poll that has something ready, or if the check at the end throws. Each run starts with a fresh
 * scenario; the scenario must do the same whenever its threads make the same steps, and it is a
 * failure if it does not.
 *
 * <p>What "every order" means: whatever happens between two points is one step, so races inside of
 * a step, and what a memory model allows beyond some order of steps, are not seen. Of orders that
 * differ only in neighbouring steps that do not touch the same things one is run. What the user's
 * own code touches is unknown, so that a step in which any of it may have run counts as touching
 * everything; only for stretches inside of one call of the library is it known what they touch.
 *
 * <p>Not thread-safe; a test makes one, describes its scenario and calls {@link #explore}. The
 * threads of a scenario may wait in polls made by the stage and for locks of the library; a thread
 * that waits for anything else while it has the turn makes the run fail.
 *
 * @param <S> what the threads share; made anew for each run
 * @since 0.1
 */
public final class Interleavings<S> {
  /**
   * What one thread of a scenario does, or a check.
   *
   * @param <S> what the threads share
   * @since 0.1
   */
  @FunctionalInterface
  public interface Body<S> {
    /**
     * Does it.
     *
     * @param scene what the threads share
     * @throws Exception if the run is to fail
     */
    void run(S scene) throws Exception;
  }

  /** A body with its scene. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  private final Plan<S> plan;

  private Interleavings(Plan<S> plan) {
    this.plan = plan;
  }

  /**
   * Describes a scenario.
   *
   * @param scenario makes what the threads of one run share, on the run's stage; called by the
   *     thread of the test, before each run
   * @param <S> what the threads share
   * @return a description without threads
   */
  public static <S> Interleavings<S> of(Function<? super Stage, ? extends S> scenario) {
    return new Interleavings<>(new Plan<>(Objects.requireNonNull(scenario)));
  }

  /**
   * Marks a point in code that is to be tested: here another thread may come in between. Does
   * nothing, and costs next to nothing, in threads that are not a scenario's.
   *
   * @param name what the list of steps calls it
   * @param touched what the code from here to the next point reads or writes of that which threads
   *     share, without what it touches by the library's calls; nothing named means: unknown. Only
   *     of use with {@link #marksWhatIsShared}; saves orders
   */
  public static void point(String name, Object... touched) {
    Run run = Run.current();
    if (run != null) {
      run.userPoint(name, touched);
    }
  }

  /**
   * Adds a thread.
   *
   * @param name its name
   * @param body what it does
   * @return this
   * @throws IllegalArgumentException if there is one of that name, or if there are 16
   */
  public Interleavings<S> thread(String name, Body<? super S> body) {
    if (plan.names.contains(name) || plan.names.size() == Footprints.MAX_THREADS) {
      throw new IllegalArgumentException("one too many: " + name);
    }
    plan.names.add(name);
    plan.bodies.add(Objects.requireNonNull(body));
    return this;
  }

  /**
   * Says what must hold when no thread can go on any more.
   *
   * @param check throws if it does not hold; called by the thread of the test
   * @return this
   */
  public Interleavings<S> check(Body<? super S> check) {
    plan.check = Objects.requireNonNull(check);
    return this;
  }

  /**
   * Says that threads may sleep for ever at the end; still not on a poll that has something ready.
   *
   * @param names of threads
   * @return this
   */
  public Interleavings<S> mayStayAsleep(String... names) {
    plan.mayStayAsleep.addAll(Arrays.asList(names));
    return this;
  }

  /**
   * Promises that the scenario's own code marks by {@link #point} where it touches what its threads
   * share: it touches nothing shared but (1) between a point of its own and the next point, and (2)
   * by calls of polls, and of sources that ring, which come to points themselves; and that sources
   * change nothing when they are asked. In front of calls that may come to no point (an {@code
   * await} that does not sleep, a change of a source that does not ring) it marks a point as well.
   *
   * <p>Then a step that does not begin at a point of the scenario touches only what the library's
   * calls touch in it, which is known; and many orders fewer have to be run. Without this promise
   * every step in which any of the scenario's code may have run counts as touching everything. A
   * promise that is broken hides orders, and cannot be found out.
   *
   * @return this
   */
  public Interleavings<S> marksWhatIsShared() {
    plan.sharesOnlyLibrary = true;
    return this;
  }

  /**
   * Runs also the orders that differ only in the order of steps that do not touch the same things.
   *
   * @return this
   */
  public Interleavings<S> withoutReduction() {
    plan.reduces = false;
    return this;
  }

  /**
   * Runs only those orders in which threads that could go on are stopped so many times at most.
   * Most races need one or two. Without the reduction, and never exhaustive if an order is left
   * out.
   *
   * @param most how often; not negative
   * @return this
   */
  public Interleavings<S> maxPreemptions(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("negative: " + most);
    }
    plan.reduces = false;
    plan.maxPreemptions = most;
    return this;
  }

  /**
   * Stops after so many schedules; 200 000 unless set.
   *
   * @param most how many; more than 0
   * @return this
   */
  public Interleavings<S> maxSchedules(long most) {
    if (most <= 0) {
      throw new IllegalArgumentException("not positive: " + most);
    }
    plan.maxSchedules = most;
    return this;
  }

  /**
   * Gives a run up after so many steps; 2 000 unless set.
   *
   * @param most how many; more than 0
   * @return this
   */
  public Interleavings<S> maxSteps(int most) {
    if (most <= 0) {
      throw new IllegalArgumentException("not positive: " + most);
    }
    plan.maxSteps = most;
    return this;
  }

  /**
   * Runs every order. To reach a bound is not a failure: see {@link Exploration#requireExhaustive}.
   *
   * @return how much was tried
   * @throws AssertionError if an order fails; with the numbered list of its steps
   */
  public Exploration explore() {
    try (Enumeration<S> enumeration = new Enumeration<>(plan)) {
      return enumeration.explore();
    }
  }

  /**
   * Runs one order, for a debugger or as a test that keeps a race that was found.
   *
   * @param schedule as a failure has shown it; after its end the remaining threads go on in the
   *     order in which they were added
   * @throws AssertionError if it fails; with the numbered list of its steps
   */
  public void replay(String schedule) {
    int[] steps = Schedule.parse(schedule, plan.names.size());
    try (Enumeration<S> enumeration = new Enumeration<>(plan)) {
      enumeration.replay(steps);
    }
  }

  /**
   * Begins one run whose order the test forces step by step.
   *
   * @return to be closed by the test
   */
  public Stepping<S> step() {
    return new Stepping<>(plan);
  }

  @Override
  public String toString() {
    return "Interleavings of " + plan.names;
  }
}
