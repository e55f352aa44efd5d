package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each mistake that a source can make is found by the check that is named for it. */
class BrokenSourcesTest {
  /** A source with one mistake, the check that must find it, and words of what that says. */
  private record Broken(String mistake, String check, String says, Callable<SourceFixture> maker) {}

  private static final WaitQueue SHARED = new WaitQueue();

  private static final List<Broken> ALL =
      List.of(
          new Broken(
              "makes a queue for everybody who asks",
              "keepsItsQueue",
              "another queue than before",
              () -> fixture(new NewQueue())),
          new Broken(
              "has no queue", "keepsItsQueue", "cannot be watched", () -> fixture(new Flag(null))),
          new Broken(
              "shares its queue",
              "keepsItsQueue",
              "two sources have one queue",
              () -> fixture(new Flag(SHARED))),
          new Broken(
              "has traits that nobody knows",
              "keepsItsTraits",
              "unknown bits",
              () -> fixture(new Traits(64, 64))),
          new Broken(
              "changes its traits",
              "keepsItsTraits",
              "traits() changes",
              () -> fixture(new Traits(0, Pollable.ORDERED_STATE))),
          new Broken(
              "wants to be told and cannot be",
              "keepsItsTraits",
              "telling it what is wanted failed",
              () -> fixture(new Deaf())),
          new Broken(
              "is not ready when it is",
              "tellsTheTruth",
              "does not tell that it is ready for IN",
              () -> fixture(new Answers(0))),
          new Broken(
              "is ready when it is not",
              "tellsTheTruth",
              "is still ready for IN",
              () -> fixture(new AlwaysReady())),
          new Broken(
              "forgets that it is ready when it is asked",
              "tellsTheTruth",
              "once that it is ready for IN, not twice",
              () -> fixture(new Forgets())),
          new Broken(
              "answers with mode flags",
              "tellsTheTruth",
              "mode flags",
              () -> fixture(new Answers(Events.IN | Events.ET))),
          new Broken(
              "throws when it is asked", "canBeAsked", "as scripted", () -> fixture(new Throws())),
          new Broken(
              "calls the poll that asks it", "canBeAsked", "is just asking it", CallsPoll::fixture),
          new Broken(
              "does not ring",
              "ringsAfterEveryChange",
              "it did not ring",
              () -> scripted((source, bits) -> source.set(bits))),
          new Broken(
              "rings before the change",
              "ringsAfterEveryChange",
              "before readiness() told of the change",
              () -> scripted(ScriptedSource::ringThenSet)),
          new Broken(
              "rings with a wrong key",
              "ringsAfterEveryChange",
              "with the key OUT",
              () ->
                  scripted(
                      (source, bits) -> {
                        source.set(bits);
                        source.ring(Events.OUT);
                      })),
          new Broken(
              "does not ring",
              "deliversLevels",
              "does not report IN",
              () -> scripted((source, bits) -> source.set(bits))),
          new Broken(
              "rings the first time only",
              "deliversEdges",
              "became ready for IN again",
              BrokenSourcesTest::onceOnly),
          new Broken(
              "rings before the change",
              "losesNoWake",
              "a thread that waits misses IN",
              () -> scripted(ScriptedSource::ringThenSet)),
          new Broken(
              "is not made for threads",
              "standsManyThreads",
              "not the thread that made it",
              () -> fixture(new OneThread())),
          new Broken(
              "leaves its queue open",
              "closes",
              "its wait queue is open",
              () -> {
                ScriptedSource source = ScriptedSource.create();
                return SourceFixture.of(source)
                    .ready(Events.IN, () -> source.ready(Events.IN), source::notReady)
                    .closing(() -> source.set(Events.HUP));
              }),
          new Broken(
              "throws once it is closed",
              "closes",
              "readiness() throws",
              () -> {
                ScriptedSource source = ScriptedSource.create();
                return SourceFixture.of(source)
                    .ready(Events.IN, () -> source.ready(Events.IN), source::notReady)
                    .closing(
                        () -> {
                          source.close();
                          source.fail(new IllegalStateException("closed"));
                        });
              }));

