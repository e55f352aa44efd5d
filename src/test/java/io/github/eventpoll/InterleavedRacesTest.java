package io.github.eventpoll;

import static io.github.eventpoll.testkit.Interleavings.point;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.Exploration;
import io.github.eventpoll.testkit.Interleavings;
import io.github.eventpoll.testkit.Stage;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * The engine's own races in every order of their points, on every path: nobody sleeps beside an
 * event, every event is delivered once, and the invariants of the known races hold at the end.
 */
@EveryPath
class InterleavedRacesTest {
  private static final int EDGE = Events.IN | Events.ET;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final TestInfo info;

  InterleavedRacesTest(TestInfo info) {
    this.info = info;
  }

  /** One poll and one source; what waiters have got. */
  private static class Scene {
    final Stage stage;
    final EventPoll poll;
    final EventFd source = EventFd.create();
    final AtomicInteger ended = new AtomicInteger();
    EpItem item;
    final AtomicInteger got = new AtomicInteger(); // nobody reads it before the end
    final AtomicLong sum = new AtomicLong();

    Scene(Stage stage, int mask) {
      this.stage = stage;
      poll = stage.poll(Polls.builder());
      item = poll.add(source, mask);
    }

    void write() {
      source.tryWrite(1);
    }

    void await() throws InterruptedException {
      got(poll.await(new ReadyEvents(4)));
    }

    void awaitSecond() throws InterruptedException {
      got(poll.await(new ReadyEvents(4), SECOND));
    }

    void got(int n) {
      got.addAndGet(n);
    }

    /** Waits and reads until it has got a number of writes. */
    void drain(int writes) throws InterruptedException {
      ReadyEvents ready = new ReadyEvents(4);
      long mine = 0;
      while (mine < writes) {
        got(poll.await(ready));
        point("reads", source);
        mine += source.tryRead();
      }
      sum.addAndGet(mine);
    }

    void advance() {
      stage.advance(SECOND);
    }

    void interrupt(String thread) {
      stage.interrupt(thread);
    }

    void atRest(EventPoll... others) {
      assertThat(EngineView.wrongAtRest(poll)).isEmpty();
      for (EventPoll other : others) {
        assertThat(EngineView.wrongAtRest(other)).isEmpty();
      }
    }
  }

  private static Interleavings<Scene> on(int mask) {
    return Interleavings.of((Stage stage) -> new Scene(stage, mask));
  }

  /** Every order, always. */
  private void all(Interleavings<?> scenario) {
    explore(scenario).requireExhaustive();
  }

  /** Every order with {@code -Dinterleavings.full=true}, and else some. */
  private void many(Interleavings<?> scenario) {
    if (Boolean.getBoolean("interleavings.full")) {
      explore(scenario.maxSchedules(5_000_000)).requireExhaustive();
    } else {
      explore(scenario.maxSchedules(150));
    }
  }

  private Exploration explore(Interleavings<?> scenario) {
    long start = System.nanoTime();
    Exploration done = scenario.marksWhatIsShared().explore();
    Counts.add(info, done, System.nanoTime() - start);
    assertThat(done.schedules()).isGreaterThan(1);
    return done;
  }

  // -------------------------------------------------------------- events and one waiter

