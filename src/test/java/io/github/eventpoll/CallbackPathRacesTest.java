package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.ControlLock;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.internal.SharedLock;
import io.github.eventpoll.internal.SpinLock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds a callback, or a scan, at each of its steps, and lets another thread do any one or any two
 * other things to the same poll meanwhile: no event is lost, none is delivered by an item that has
 * ended, and nothing is left behind, in every variant with and without the notified fast path.
 */
@DisplayName(
    "KR-8, KR-9, KR-10, KR-13, KR-20, KR-50, KR-52: a callback or a scan against all others")
class CallbackPathRacesTest {
  /** What happens while the first thread is held. */
  private enum Act {
    NOTHING,
    AWAIT,
    RING,
    RING_ANOTHER,
    LEVEL,
    EDGE,
    ONE_SHOT,
    REMOVE,
    REMOVE_AND_ADD,
    CLOSE_SOURCE,
    CLOSE_POLL,
    ADD,
    AWAIT_ONE,
    AWAIT_OUTER
  }

  private static final Set<Step> OF_A_CALLBACK =
      EnumSet.of(Step.CALLBACK, Step.LISTING, Step.PUSHED, Step.CALLBACK_LISTED);

  private static final Set<Step> OF_A_SCAN =
      EnumSet.of(
          Step.SCAN_BEFORE,
          Step.SCAN_STARTED,
          Step.SCAN_ASK,
          Step.LET_GO,
          Step.SCAN_ASKED,
          Step.SCAN_ENDED);

  private static Stream<Arguments> variants() {
    return Stream.of(LockKind.values())
        .flatMap(
            kind ->
                Stream.of(
                    Arguments.of(kind, true, 0),
                    Arguments.of(kind, true, Events.ET),
                    Arguments.of(kind, false, Events.ET)));
  }

  @ParameterizedTest(name = "{0}, notified {1}, mode {2}")
  @MethodSource("variants")
  void callbackAgainstTwoActs(LockKind kind, boolean notified, int mode) {
    for (Step step : OF_A_CALLBACK) {
      if (step != Step.PUSHED || kind == LockKind.LOCK_FREE) {
        againstAll(kind, notified, mode, step);
      }
    }
  }

  @ParameterizedTest(name = "{0}, notified {1}, mode {2}")
  @MethodSource("variants")
  void scanAgainstTwoActs(LockKind kind, boolean notified, int mode) {
    for (Step step : OF_A_SCAN) {
      boolean isLetGo = mode == 0 && (kind == LockKind.LOCK_FREE || notified);
      if (step != Step.LET_GO || isLetGo) {
        againstAll(kind, notified, mode, step);
      }
    }
  }

  private static void againstAll(LockKind kind, boolean notified, int mode, Step step) {
    for (Act first : Act.values()) {
      for (Act second : Act.values()) {
        try (Scene scene = new Scene(kind, notified, mode)) {
          scene.play(step, List.of(first, second));
        } catch (Throwable failure) {
          String what = kind + (notified ? " notified " : " ") + Events.toString(mode);
          throw new AssertionError(what + " at " + step + ": " + first + ", " + second, failure);
        }
      }
    }
  }

  /** One poll, one source, a thread that is held and one that acts. */
  private static final class Scene implements AutoCloseable {
    private final Waiters threads = new Waiters();
    private final Steps steps = new Steps();
    private final Scripted source = new Scripted(Pollable.ORDERED_STATE);
    private final Scripted another = new Scripted(Pollable.ORDERED_STATE);
    private final AtomicInteger delivered = new AtomicInteger();
    private final int mode;
    private final EventPoll poll;
    private final EventPoll outer = EventPoll.create();

    /** The present item of the source. */
    private volatile EpItem item;

    Scene(LockKind kind, boolean notified, int mode) {
      EventPollBuilder settings =
          EventPoll.builder().lock(kind).notifiedFastPath(notified).maskPreCheck(notified);
      settings.seams(Clock.system(), steps);
      this.mode = mode;
      poll = settings.build();
      item = poll.add(source, Events.IN | mode);
      poll.add(another, Events.IN | Events.ET);
    }

