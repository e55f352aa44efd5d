package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.Pollable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One source under {@link SourceContract}, and how its state is changed: by what a user of the
 * source would do. Not thread-safe while it is composed; the actions are called by several threads,
 * one after the other.
 *
 * @since 0.1
 */
public final class SourceFixture {
  /**
   * Something that is done with a source.
   *
   * @since 0.1
   */
  @FunctionalInterface
  public interface Action {
    /**
     * Does it.
     *
     * @throws Exception which fails the check
     */
    void run() throws Exception;
  }

  /** One way to become ready; without "off" for good. */
  record Way(int bits, Action on, @Nullable Action off) {}

  private final Pollable source;
  private final List<Way> ways = new ArrayList<>();
  private @Nullable Action close;
  private Function<EventPollBuilder, EventPoll> polls = EventPollBuilder::build;
  private boolean later;
  private boolean ended;

  private SourceFixture(Pollable source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  /**
   * Begins a fixture.
   *
   * @param source a source that nobody else uses
   * @return a new fixture
   */
  public static SourceFixture of(Pollable source) {
    return new SourceFixture(source);
  }

  /**
   * A way in which the source becomes ready and not ready again. The second action is always called
   * before the first, also at the start, when the source may be not ready already.
   *
   * @param bits the event bits that it is ready for after the first action and not after the second
   * @param makeReady for instance a write
   * @param makeNotReady for instance a read of everything
   * @return this fixture
   */
  public SourceFixture ready(int bits, Action makeReady, Action makeNotReady) {
    ways.add(
        new Way(
            bits,
            Objects.requireNonNull(makeReady, "makeReady"),
            Objects.requireNonNull(makeNotReady, "makeNotReady")));
    return this;
  }

  /**
   * A way in which the source becomes ready for good, like an end of file.
   *
   * @param bits the event bits that it is ready for after the action and not in a new fixture
   * @param makeReady what makes it so
   * @return this fixture
   */
  public SourceFixture readyForGood(int bits, Action makeReady) {
    ways.add(new Way(bits, Objects.requireNonNull(makeReady, "makeReady"), null));
    return this;
  }

  /**
   * How the source ends, so that its queue is closed. Called once, at the latest at the end of a
   * check.
   *
   * @param action for instance its {@code close()}
   * @return this fixture
   */
  public SourceFixture closing(Action action) {
    close = Objects.requireNonNull(action, "action");
    return this;
  }

  /**
   * Where polls that can watch the source come from, if it lives by a {@link VirtualTime}.
   *
   * @param maker makes a poll with certain settings, for instance {@code time::poll}
   * @return this fixture
   */
  public SourceFixture polls(Function<EventPollBuilder, EventPoll> maker) {
    polls = Objects.requireNonNull(maker, "maker");
    return this;
  }

  /**
   * The actions only set something going: another thread does what they are for, a little later.
   *
   * @return this fixture
   */
  public SourceFixture asynchronous() {
    later = true;
    return this;
  }

  Pollable source() {
    return source;
  }

  List<Way> ways() {
    return ways;
  }

  boolean canEnd() {
    return close != null;
  }

  /** Closes the source, if it was not done yet. */
  void end() {
    Action action = close;
    if (action != null && !ended) {
      ended = true;
      SourceContract.act(action, "closing it");
    }
  }

  boolean isAsynchronous() {
    return later;
  }

  EventPoll poll(EventPollBuilder settings) {
    return polls.apply(settings);
  }
}