  @Test
  void kr01_kr09_level_twoProducers_oneWaiter() {
    all(
        on(Events.IN)
            .thread("p1", Scene::write)
            .thread("p2", Scene::write)
            .thread("waiter", Scene::await)
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest();
                }));
  }

  @Test
  void kr08_edge_writesWhileTheWaiterDrains() {
    all(
        on(EDGE)
            .thread(
                "p",
                s -> {
                  s.write();
                  s.write();
                })
            .thread("waiter", s -> s.drain(2))
            .check(Scene::atRest));
  }

  @Test
  void kr08_edge_twoProducersWhileTheWaiterDrains() {
    many(
        on(EDGE)
            .thread("p1", Scene::write)
            .thread("p2", Scene::write)
            .thread("waiter", s -> s.drain(2))
            .check(Scene::atRest));
  }

  @Test
  void kr08_level_writesWhileTheWaiterDrains() {
    many(
        on(Events.IN)
            .thread(
                "p",
                s -> {
                  s.write();
                  s.write();
                })
            .thread("waiter", s -> s.drain(2))
            .check(Scene::atRest));
  }

  @Test
  void kr01_oneShot_rearmedWhileTheSourceRings() {
    many(
        on(Events.IN | Events.ONESHOT)
            .thread(
                "p",
                s -> {
                  s.write();
                  s.write();
                })
            .thread(
                "waiter",
                s -> {
                  s.drain(1);
                  s.item.modify(Events.IN | Events.ONESHOT);
                  if (s.sum.get() < 2) {
                    s.drain(1);
                  }
                })
            .check(Scene::atRest));
  }

  // ---------------------------------------------------------------- several waiters

  @Test
  void kr07_edge_twoEventsForTwoWaiters() {
    many(
        on(EDGE)
            .thread(
                "p",
                s -> {
                  s.write();
                  s.write();
                })
            .thread("w1", Scene::await)
            .thread("w2", Scene::await)
            .mayStayAsleep("w1", "w2")
            .check(
                s -> {
                  assertThat(s.got.get()).isBetween(1, 2);
                  s.atRest();
                }));
  }

  @Test
  void kr03_edge_timeoutAgainstWake_theOtherWaiterGetsIt() {
    many(
        on(EDGE)
            .thread("p", Scene::write)
            .thread("time", Scene::advance)
            .thread("w1", Scene::awaitSecond)
            .thread("w2", Scene::await)
            .mayStayAsleep("w2")
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest();
                }));
  }

  @Test
  void kr03_edge_interruptAgainstWake_theOtherWaiterGetsIt() {
    many(
        on(EDGE)
            .thread("p", Scene::write)
            .thread("i", s -> s.interrupt("w1"))
            .thread("w1", InterleavedRacesTest::awaitInterrupted)
            .thread("w2", Scene::await)
            .mayStayAsleep("w2")
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest();
                }));
  }

  private static void awaitInterrupted(Scene s) {
    try {
      s.await();
    } catch (InterruptedException e) {
      s.ended.incrementAndGet();
    }
  }

  // ------------------------------------------------------------- control calls

  @Test
  void kr11_modifyAgainstCallback() {
    all(
        on(Events.PRI | Events.ET)
            .thread("p", Scene::write)
            .thread("m", s -> s.item.modify(EDGE))
            .thread("waiter", Scene::await)
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest();
                }));
  }

  @Test
  void kr12_removeAgainstCallback() {
    all(
        on(EDGE)
            .thread("p", Scene::write)
            .thread("r", s -> s.item.remove())
            .thread("waiter", Scene::await)
            .mayStayAsleep("waiter")
            .check(
                s -> {
                  assertThat(s.poll.size()).isZero();
                  s.atRest();
                }));
  }

  @Test
  void kr23_sourceClosesAgainstCallback() {
    many(
        on(EDGE)
            .thread(
                "p",
                s -> {
                  try {
                    s.write();
                  } catch (IllegalStateException e) {
                    s.ended.incrementAndGet();
                  }
                })
            .thread(
                "c",
                s -> {
                  point("closes");
                  s.source.close();
                })
            .thread("waiter", Scene::await)
            .mayStayAsleep("waiter")
            .check(
                s -> {
                  assertThat(s.poll.size()).isZero();
                  s.atRest();
                }));
  }

  @Test
  void kr01_closeAgainstAwait() {
    many(
        on(EDGE)
            .thread("p", Scene::write)
            .thread("c", s -> s.poll.close())
            .thread(
                "waiter",
                s -> {
                  try {
                    s.await();
                  } catch (ClosedEventPollException e) {
                    s.ended.incrementAndGet();
                  }
                })
            .check(s -> assertThat(s.got.get() + s.ended.get()).isEqualTo(1)));
  }

  @Test
  void kr06_wakeupAgainstAwait() {
    all(
        on(EDGE)
            .thread(
                "u",
                s -> {
                  s.poll.wakeup();
                })
            .thread("p", Scene::write)
            .thread(
                "waiter",
                s -> {
                  if (s.poll.await(new ReadyEvents(4)) == 0) {
                    s.await();
                  } else {
                    s.got(1);
                  }
                })
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest();
                }));
  }

  // ----------------------------------------------------------- polls of polls, exclusives

  /** A poll that watches the first one. */
  private static final class Nested extends Scene {
    final EventPoll outer;

    Nested(Stage stage, int innerMask, int outerMask) {
      super(stage, innerMask);
      outer = stage.poll(Polls.builder());
      outer.add(poll, outerMask);
    }

    void awaitOuter() throws InterruptedException {
      outer.await(new ReadyEvents(4));
      got(poll.await(new ReadyEvents(4)));
    }
  }

  @Test
  void kr10_nested_waiterOfTheOuterPoll() {
    all(
        Interleavings.of((Stage stage) -> new Nested(stage, EDGE, Events.IN))
            .thread("p", Scene::write)
            .thread("waiter", Nested::awaitOuter)
            .check(
                s -> {
                  assertThat(s.got.get()).isEqualTo(1);
                  s.atRest(s.outer);
                }));
  }

  /** A second poll on the same source, both exclusive. */
  private static final class Exclusives extends Scene {
    final EventPoll other;

    Exclusives(Stage stage) {
      super(stage, EDGE | Events.EXCLUSIVE);
      other = stage.poll(Polls.builder());
      other.add(source, EDGE | Events.EXCLUSIVE);
    }

    void awaitOther() throws InterruptedException {
      got(other.await(new ReadyEvents(4)));
    }
  }

  @Test
  void kr18_exclusive_interruptedWaiterPassesTheWakeOn() {
    many(
        Interleavings.of(Exclusives::new)
            .thread("p", Scene::write)
            .thread("i", s -> s.interrupt("w1"))
            .thread("w1", InterleavedRacesTest::awaitInterrupted)
            .thread("w2", Exclusives::awaitOther)
            .mayStayAsleep("w2")
            .check(
                s -> {
                  assertThat(s.got.get()).isPositive();
                  s.atRest(s.other);
                }));
  }

  // ------------------------------------------------------------------------------ timers

  @Test
  void kr01_timerSetWhileTheWaiterFallsAsleep() {
    many(
        Interleavings.of(
                (Stage stage) -> {
                  Scene s = new Scene(stage, EDGE);
                  Timer timer = stage.timer();
                  s.poll.add(timer, EDGE);
                  return new Object() {
                    final Scene scene = s;
                    final Timer alarm = timer;
                  };
                })
            .thread(
                "t",
                s -> {
                  s.alarm.set(SECOND);
                })
            .thread("w1", s -> s.scene.await())
            .thread("w2", s -> s.scene.await())
            .mayStayAsleep("w1", "w2")
            .check(
                s -> {
                  assertThat(s.scene.got.get()).isEqualTo(1);
                  s.scene.atRest();
                }));
  }
}
