package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every source of the library keeps the contract of sources. */
class SourceContractTest {
  private static final Map<String, Callable<SourceFixture>> KINDS =
      Map.of(
          "EventFd", SourceContractTest::counter,
          "semaphore", SourceContractTest::semaphore,
          "QueueSource", SourceContractTest::queue,
          "bounded QueueSource", SourceContractTest::boundedQueue,
          "Timer", SourceContractTest::timer,
          "EventPoll", SourceContractTest::poll,
          "ScriptedSource", () -> scripted(ScriptedSource.create()),
          "ordered ScriptedSource", () -> scripted(ScriptedSource.named("o", 1)),
          "asynchronous ScriptedSource", SourceContractTest::asynchronous);

  @TestFactory
  Stream<DynamicTest> everySourceOfTheLibrary() {
    return KINDS.entrySet().stream()
        .flatMap(
            kind ->
                SourceContract.of(kind.getValue()).checks().entrySet().stream()
                    .map(
                        check ->
                            DynamicTest.dynamicTest(
                                kind.getKey() + " " + check.getKey(), check.getValue()::run)));
  }

  @Test
  void aGoodSourcePassesAllAtOnce() {
    assertThatCode(SourceContract.of(SourceContractTest::counter)::checkAll)
        .doesNotThrowAnyException();
  }

  @Test
  void aFixtureThatCannotBeMadeOrDoesNothingFails() {
    SourceContract contract =
        SourceContract.of(
            () -> {
              throw new IllegalStateException("no descriptors");
            });
    assertThatThrownBy(contract::checkAll)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("- keepsItsQueue: no fixture could be made");
    assertThatThrownBy(SourceContract.of(() -> SourceFixture.of(EventFd.create()))::tellsTheTruth)
        .hasMessageContaining("no way to make its source ready");
  }

  @Test
  void aFixtureWhoseActionFailsIsToldApartFromItsSource() {
    SourceContract contract =
        SourceContract.of(
            () ->
                SourceFixture.of(EventFd.create())
                    .readyForGood(
                        Events.IN,
                        () -> {
                          throw new IllegalStateException("as scripted");
                        }));
    assertThatThrownBy(contract::tellsTheTruth)
        .hasMessageContaining("making it ready for IN failed")
        .hasMessageContaining("as scripted");
  }

  @Test
  void theChecksHaveTheNamesOfTheirMethods() {
    assertThat(SourceContract.of(SourceContractTest::counter).checks().keySet())
        .allSatisfy(name -> assertThat(SourceContract.class.getMethod(name)).isNotNull());
  }

  private static SourceFixture counter() {
    EventFd counter = EventFd.create();
    return SourceFixture.of(counter)
        .ready(Events.IN, () -> counter.tryWrite(1), counter::tryRead)
        .ready(Events.OUT, counter::tryRead, () -> counter.tryWrite(-2))
        .closing(counter::close);
  }

  private static SourceFixture semaphore() {
    EventFd semaphore = EventFd.semaphore(0);
    return SourceFixture.of(semaphore)
        .ready(Events.IN, () -> semaphore.tryWrite(1), semaphore::tryRead)
        .closing(semaphore::close);
  }

  private static SourceFixture queue() {
    QueueSource<String> queue = QueueSource.unbounded();
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .readyForGood(Events.HUP, queue::close)
        .closing(queue::dispose);
  }

  private static SourceFixture boundedQueue() {
    QueueSource<String> queue = QueueSource.bounded(1);
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .ready(Events.OUT, queue::poll, () -> queue.offer("e"))
        .closing(queue::dispose);
  }

  private static SourceFixture timer() {
    VirtualTime time = VirtualTime.create();
    Timer timer = time.timer();
    return SourceFixture.of(timer)
        .polls(time::poll)
        .ready(
            Events.IN,
            () -> {
              timer.set(Duration.ofNanos(1));
              time.advanceNanos(1);
            },
            timer::disarm)
        .closing(timer::close);
  }

  private static SourceFixture poll() {
    EventPoll poll = EventPoll.create();
    EventFd counter = EventFd.create();
    poll.add(counter, Events.IN);
    return SourceFixture.of(poll)
        .ready(Events.IN, () -> counter.tryWrite(1), counter::tryRead)
        .closing(poll::close);
  }

  private static SourceFixture scripted(ScriptedSource source) {
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.ready(Events.IN), source::notReady)
        .ready(Events.PRI, () -> source.ready(Events.PRI), source::notReady)
        .readyForGood(Events.ERR, () -> source.ready(Events.ERR))
        .closing(source::close);
  }

  private static SourceFixture asynchronous() {
    ScriptedSource source = ScriptedSource.create();
    return SourceFixture.of(source)
        .asynchronous()
        .ready(Events.IN, () -> new Thread(() -> source.ready(Events.IN)).start(), source::notReady)
        .closing(source::close);
  }
}