  @TestFactory
  Stream<DynamicTest> everyMistakeIsFoundByItsCheck() {
    return ALL.stream()
        .map(
            broken ->
                DynamicTest.dynamicTest(
                    broken.check + ": a source that " + broken.mistake,
                    () ->
                        assertThatThrownBy(contract(broken.maker).checks().get(broken.check)::run)
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining(broken.says)));
  }

  @Test
  void allThatIsWrongIsReportedAtOnce() {
    assertThatThrownBy(contract(() -> scripted((source, bits) -> source.set(bits)))::checkAll)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the source breaks its contract:")
        .hasMessageContaining("\n- ringsAfterEveryChange: when it became ready for IN, it did not")
        .hasMessageContaining("\n- deliversLevels: ")
        .hasMessageContaining("\n- deliversEdges: ")
        .hasMessageContaining("\n- losesNoWake: ");
  }

  /** The limit is short: a thread that is stuck here is what is expected. */
  private static SourceContract contract(Callable<SourceFixture> maker) {
    return SourceContract.of(maker).limit(Duration.ofMillis(100));
  }

  private static SourceFixture fixture(Flag source) {
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.change(true), () -> source.change(false));
  }

  private interface Change {
    void make(ScriptedSource source, int bits);
  }

  private static SourceFixture scripted(Change change) {
    ScriptedSource source = ScriptedSource.create();
    return SourceFixture.of(source)
        .ready(Events.IN, () -> change.make(source, Events.IN), source::notReady)
        .closing(source::close);
  }

  private static SourceFixture onceOnly() {
    boolean[] rung = new boolean[1];
    return scripted(
        (source, bits) -> {
          source.set(bits);
          if (!rung[0]) {
            source.ring(bits);
          }
          rung[0] = true;
        });
  }

  /** A good source; the others change one thing of it. */
  private static class Flag implements Pollable {
    private final WaitQueue queue;
    volatile boolean up;

    Flag() {
      this(new WaitQueue());
    }

    @SuppressWarnings("NullAway")
    Flag(WaitQueue queue) {
      this.queue = queue;
    }

    void change(boolean to) {
      up = to;
      WaitQueue bell = waitQueue();
      if (to && bell != null) {
        bell.wake(Events.IN);
      }
    }

    @Override
    public int readiness() {
      return up ? Events.IN : 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }

  private static final class NewQueue extends Flag {
    @Override
    public WaitQueue waitQueue() {
      return new WaitQueue();
    }
  }

  private static final class Traits extends Flag {
    private final int before;
    private final int after;

    Traits(int before, int after) {
      this.before = before;
      this.after = after;
    }

    @Override
    public int traits() {
      return up ? after : before;
    }
  }

  private static final class Deaf extends Flag {
    @Override
    public int traits() {
      return TRACKS_INTEREST;
    }

    @Override
    public void interestChanged(int wantedUnion) {
      throw new UnsupportedOperationException("as scripted");
    }
  }

  private static final class Answers extends Flag {
    private final int whenUp;

    Answers(int whenUp) {
      this.whenUp = whenUp;
    }

    @Override
    public int readiness() {
      return up ? whenUp : 0;
    }
  }

  private static final class AlwaysReady extends Flag {
    @Override
    public int readiness() {
      return Events.IN;
    }
  }

  private static final class Forgets extends Flag {
    @Override
    public int readiness() {
      boolean was = up;
      up = false;
      return was ? Events.IN : 0;
    }
  }

  private static final class Throws extends Flag {
    @Override
    public int readiness() {
      if (up) {
        throw new IllegalStateException("as scripted");
      }
      return 0;
    }
  }

  /** Goes wrong as soon as a second thread is there. */
  private static final class OneThread extends Flag {
    private final Thread owner = Thread.currentThread();

    @Override
    public int readiness() {
      if (Thread.currentThread() != owner) {
        throw new IllegalStateException("not the thread that made it");
      }
      return super.readiness();
    }
  }

  private static final class CallsPoll extends Flag {
    private EventPoll poll;

    static SourceFixture fixture() {
      CallsPoll source = new CallsPoll();
      return SourceFixture.of(source)
          .ready(Events.IN, () -> source.change(true), () -> source.change(false))
          .polls(
              settings -> {
                source.poll = settings.build();
                return source.poll;
              });
    }

    @Override
    public int readiness() {
      if (up) {
        poll.readiness();
      }
      return super.readiness();
    }
  }
}
