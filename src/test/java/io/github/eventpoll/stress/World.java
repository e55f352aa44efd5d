package io.github.eventpoll.stress;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Polls;
import io.github.eventpoll.Topology;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.nio.ChannelDriver;
import io.github.eventpoll.source.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The polls, sources and actors of one stress round, all drawn from one seed. */
final class World {
  private static final int[] MODES = {
    Events.IN,
    Events.IN,
    Events.IN | Events.ET,
    Events.IN | Events.ET,
    Events.IN | Events.ONESHOT,
    Events.IN | Events.ET | Events.ONESHOT,
    Events.IN | Events.OUT | Events.ET,
    Events.OUT | Events.ONESHOT,
    Events.PRI
  };

  final long seed;
  final Random random;

  /**
   * How long a writer rests now and then, in nanoseconds: few writes leave a lost one to be seen.
   */
  final int writerPause;

  private final @Nullable Jitter jitter;
  final Safepoint safepoint = new Safepoint();
  final List<EventPoll> polls = new ArrayList<>();
  final List<Timer> timers = new ArrayList<>();
  final List<Actor> actors = new ArrayList<>();

  private final Map<EventPoll, Long> lastReturns = new ConcurrentHashMap<>();

  /** The sources at present; a closed one is replaced. */
  final AtomicReferenceArray<StressSource> sources;

  /** All there ever were. */
  final ConcurrentLinkedQueue<StressSource> all = new ConcurrentLinkedQueue<>();

  /** Whether there are channels in this round. */
  final boolean channels;

  /** The callback path of each poll, for people. */
  private final Map<EventPoll, Polls.Combination> pathOf =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Polls that share one selector for their channels, if some do. */
  private final @Nullable ChannelDriver driver;

  final LongAdder delivered = new LongAdder();
  long seenAsleep;
  private String report = "";
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ending;

