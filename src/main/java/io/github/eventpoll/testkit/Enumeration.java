package io.github.eventpoll.testkit;

import java.util.List;

/** Runs schedules of a plan one after the other, with threads that are used again. */
final class Enumeration<S> implements AutoCloseable {
  private final Plan<S> plan;
  private final LogicalThread[] threads;

  Enumeration(Plan<S> plan) {
    this.plan = plan;
    threads = plan.startThreads();
  }

  @Override
  public void close() {
    for (LogicalThread thread : threads) {
      thread.shutDown();
    }
  }

  Exploration explore() {
    Explorer explorer = new Explorer(threads.length, plan.reduces, plan.maxPreemptions);
    long schedules = 0;
    long cut = 0;
    int steps = 0;
    String bound = "";
    do {
      if (schedules + cut >= plan.maxSchedules) {
        bound = plan.maxSchedules + " schedules";
        break;
      }
      explorer.begin();
      Run run = runOnce(explorer, schedules + cut + 1);
      if (explorer.seenBefore) {
        cut++;
      } else {
        schedules++;
        steps = Math.max(steps, run.events.size());
      }
      if (run.tooLong) {
        bound = plan.maxSteps + " steps in one schedule";
      }
      if (!explorer.advance(run.events)) {
        break;
      }
    } while (true);
    if (bound.isEmpty() && explorer.leftOut) {
      bound = plan.maxPreemptions + " preemptions";
    }
    return new Exploration(schedules, cut, steps, bound.isEmpty(), bound);
  }

  private Run runOnce(Explorer explorer, long number) {
    Trial<S> trial = new Trial<>(plan, threads, explorer, false);
    Failure failure;
    try {
      trial.run.go();
      explorer.finish(trial.run);
      failure = explorer.seenBefore ? null : trial.failure();
    } finally {
      trial.run.end();
    }
    if (explorer.surprise != null) {
      throw new AssertionError(
          "the scenario does not do the same whenever its threads make the same steps; "
              + explorer.surprise
              + "\n"
              + StepList.of(trial.run, plan.names));
    }
    if (failure != null) {
      throw report(trial.run.events, failure, "schedule " + number);
    }
    return trial.run;
  }

  void replay(int[] schedule) {
    Trial<S> trial = new Trial<>(plan, threads, new Given(schedule), true);
    Failure failure;
    try {
      trial.run.go();
      failure = trial.failure();
    } finally {
      trial.run.end();
    }
    if (failure != null) {
      throw error(failure, "replayed", trial.run);
    }
  }

  /** Runs the failed schedule once more, this time with words. */
  private AssertionError report(List<Event> events, Failure failure, String which) {
    int[] schedule = events.stream().mapToInt(Event::thread).toArray();
    if (failure.cause() == null && failure.what().startsWith("a thread waits")) {
      return new AssertionError(
          failure.what() + "\nreplay(\"" + Schedule.of(events) + "\")", failure.cause());
    }
    Trial<S> trial = new Trial<>(plan, threads, new Given(schedule), true);
    Failure again;
    try {
      trial.run.go();
      again = trial.failure();
    } finally {
      trial.run.end();
    }
    String how = again == null ? which + ", which did not fail when run again" : which;
    return error(failure, how, trial.run);
  }

  private AssertionError error(Failure failure, String which, Run run) {
    return new AssertionError(
        failure.what() + "\n" + which + ", " + StepList.of(run, plan.names), failure.cause());
  }

  /** A schedule that is given; after its end whoever can go on, in order. */
  static final class Given implements Run.Chooser {
    private final int[] schedule;

    Given(int[] schedule) {
      this.schedule = schedule;
    }

    @Override
    public int choose(Run run, int enabled) {
      int step = run.events.size();
      if (step >= schedule.length) {
        int last = run.last;
        return last >= 0 && (enabled & Node.bit(last)) != 0
            ? last
            : Integer.numberOfTrailingZeros(enabled);
      }
      if ((enabled & Node.bit(schedule[step])) == 0) {
        throw new IllegalStateException("thread " + schedule[step] + " cannot make step " + step);
      }
      return schedule[step];
    }
  }
}
