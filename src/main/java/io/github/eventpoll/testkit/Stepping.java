package io.github.eventpoll.testkit;

import java.util.function.Predicate;

/**
 * One run of a scenario whose order a test forces: the test says which thread goes on, and how far.
 * To be closed by the test; what is left of the threads ends then. By the thread of the test only.
 *
 * @param <S> what the threads share
 * @since 0.1
 */
public final class Stepping<S> implements AutoCloseable {
  private final Plan<S> plan;
  private final LogicalThread[] threads;
  private final Trial<S> trial;

  /** Who goes on, and until when; of the present order. */
  private int going = -1;

  private Predicate<LogicalThread> until = thread -> true;
  private boolean begun;

  Stepping(Plan<S> plan) {
    this.plan = plan;
    threads = plan.startThreads();
    trial = new Trial<>(plan, threads, this::choose, true);
  }

  private int choose(Run run, int enabled) {
    if (going < 0) { // to the end
      return Integer.numberOfTrailingZeros(enabled);
    }
    boolean there = begun && until.test(threads[going]);
    begun = true;
    return there || (enabled & Node.bit(going)) == 0 ? Run.Chooser.PAUSE : going;
  }

  /**
   * Lets a thread go on until it comes to a point of this name: the user's own, {@code asleep}, or
   * one of the library's such as {@code enlisted}, as lists of steps show them.
   *
   * @param thread the thread's name
   * @param point the point's name
   * @return this
   * @throws AssertionError if it ends, fails or cannot go on before
   */
  public Stepping<S> until(String thread, String point) {
    LogicalThread mover = go(thread, moving -> moving.label.name().equals(point));
    if (!mover.label.name().equals(point)) {
      throw new AssertionError(
          thread + " came to " + mover.label.name() + ", not to " + point + "\n" + steps());
    }
    return this;
  }

  /**
   * Lets a thread make steps.
   *
   * @param thread the thread's name
   * @param steps how many
   * @return this
   * @throws AssertionError if it fails or cannot make so many
   */
  public Stepping<S> steps(String thread, int steps) {
    for (int i = 0; i < steps; i++) {
      int before = trial.run.events.size();
      go(thread, moving -> true);
      if (trial.run.events.size() == before) {
        throw new AssertionError(thread + " cannot make a step\n" + steps());
      }
    }
    return this;
  }

  /**
   * Lets a thread go on until it has ended, sleeps, or waits for a lock.
   *
   * @param thread the thread's name
   * @return this
   * @throws AssertionError if it fails
   */
  public Stepping<S> run(String thread) {
    go(thread, LogicalThread::hasEnded);
    return this;
  }

  /**
   * Tells where a thread is.
   *
   * @param thread its name
   * @return the name of the point; {@code start}, {@code asleep}, {@code end}
   */
  public String at(String thread) {
    return threads[index(thread)].label.name();
  }

  /**
   * Lets all threads go on until none can, and then checks as every run is checked.
   *
   * @throws AssertionError if the run fails; with the numbered list of its steps
   */
  public void finish() {
    going = -1;
    trial.run.go();
    requireSound();
  }

  /**
   * What was done so far, as a numbered list.
   *
   * @return several lines of text
   */
  public String steps() {
    return StepList.of(trial.run, plan.names);
  }

  private LogicalThread go(String thread, Predicate<LogicalThread> where) {
    going = index(thread);
    until = where;
    begun = false;
    trial.run.go();
    if (trial.run.failed() != null || trial.run.stuck != null) {
      requireSound();
    }
    return threads[going];
  }

  private void requireSound() {
    Failure failure = trial.failure();
    if (failure != null) {
      throw new AssertionError(failure.what() + "\n" + steps(), failure.cause());
    }
  }

  private int index(String thread) {
    int index = plan.names.indexOf(thread);
    if (index < 0) {
      throw new IllegalArgumentException("no thread " + thread);
    }
    return index;
  }

  /** Ends what is left of the threads. */
  @Override
  public void close() {
    trial.run.end();
    for (LogicalThread each : threads) {
      each.shutDown();
    }
  }
}
