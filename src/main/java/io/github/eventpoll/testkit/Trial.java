package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of a scenario, from its building to its check. By the controller. */
final class Trial<S> {
  private final Plan<S> plan;
  final Run run;
  final Stage stage;
  private final Interleavings.Action check;

  Trial(Plan<S> plan, LogicalThread[] threads, Run.Chooser chooser, boolean narrates) {
    this.plan = plan;
    run = new Run(threads, chooser, plan.sharesOnlyLibrary, narrates, plan.maxSteps);
    stage = new Stage(run);
    S scene = plan.build(stage);
    check = () -> plan.check.run(scene);
    for (int i = 0; i < threads.length; i++) {
      Interleavings.Body<? super S> body = plan.bodies.get(i);
      threads[i].prepare(run, () -> body.run(scene));
    }
  }

  /** What is wrong with a run that has stopped; null if nothing. */
  @Nullable Failure failure() {
    String stuck = run.stuck;
    if (stuck != null) {
      return new Failure(
          "a thread waits for something that is not the library's, or computes for too long: "
              + stuck,
          null);
    }
    LogicalThread failed = run.failed();
    if (failed != null) {
      return new Failure(failed.getName() + " failed: " + failed.thrown, failed.thrown);
    }
    return run.atRest ? atRest() : null;
  }

  private @Nullable Failure atRest() {
    List<String> wrong = new ArrayList<>();
    for (LogicalThread thread : run.threads) {
      if (!thread.hasEnded()) {
        String why = whyNotEnded(thread);
        if (why != null) {
          wrong.add(why);
        }
      }
    }
    if (!wrong.isEmpty()) {
      return new Failure(String.join("; ", wrong), null);
    }
    try {
      check.run();
      return null;
    } catch (Throwable e) {
      return new Failure("the check failed: " + e.getMessage(), e);
    }
  }

  private @Nullable String whyNotEnded(LogicalThread thread) {
    String name = thread.getName();
    if (thread.blocker == null) {
      return "deadlock: " + name + " waits for a lock for ever";
    }
    if (thread.blocker instanceof EventPoll poll && !poll.isClosed() && poll.readiness() != 0) {
      return "lost wake-up: " + name + " sleeps for ever while its poll has something ready";
    }
    return plan.mayStayAsleep.contains(name)
        ? null
        : "lost wake-up: " + name + " sleeps for ever, and nobody is left to wake it";
  }
}
