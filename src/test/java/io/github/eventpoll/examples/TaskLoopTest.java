package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.examples.TaskLoop.Order;
import io.github.eventpoll.testkit.Exploration;
import io.github.eventpoll.testkit.Interleavings;
import io.github.eventpoll.testkit.Stepping;
import org.junit.jupiter.api.Test;

/** That the loop with the planted mistake loses a wake-up, and the right one does not. */
class TaskLoopTest {
  // snippet: scenario
  /** One thread submits two tasks; the loop runs until it has run both. */
  private static Interleavings<TaskLoop> twoTasks(Order order) {
    return Interleavings.of(stage -> new TaskLoop(stage.poll(), order))
        .thread(
            "submitter",
            loop -> {
              loop.submit(() -> {});
              loop.submit(() -> {});
            })
        .thread(
            "loop",
            loop -> {
              int ran = 0;
              while (ran < 2) {
                ran += loop.runOnce();
              }
            })
        .marksWhatIsShared();
  }

  // end snippet

  // snippet: fixed
  @Test
  void everyTaskIsRunInEveryOrder() {
    Exploration done = twoTasks(Order.RESET_THEN_LOOK).explore();
    assertThat(done.exhaustive()).isTrue();
  }

  // end snippet

  // snippet: planted
  @Test
  void theResetAfterTheLookLosesAWakeup() {
    assertThatThrownBy(() -> twoTasks(Order.LOOK_THEN_RESET).explore())
        .hasMessageStartingWith("lost wake-up: loop sleeps for ever")
        .hasMessageContaining("loop       comes to \"to reset the flag\"");
  }

  // end snippet

  // snippet: forced
  @Test
  void theLostWakeupForcedStepByStep() {
    try (Stepping<TaskLoop> run = twoTasks(Order.LOOK_THEN_RESET).step()) {
      run.run("loop"); // falls asleep
      run.until("submitter", "to add a task"); // the first one
      run.until("submitter", "callback-listed").until("submitter", "to add a task");
      run.until("loop", "to reset the flag"); // has run the first task, sees no other
      run.run("submitter"); // the second task finds the flag still set
      run.run("loop"); // sleeps beside it
      assertThat(run.at("loop")).isEqualTo("asleep");
      assertThatThrownBy(run::finish).hasMessageStartingWith("lost wake-up");
    }
  }

  // end snippet
}