  World(long seed) {
    this.seed = seed;
    random = new Random(seed);
    jitter = random.nextInt(3) == 0 ? null : new Jitter(8 << random.nextInt(5));
    writerPause = random.nextInt(3) == 0 ? 0 : 1 << (10 + random.nextInt(12));
    channels = random.nextBoolean();
    driver = channels && random.nextBoolean() ? ChannelDriver.open() : null;
    for (int i = 0; i < 2 + random.nextInt(4); i++) {
      polls.add(newPoll(random));
    }
    sources = new AtomicReferenceArray<>(3 + random.nextInt(6));
    for (int i = 0; i < sources.length(); i++) {
      replaceSource(i, random);
    }
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      timers.add(Timer.create());
    }
    nest();
    for (int i = 0; i < 4 * sources.length(); i++) {
      addSomewhere(random);
    }
    timers.forEach(this::addTimer);
  }

  /** Which callback path a poll has. */
  @Nullable Object pathOf(EventPoll poll) {
    return pathOf.get(poll);
  }

  /**
   * A poll with any callback path and any topology, whose threads lose their processors more often
   * than usual, in most rounds.
   */
  EventPoll newPoll(Random dice) {
    List<Polls.Combination> paths = Polls.Combination.chosen();
    Polls.Combination path = paths.get(dice.nextInt(paths.size()));
    EventPollBuilder settings = path.applyTo(EventPoll.builder());
    settings.topology(Topology.values()[dice.nextInt(Topology.values().length)]);
    Bridge.get().seams(settings, Clock.system(), jitter);
    EventPoll poll =
        driver != null && dice.nextInt(3) > 0 ? driver.poll(settings) : settings.build();
    pathOf.put(poll, path);
    return poll;
  }

  /** Each poll but the first may be watched by one or two that come before it. */
  private void nest() {
    for (int i = 1; i < polls.size(); i++) {
      for (int j = 0; j < random.nextInt(3); j++) {
        int mode = MODES[random.nextInt(6)];
        add(polls.get(random.nextInt(i)), polls.get(i), mode);
      }
    }
  }

  private void add(EventPoll outer, EventPoll inner, int mode) {
    try {
      outer.add(inner, mode, new Ledger(null));
    } catch (EventPollArgumentException | EventPollStateException e) {
      requireExpected(e); // twice the same edge, or too many in a row
    }
  }

  private void addTimer(Timer timer) {
    for (EventPoll poll : polls) {
      if (random.nextInt(3) > 0) {
        poll.add(timer, random.nextBoolean() ? Events.IN : Events.IN | Events.ET, new Ledger(null));
      }
    }
  }

  /** An await on a poll has returned, or thrown. */
  void returned(EventPoll poll) {
    lastReturns.put(poll, System.nanoTime());
  }

  long lastReturn(EventPoll poll) {
    return lastReturns.getOrDefault(poll, Long.MIN_VALUE);
  }

  // ------------------------------------------------------------------------------ drawing lots

  EventPoll anyPoll(Random dice) {
    return polls.get(dice.nextInt(polls.size()));
  }

  StressSource anySource(Random dice) {
    return sources.get(dice.nextInt(sources.length()));
  }

  @Nullable EpItem anyItem(EventPoll poll, Random dice) {
    List<EpItem> items = poll.items();
    return items.isEmpty() ? null : items.get(dice.nextInt(items.size()));
  }

  int anyMode(Random dice) {
    return MODES[dice.nextInt(MODES.length)];
  }

  /** Some sources are watched by exclusive items, mostly. */
  int anyModeFor(StressSource source, Random dice) {
    if (source.name.startsWith("x") && dice.nextInt(8) > 0) {
      return Events.IN | Events.EXCLUSIVE | (dice.nextBoolean() ? Events.ET : 0);
    }
    return anyMode(dice);
  }

  StressSource replaceSource(int index, Random dice) {
    String number = index + "." + all.size();
    StressSource made =
        switch (dice.nextInt(channels ? 13 : 9)) {
          case 0 -> StressSource.semaphore("semaphore" + number);
          case 1 -> StressSource.flaky("flaky" + number);
          case 2 -> StressSource.semaphore("xsemaphore" + number);
          case 3 -> StressSource.counter("xcounter" + number);
          case 4 -> StressSource.queue("queue" + number);
          case 5 -> StressSource.queue("xqueue" + number);
          case 6 -> StressSource.flaky("xflaky" + number);
          case 9, 10 -> StressChannel.pipe("pipe" + number);
          case 11 -> StressChannel.connection("connection" + number);
          case 12 -> StressChannel.connection("xconnection" + number);
          default -> StressSource.counter("counter" + number);
        };
    all.add(made);
    StressSource old = sources.getAndSet(index, made);
    return old == null ? made : old;
  }

  void addSomewhere(Random dice) {
    StressSource source = anySource(dice);
    try {
      anyPoll(dice).add(source.pollable(), anyModeFor(source, dice), new Ledger(source));
    } catch (RuntimeException | StressSource.Broke e) {
      requireExpected(e);
    }
  }

  /** Who acts in this round. */
  void cast() {
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      actors.add(new Actors.Writer(this, i));
    }
    for (int i = 0; i < 3 + random.nextInt(6); i++) {
      actors.add(new Waits.Waiter(this, i, random.nextInt(3) == 0));
    }
    for (int i = 0; i < random.nextInt(3); i++) {
      actors.add(new Waits.Poller(this, i));
    }
    for (int i = 0; i < random.nextInt(3); i++) {
      actors.add(new Waits.Visitor(this, i));
    }
    for (int i = 0; i < random.nextInt(3); i++) {
      actors.add(random.nextBoolean() ? new Actors.Modifier(this) : new Actors.Mover(this));
    }
    if (random.nextBoolean()) {
      actors.add(new Actors.Closer(this));
    }
    if (random.nextInt(4) > 0) {
      actors.add(new Actors.Disturber(this));
    }
    if (random.nextBoolean()) {
      actors.add(new Actors.TimeSetter(this));
    }
  }

  // ----------------------------------------------------------------------------------- ending

  boolean ending() {
    return ending;
  }

  void end() {
    ending = true;
  }

  void failed(Actor actor, Throwable thrown) {
    failure.compareAndSet(null, new AssertionError(actor.thread.getName() + " failed", thrown));
    ending = true;
  }

  @Nullable Throwable failure() {
    return failure.get();
  }

  /** Fails unless a call may throw this in a world where others add, remove and close. */
  void requireExpected(Throwable thrown) {
    boolean expected =
        thrown instanceof StressSource.Broken
            || thrown instanceof StressSource.Broke
            || (thrown instanceof EventPollStateException state
                && (state.errno() == Errno.EBADF
                    || state.errno() == Errno.ENOENT
                    || state.errno() == Errno.EEXIST))
            || (thrown instanceof EventPollArgumentException argument
                && (argument.errno() == Errno.ELOOP || argument.errno() == Errno.EINVAL))
            || (thrown instanceof IllegalStateException closed
                && String.valueOf(closed.getMessage()).endsWith("is closed"));
    if (!expected) {
      throw new AssertionError("not expected", thrown);
    }
  }

  /** Keeps the report of this moment. */
  void keepReport() {
    report = report();
  }

  String transcript() {
    return report.isEmpty() ? report() : report;
  }

  /** The state of all polls and the last steps of all actors, for people. */
  String report() {
    StringBuilder text = new StringBuilder();
    for (EventPoll poll : polls) {
      text.append(poll.dump()).append("  its path is ").append(pathOf.get(poll)).append('\n');
    }
    for (StressSource source : all) {
      text.append(source).append(" is ").append(source.pollable());
      text.append(", last written at ").append(source.lastWrite()).append('\n');
    }
    List<Actor.Step> steps = new ArrayList<>();
    actors.forEach(actor -> actor.transcribe(steps));
    steps.sort(Comparator.comparingLong(Actor.Step::time));
    for (Actor.Step step : steps.subList(Math.max(0, steps.size() - 250), steps.size())) {
      text.append(step.time())
          .append(' ')
          .append(step.actor())
          .append(": ")
          .append(step.what())
          .append(' ')
          .append(step.about())
          .append('\n');
    }
    return text.append(Safepoint.stacks(actors)).toString();
  }
}
