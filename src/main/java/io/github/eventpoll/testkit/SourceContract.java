package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Probe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What every {@link Pollable} must keep, as checks that throw an {@link AssertionError} with a
 * sentence. Needs no test framework; with JUnit 5, for instance:
 *
 * <pre>{@code
 * SourceContract contract = SourceContract.of(() -> {
 *   EventFd counter = EventFd.create();
 *   return SourceFixture.of(counter)
 *       .ready(Events.IN, () -> counter.tryWrite(1), counter::tryRead)
 *       .closing(counter::close);
 * });
 * contract.checkAll(); // in a test; or one by one, in a factory of dynamic tests:
 * return contract.checks().entrySet().stream()
 *     .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()::run));
 * }</pre>
 *
 * <p>The checks find a source that is wrong every time, or often. A race that is lost once in a
 * million times, they may not. Not checked, because it cannot be from outside: that {@link
 * Pollable#readiness()} takes no lock that somebody holds while he calls the poll, and that a
 * source which calls {@link WaitQueue#wakeOrdered} has the right to. Channels do not fit: they
 * learn what they are ready for from the waits of their polls.
 *
 * @since 0.1
 */
public final class SourceContract {
  static final int MODES = Events.ET | Events.ONESHOT | Events.EXCLUSIVE | Events.WAKEUP;
  private static final int TRAITS = Pollable.ORDERED_STATE | Pollable.TRACKS_INTEREST;
  private static final int REPEATS = 3;

  private final Callable<SourceFixture> fixtures;
  private final Duration limit;

  private SourceContract(Callable<SourceFixture> fixtures, Duration limit) {
    this.fixtures = Objects.requireNonNull(fixtures, "fixtures");
    this.limit = limit;
  }

  /**
   * Makes the contract for a kind of source.
   *
   * @param fixtures makes a fresh source each time, with the same ways to become ready
   * @return the contract
   */
  public static SourceContract of(Callable<SourceFixture> fixtures) {
    return new SourceContract(fixtures, Duration.ofSeconds(10));
  }

  /**
   * Sets after how long a thread counts as stuck, in real time; 10 seconds unless called.
   *
   * @param newLimit how long a check waits without progress before it fails
   * @return a contract with this limit
   */
  public SourceContract limit(Duration newLimit) {
    return new SourceContract(fixtures, newLimit);
  }

  /**
   * All checks by their names, for a framework that shows them one by one.
   *
   * @return the checks, in the order in which they are best read
   */
  public Map<String, Runnable> checks() {
    Map<String, Runnable> checks = new LinkedHashMap<>();
    checks.put("keepsItsQueue", this::keepsItsQueue);
    checks.put("keepsItsTraits", this::keepsItsTraits);
    checks.put("tellsTheTruth", this::tellsTheTruth);
    checks.put("canBeAsked", this::canBeAsked);
    checks.put("ringsAfterEveryChange", this::ringsAfterEveryChange);
    checks.put("deliversLevels", this::deliversLevels);
    checks.put("deliversEdges", this::deliversEdges);
    checks.put("losesNoWake", this::losesNoWake);
    checks.put("standsManyThreads", this::standsManyThreads);
    checks.put("closes", this::closes);
    return checks;
  }

  /**
   * Makes all checks, and reports all that fail in one error.
   *
   * @throws AssertionError if any failed, one line each
   */
  public void checkAll() {
    StringBuilder failures = new StringBuilder();
    checks()
        .forEach(
            (name, check) -> {
              try {
                check.run();
              } catch (AssertionError e) {
                failures.append("\n- ").append(name).append(": ").append(e.getMessage());
              }
            });
    if (failures.length() > 0) {
      throw new AssertionError("the source breaks its contract:" + failures);
    }
  }

  // ------------------------------------------------------------------------------------- checks

  /** The same queue for ever, in every state and for every thread, and none that others have. */
  public void keepsItsQueue() {
    SourceFixture fixture = fixture();
    SourceFixture other = fixture();
    try {
      WaitQueue queue = fixture.source().waitQueue();
      if (queue == null) {
        throw new AssertionError("waitQueue() is null: it cannot be watched");
      }
      for (SourceFixture.Way way : fixture.ways()) {
        act(way.on(), "making it ready");
        if (fixture.source().waitQueue() != queue) {
          throw new AssertionError("waitQueue() gives another queue than before");
        }
      }
      if (other.source().waitQueue() == queue) {
        throw new AssertionError("two sources have one queue");
      }
      fixture.end();
      if (fixture.source().waitQueue() != queue) {
        throw new AssertionError("waitQueue() gives another queue once the source is closed");
      }
    } finally {
      fixture.end();
      other.end();
    }
  }

  /** Known traits, the same ones always; a source that wants to be told can be told. */
  public void keepsItsTraits() {
    SourceFixture fixture = fixture();
    try {
      Pollable source = fixture.source();
      int traits = source.traits();
      if ((traits & ~TRAITS) != 0) {
        throw new AssertionError("traits() has unknown bits: " + Integer.toHexString(traits));
      }
      for (SourceFixture.Way way : fixture.ways()) {
        act(way.on(), "making it ready");
        if (source.traits() != traits) {
          throw new AssertionError("traits() changes");
        }
        if ((traits & Pollable.TRACKS_INTEREST) != 0) {
          act(() -> source.interestChanged(way.bits()), "telling it what is wanted");
          act(() -> source.delivered(way.bits()), "telling it what was delivered");
          act(() -> source.interestChanged(0), "telling it that nothing is wanted");
        }
      }
    } finally {
      fixture.end();
    }
  }

  /** Ready when it is, not when it is not, as often as it is asked. */
  public void tellsTheTruth() {
    eachWay(
        0,
        EventPoll.builder(),
        null,
        scene -> {
          for (int i = 0; i < REPEATS; i++) {
            scene.off();
            scene.on();
            if (!scene.settles(() -> scene.takes() || scene.isReady())) {
              return "readiness() does not tell that it is ready for " + scene.name();
            }
            int first = answer(scene.fixture.source());
            if ((first & scene.way.bits()) == 0) {
              return "readiness() tells once that it is ready for " + scene.name() + ", not twice";
            }
            if ((first & MODES) != 0) {
              return "readiness() has mode flags: " + Events.toString(first);
            }
            if (scene.way.off() == null) {
              break;
            }
          }
          return null;
        });
  }

  /** Being asked by a poll does no harm: nothing thrown, the poll not called. */
  public void canBeAsked() {
    eachWay(
        0,
        EventPoll.builder(),
        null,
        scene -> {
          scene.off();
          scene.on();
          scene.settles(scene::takes);
          Throwable failure = scene.item.failure();
          return failure == null ? null : "readiness() throws when a poll asks: " + failure;
        });
  }

  /** Every change that makes it ready is followed by a ring, with a key that has its bits or 0. */
  public void ringsAfterEveryChange() {
    SourceFixture first = fixture();
    int ways = first.ways().size();
    first.end();
    for (int i = 0; i < ways; i++) {
      SourceFixture fixture = fixture();
      SourceRings rings = new SourceRings(fixture.source());
      try (SourceScene scene = scene(fixture, i, 0, EventPoll.builder(), rings)) {
        String fault = null;
        for (int k = 0; k < REPEATS && fault == null; k++) {
          scene.off();
          rings.forget();
          scene.on();
          scene.settles(
              () -> {
                scene.takes(); // a source without a thread of its own rings when it is given a turn
                return rings.fault(scene.way.bits()) == null;
              });
          fault = rings.fault(scene.way.bits());
          if (scene.way.off() == null) {
            break;
          }
        }
        if (fault != null) {
          throw new AssertionError("when it became ready for " + scene.name() + ", " + fault);
        }
      }
    }
  }

  /** A level-triggered item reports it while it is ready, and not after; poll(2) agrees. */
  public void deliversLevels() {
    eachWay(0, EventPoll.builder(), null, this::levelFault);
    eachWay(0, quick(), null, this::levelFault);
  }

  private @Nullable String levelFault(SourceScene scene) {
    for (int i = 0; i < REPEATS; i++) {
      scene.off();
      if (scene.way.off() != null && scene.takes()) {
        return "a level-triggered item reports " + scene.name() + " though it is not ready";
      }
      scene.on();
      if (!scene.settles(scene::takes)) {
        return "a level-triggered item does not report " + scene.name();
      }
      if (!scene.takes()) {
        return "a level-triggered item reports " + scene.name() + " once and not again";
      }
      if ((one(scene) & scene.way.bits()) == 0) {
        return "a wait on the source alone does not report " + scene.name();
      }
      if (scene.way.off() == null) {
        return null;
      }
    }
    return null;
  }

  private static int one(SourceScene scene) {
    try {
      return EventPoll.awaitOne(scene.fixture.source(), scene.way.bits(), Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError("the check was interrupted", e);
    }
  }

  /** An edge-triggered item reports every time that it becomes ready. */
  public void deliversEdges() {
    eachWay(
        Events.ET,
        EventPoll.builder(),
        null,
        scene -> {
          for (int i = 0; i < REPEATS; i++) {
            scene.off();
            scene.on();
            if (!scene.settles(scene::takes)) {
              return "an edge-triggered item does not report that it became ready for "
                  + scene.name()
                  + (i == 0 ? "" : " again");
            }
            if (scene.way.off() == null) {
              break;
            }
          }
          return null;
        });
  }

  /**
   * A thread that is about to wait, or waits, while another one makes the source ready, gets the
   * event: level-triggered and edge-triggered, with every callback path.
   */
  public void losesNoWake() {
    new SourceThreads(this::fixture, limit).losesNoWake();
  }

  /** Several threads ask, add, remove and change at once, and nothing is thrown. */
  public void standsManyThreads() {
    new SourceThreads(this::fixture, limit).standsManyThreads();
  }

  /**
   * Its end closes the queue: items are gone, nobody can add it any more, and who waits for it
   * alone is woken. Passes if the fixture tells no way to close.
   */
  public void closes() {
    SourceFixture fixture = fixture();
    if (!fixture.canEnd()) {
      return;
    }
    Pollable source = fixture.source();
    WaitQueue queue = source.waitQueue();
    if (queue == null) {
      throw new AssertionError("waitQueue() is null");
    }
    try (EventPoll poll = fixture.poll(EventPoll.builder())) {
      EpItem item = poll.add(source, Events.IN | Events.OUT);
      fixture.end();
      if (!queue.isClosed()) {
        throw new AssertionError("it was closed and its wait queue is open");
      }
      if (item.isValid() || poll.size() != 0) {
        throw new AssertionError("it was closed and a poll has it still");
      }
      answer(source);
      requireRefused(poll, source);
    }
    new SourceThreads(this::fixture, limit).closeWakes();
  }

  private static void requireRefused(EventPoll poll, Pollable source) {
    try {
      poll.add(source, Events.IN);
    } catch (EventPollStateException e) {
      if (e.errno() == Errno.EBADF) {
        return;
      }
    }
    throw new AssertionError("it was closed and a poll could add it still");
  }

  // ------------------------------------------------------------------------------------- helpers

  private static EventPollBuilder quick() {
    return EventPoll.builder().maskPreCheck(true).notifiedFastPath(true);
  }

  /** A fault of each way on a fresh fixture; the first one is thrown. */
  private void eachWay(
      int modes,
      EventPollBuilder settings,
      @Nullable Probe probe,
      Function<SourceScene, @Nullable String> check) {
    int ways = 1;
    for (int i = 0; i < ways; i++) {
      SourceFixture fixture = fixture();
      ways = fixture.ways().size();
      try (SourceScene scene = scene(fixture, i, modes, settings, probe)) {
        String fault = check.apply(scene);
        if (fault != null) {
          throw new AssertionError(fault + ": " + scene.fixture.source());
        }
      }
    }
  }

  private SourceScene scene(
      SourceFixture fixture, int way, int modes, EventPollBuilder settings, @Nullable Probe probe) {
    return new SourceScene(fixture, fixture.ways().get(way), modes, settings, probe, limit);
  }

  private SourceFixture fixture() {
    SourceFixture fixture;
    try {
      fixture = fixtures.call();
    } catch (Exception e) {
      throw new AssertionError("no fixture could be made", e);
    }
    if (fixture.ways().isEmpty()) {
      throw new AssertionError("the fixture tells no way to make its source ready");
    }
    return fixture;
  }

  /** What a source answers to somebody who is no poll. */
  static int answer(Pollable source) {
    try {
      return source.readiness();
    } catch (RuntimeException e) {
      throw new AssertionError("readiness() throws: " + e, e);
    }
  }

  static void act(SourceFixture.Action action, String what) {
    try {
      action.run();
    } catch (Exception e) {
      throw new AssertionError(what + " failed: " + e, e);
    }
  }
}