    void play(Step step, List<Act> acts) {
      boolean scan = OF_A_SCAN.contains(step);
      if (acts.contains(Act.AWAIT_OUTER)) {
        outer.add(poll, Events.IN);
      }
      if (scan) {
        source.ready(Events.IN);
      }
      if (step == Step.LET_GO) {
        source.store(0);
      }
      Steps.Hold hold = steps.hold(step, isAboutThePoll(step) ? poll : item);
      Waiters.Wait held = threads.start("held", () -> scan ? take() : ring(source));
      hold.reached();
      Waiters.Wait actor = threads.start("actor", () -> actAll(acts));
      Waiters.until(() -> actor.isDone() || isBlocked(actor), () -> "the actor");
      if (actor.isDone() && acts.get(1) == Act.RING && item.isValid() && item.isArmed()) {
        assertThat(poll.path.available()).as("rung, and nothing to be found").isTrue();
      }
      hold.release();
      held.result();
      actor.result();
      judge(acts, step == Step.LET_GO);
    }

    private static boolean isAboutThePoll(Step step) {
      return step == Step.SCAN_BEFORE || step == Step.SCAN_STARTED || step == Step.SCAN_ENDED;
    }

    /** True if a thread waits for a lock that the held one has, or waits for. */
    private static boolean isBlocked(Waiters.Wait wait) {
      Object on = LockSupport.getBlocker(wait.thread);
      Class<?> outerClass = on == null ? null : on.getClass().getEnclosingClass();
      return on instanceof SharedLock || outerClass == SpinLock.class || on instanceof ControlLock;
    }

    private static int ring(Scripted source) {
      source.ready(Events.IN);
      return 0;
    }

    /** One scan; counts what the source's present item delivers. */
    private int take() {
      ReadyEvents batch = new ReadyEvents(4);
      int found = poll.isClosed() ? 0 : poll.awaitNow(batch);
      for (int i = 0; i < found; i++) {
        if (batch.source(i) == source) {
          delivered.getAndIncrement();
        }
      }
      return found;
    }

    private int actAll(List<Act> acts) {
      for (Act act : acts) {
        try {
          act(act);
        } catch (EventPollStateException e) {
          // the act before it has closed or removed what this one needs
          assertThat(e.errno()).isIn(Errno.EBADF, Errno.ENOENT, Errno.EEXIST);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return 0;
    }

    private void act(Act act) throws InterruptedException {
      switch (act) {
        case NOTHING -> {}
        case AWAIT -> take();
        case RING -> ring(source);
        case RING_ANOTHER -> ring(another);
        case LEVEL -> item.modify(Events.IN);
        case EDGE -> item.modify(Events.IN | Events.ET);
        case ONE_SHOT -> item.modify(Events.IN | Events.ONESHOT);
        case REMOVE -> item.remove();
        case REMOVE_AND_ADD -> {
          item.remove();
          item = poll.add(source, Events.IN | mode);
        }
        case CLOSE_SOURCE -> source.waitQueue().close();
        case CLOSE_POLL -> poll.close();
        case ADD -> poll.add(new Scripted(), Events.IN);
        case AWAIT_ONE -> EventPoll.awaitOne(poll, Events.IN, Duration.ZERO);
        case AWAIT_OUTER -> outer.awaitNow(new ReadyEvents(1));
        default -> throw new AssertionError(act);
      }
    }

    private void judge(List<Act> acts, boolean wasSilent) {
      int before = delivered.get();
      if (!item.isValid()) {
        assertThat(take()).as("other events").isLessThanOrEqualTo(1);
        assertThat(delivered.get()).as("delivered after its end").isEqualTo(before);
        take();
        nothingIsLeft();
        return;
      }
      EngineInvariants.check(poll);
      boolean happened = !wasSilent || acts.contains(Act.RING);
      take();
      if (happened) {
        assertThat(delivered.get()).as("an event is lost: %s", poll.dump()).isPositive();
      }
      if (item.isArmed()) {
        assertDelivers(() -> source.ready(Events.IN));
      }
      assertDelivers(() -> item.modify(Events.IN));
      source.store(0);
      take();
      nothingIsLeft();
      EngineInvariants.check(poll);
    }

    private void assertDelivers(Runnable action) {
      final int before = delivered.get();
      action.run();
      take();
      assertThat(delivered.get()).as("deaf: %s", poll.dump()).isGreaterThan(before);
    }

    private void nothingIsLeft() {
      assertThat(poll.path.available()).as(poll.dump()).isFalse();
      assertThat(poll.path.ready.isEmpty()).isTrue();
      assertThat(poll.path.untidy).isFalse();
    }

    @Override
    public void close() {
      steps.close();
      threads.close();
      poll.close();
      outer.close();
    }
  }
}
