package io.github.eventpoll.testkit;

import static io.github.eventpoll.testkit.Interleavings.point;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The enumerator itself: what it finds, what it leaves out, and what it refuses. */
class InterleavingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** One poll, one source. */
  private static final class Scene {
    final Stage stage;
    final EventPoll poll;
    final EventFd source = EventFd.create();
    int got;
    boolean flag;

    Scene(Stage stage) {
      this.stage = stage;
      poll = stage.poll();
      poll.add(source, Events.IN);
    }

    void write() {
      source.tryWrite(1);
    }

    void await() throws InterruptedException {
      got += poll.await(new ReadyEvents(4));
    }
  }

  private static Interleavings<Scene> oneWriteOneWait() {
    return Interleavings.of(Scene::new)
        .thread("producer", Scene::write)
        .thread("waiter", Scene::await)
        .check(s -> assertThat(s.got).isEqualTo(1));
  }

  /** Two threads with so many points of their own: the number of orders is a binomial. */
  private static Interleavings<Object> points(int ofFirst, int ofSecond) {
    return Interleavings.of(stage -> new Object())
        .thread("a", s -> mark(ofFirst))
        .thread("b", s -> mark(ofSecond));
  }

  private static void mark(int points) {
    for (int i = 0; i < points; i++) {
      point("point " + i);
    }
  }

  @Test
  void everyOrderIsRunOnce() {
    Exploration done = points(2, 3).withoutReduction().explore().requireExhaustive();
    assertThat(done.schedules()).isEqualTo(35); // 7 over 3: one step more than points
    assertThat(done.steps()).isEqualTo(7);
  }

  @Test
  void theReductionRunsOneOrderIfNothingIsShared() {
    Interleavings<Object> scenario =
        Interleavings.of(stage -> new Object())
            .thread("a", s -> point("p", "thing of a"))
            .thread("b", s -> point("p", "thing of b"));
    assertThat(scenario.marksWhatIsShared().explore().schedules()).isEqualTo(1);
  }

  /** Every outcome that any order has, some order has that is run. */
  @Test
  void theReductionLosesNoOutcome() {
    Set<String> all = outcomes(Interleavings::withoutReduction);
    assertThat(all).hasSizeGreaterThan(1);
    assertThat(outcomes(scenario -> {})).isEqualTo(all);
    assertThat(outcomes(Interleavings::marksWhatIsShared)).isEqualTo(all);
  }

  /** What a waiter with a timeout finds, and whether something is left for others. */
  private static Set<String> outcomes(Consumer<Interleavings<Scene>> how) {
    Set<String> seen = new TreeSet<>();
    Interleavings<Scene> scenario =
        Interleavings.of(Scene::new)
            .thread("producer", Scene::write)
            .thread("time", s -> s.stage.advance(SECOND))
            .thread("waiter", s -> s.got = s.poll.await(new ReadyEvents(1), SECOND))
            .check(s -> seen.add(s.got + " " + s.poll.readiness()));
    how.accept(scenario);
    scenario.explore().requireExhaustive();
    return seen;
  }

  @Test
  void aWaitThatNothingEndsIsALostWakeup() {
    assertThatThrownBy(() -> Interleavings.of(Scene::new).thread("waiter", Scene::await).explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("lost wake-up: waiter sleeps for ever")
        .hasMessageContaining("replay(\"a5\")")
        .hasMessageContaining("   5. waiter  falls asleep");
  }

  @Test
  void aThreadMaySleepForEverIfThatIsSaid() {
    Exploration done =
        Interleavings.of(Scene::new)
            .thread("waiter", Scene::await)
            .mayStayAsleep("waiter")
            .check(s -> assertThat(s.stage.isAsleep("waiter")).isTrue())
            .explore()
            .requireExhaustive();
    assertThat(done.schedules()).isEqualTo(1);
  }

  /** Check, then act: two threads see the flag unset. */
  private static Interleavings<Scene> checkThenAct() {
    Interleavings.Body<Scene> body =
        s -> {
          boolean seen = s.flag;
          point("flag read");
          if (!seen) {
            s.flag = true;
            s.got++;
          }
        };
    return Interleavings.of(Scene::new)
        .thread("one", body)
        .thread("two", body)
        .check(s -> assertThat(s.got).as("entered").isEqualTo(1));
  }

  @Test
  void aFailedCheckIsReportedWithItsSteps() {
    assertThatThrownBy(() -> checkThenAct().explore())
        .hasMessageContaining("the check failed: [entered]")
        .hasMessageContaining("schedule 2, replay(\"ab2a\")")
        .hasMessageContaining("1. one  comes to \"flag read\"")
        .hasMessageContaining("2. two  comes to \"flag read\"");
  }

  @Test
  void aScheduleCanBeReplayed() {
    checkThenAct().replay("a2b2");
    assertThatThrownBy(() -> checkThenAct().replay("abab")).hasMessageContaining("[entered]");
    assertThatThrownBy(() -> checkThenAct().replay("a2c"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> checkThenAct().replay("a-b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void boundsAreNamed() {
    assertThat(points(5, 5).maxSchedules(10).explore())
        .hasToString("10 schedules of up to 12 steps, 0 cut short, NOT exhaustive: 10 schedules");
    assertThat(points(5, 5).maxSteps(4).explore().bound()).isEqualTo("4 steps in one schedule");
    assertThatThrownBy(() -> points(5, 5).maxSchedules(10).explore().requireExhaustive())
        .hasMessageStartingWith("not exhaustive");
  }

  @Test
  void preemptionsCanBeBounded() {
    Exploration none = points(2, 3).maxPreemptions(0).explore();
    assertThat(none.schedules()).isEqualTo(2);
    assertThat(none.bound()).isEqualTo("0 preemptions");
    assertThat(points(2, 3).maxPreemptions(1).explore().schedules()).isBetween(3L, 34L);
    assertThat(points(2, 3).maxPreemptions(7).explore().requireExhaustive().schedules())
        .isEqualTo(35);
  }

  @Test
  void aScenarioThatIsNotDeterministicIsRefused() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Interleavings.of(stage -> new Object())
                    .thread("a", s -> point("run " + runs.incrementAndGet()))
                    .thread("b", s -> point("p"))
                    .explore())
        .hasMessageContaining("does not do the same whenever its threads make the same steps");
  }

  @Test
  void timeMovesByItselfOnlyIfNobodyCanGoOn() {
    Interleavings.of(Scene::new)
        .thread("sleeper", s -> s.got = s.poll.await(new ReadyEvents(1), SECOND))
        .thread("other", s -> assertThat(s.stage.nanoTime()).isZero())
        .check(
            s -> {
              assertThat(s.got).isZero();
              assertThat(s.stage.nanoTime()).isEqualTo(SECOND.toNanos());
            })
        .explore()
        .requireExhaustive();
  }

  @Test
  void anInterruptEndsASleepInEveryOrder() {
    Interleavings.of(Scene::new)
        .thread(
            "waiter",
            s ->
                assertThatThrownBy(() -> s.poll.await(new ReadyEvents(1)))
                    .isInstanceOf(InterruptedException.class))
        .thread("other", s -> s.stage.interrupt("waiter"))
        .explore()
        .requireExhaustive();
  }

  @Test
  void aThreadThatFailsEndsTheRun() {
    assertThatThrownBy(
            () ->
                Interleavings.of(Scene::new)
                    .thread("waiter", Scene::await)
                    .thread(
                        "other",
                        s -> {
                          throw new IllegalStateException("planted");
                        })
                    .explore())
        .hasMessageContaining("other failed: java.lang.IllegalStateException: planted")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aThreadThatWaitsOutsideOfTheLibraryIsNamed() {
    ReentrantLock lock = new ReentrantLock();
    Interleavings.Body<Object> body =
        s -> {
          lock.lock();
          point("inside");
          lock.unlock();
        };
    assertThatThrownBy(
            () ->
                Interleavings.of(stage -> new Object())
                    .thread("one", body)
                    .thread("two", body)
                    .explore())
        .hasMessageContaining("two is WAITING in");
  }

  @Test
  void pointsOutsideOfAScenarioDoNothing() {
    point("nowhere");
    assertThat(Run.current()).isNull();
  }

  // ------------------------------------------------------------------------- stepping

  @Test
  void oneOrderIsForced() {
    try (Stepping<Scene> run = oneWriteOneWait().step()) {
      run.until("waiter", "looked");
      run.until("producer", "chosen");
      assertThat(run.at("waiter")).isEqualTo("looked");
      run.run("waiter"); // was chosen, and so does not sleep
      assertThat(run.at("waiter")).isEqualTo("end");
      run.finish();
      assertThat(run.steps()).contains("producer  chosen: a waiter is chosen");
    }
  }

  @Test
  void aPointThatIsNotReachedIsAnError() {
    try (Stepping<Scene> run = oneWriteOneWait().step()) {
      assertThatThrownBy(() -> run.until("waiter", "nowhere"))
          .hasMessageContaining("waiter came to asleep, not to nowhere");
      run.steps("producer", 2);
      assertThat(run.at("producer")).isEqualTo("listing");
      assertThatThrownBy(() -> run.steps("waiter", 1)).hasMessageContaining("cannot make a step");
      assertThatThrownBy(() -> run.at("nobody")).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
