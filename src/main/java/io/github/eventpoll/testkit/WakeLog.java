package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.internal.Bridge;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens inside polls, in order: every callback and what became of it, every item that is put
 * on a list, every wake and sleep, every question to a source, every delivery. For people as text,
 * one numbered line a step with the thread that took it; for tests as assertions, which throw an
 * {@link AssertionError} with the text in it.
 *
 * <p>It is put on a poll when that is made, and works with real threads and with {@link
 * VirtualTime}:
 *
 * <pre>{@code
 * WakeLog log = WakeLog.create();
 * EventPoll poll = log.poll();                                  // or, on virtual time:
 * EventPoll timed = time.poll(log.watch(EventPoll.builder()));
 * }</pre>
 *
 * <p>Several polls may share a log; the lines tell them apart then. Waits on one source without a
 * poll ({@link EventPoll#awaitOne}) are not seen. Any thread may call everything. Steps of
 * different threads stand in the order in which the log got hold of them; a step that rests on
 * another one never stands before it. A log slows a poll down and orders its threads: one that
 * hides a race is no proof that there is none.
 *
 * @since 0.1
 */
public final class WakeLog {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /*
   * Everything is guarded by "guard". It is a leaf: steps come in under locks of the engine, so
   * nothing of the user's is called under it.
   */
  private final ReentrantLock guard = new ReentrantLock();
  private final int limit;
  private final Deque<String> lines = new ArrayDeque<>();
  private final List<WatchedPoll> polls = new ArrayList<>();
  private final Map<EpItem, ItemRecord> items = new WeakHashMap<>();
  private long count;
  private int itemCount;

  /** The thread that asks sources for an assertion; its steps are not logged. */
  private @Nullable Thread looking;

  private WakeLog(int limit) {
    this.limit = limit;
  }

  /**
   * Makes a log that keeps everything.
   *
   * @return a new log
   */
  public static WakeLog create() {
    return new WakeLog(Integer.MAX_VALUE);
  }

  /**
   * Makes a log that keeps the last lines only. The assertions know what was on the others.
   *
   * @param lines how many, at least 1
   * @return a new log
   * @throws IllegalArgumentException if less than 1
   */
  public static WakeLog keeping(int lines) {
    if (lines < 1) {
      throw new IllegalArgumentException("a log of " + lines + " lines");
    }
    return new WakeLog(lines);
  }

  /**
   * Makes a poll that is logged here.
   *
   * @return a new poll with default settings
   */
  public EventPoll poll() {
    return watch(EventPoll.builder()).build();
  }

  /**
   * Logs here the poll that will be made with these settings; make one only.
   *
   * @param settings the settings; they may have other logs already
   * @return the same settings
   */
  public EventPollBuilder watch(EventPollBuilder settings) {
    WatchedPoll watched = new WatchedPoll(this);
    Bridge.get().watch(settings, watched);
    guard.lock();
    try {
      polls.add(watched);
    } finally {
      guard.unlock();
    }
    return settings;
  }

  /**
   * Gives an item a name in the lines to come, in place of its number and the class of its source.
   *
   * @param item the item
   * @param name how to call it
   */
  public void name(EpItem item, String name) {
    Objects.requireNonNull(name, "name");
    guard.lock();
    try {
      recordOf(item).name = name;
    } finally {
      guard.unlock();
    }
  }

  /**
   * Adds a line of the test's own.
   *
   * @param text what to say
   */
  public void note(String text) {
    Objects.requireNonNull(text, "text");
    guard.lock();
    try {
      append(text);
    } finally {
      guard.unlock();
    }
  }

  /**
   * The lines that are kept, without their numbers and threads.
   *
   * @return a copy, oldest first
   */
  public List<String> steps() {
    List<String> steps = new ArrayList<>();
    for (String line : lines()) {
      steps.add(line.substring(line.indexOf(": ") + 2));
    }
    return steps;
  }

  /**
   * The lines that are kept.
   *
   * @return a copy, oldest first
   */
  public List<String> lines() {
    guard.lock();
    try {
      return new ArrayList<>(lines);
    } finally {
      guard.unlock();
    }
  }

  /**
   * How often an event of an item was taken by a wait.
   *
   * @param item the item
   * @return deliveries so far
   */
  public long deliveries(EpItem item) {
    guard.lock();
    try {
      return recordOf(item).deliveries;
    } finally {
      guard.unlock();
    }
  }

  /**
   * How often an item's source rang while the item was there, whatever became of it.
   *
   * @param item the item
   * @return callbacks so far
   */
  public long callbacks(EpItem item) {
    guard.lock();
    try {
      return recordOf(item).callbacks;
    } finally {
      guard.unlock();
    }
  }

  // --------------------------------------------------------------------------------- assertions

  /**
   * Fails unless an event of the item was taken exactly once so far.
   *
   * @param item the item
   */
  public void assertDeliveredOnce(EpItem item) {
    assertDelivered(item, 1);
  }

  /**
   * Fails unless events of the item were taken so many times so far.
   *
   * @param item the item
   * @param times how often
   */
  public void assertDelivered(EpItem item, long times) {
    long seen = deliveries(item);
    if (seen != times) {
      throw failure(nameOf(item) + " was delivered " + seen + " times and not " + times);
    }
  }

  /**
   * Fails if a waiter was woken for an event and found none. Not a mistake of a program as such:
   * somebody who was awake may have taken the event first.
   */
  public void assertNobodyWokenInVain() {
    throwIfAny(watched -> watched.vainWake);
  }

  /**
   * Fails if two waiters were woken for one event: the second by a callback that found the item of
   * the first on the list still. That is how Linux does it; {@link
   * EventPollBuilder#notifiedFastPath} is there to avoid it.
   */
  public void assertNobodyWokenTwice() {
    throwIfAny(watched -> watched.secondWake);
  }

  /**
   * Fails if a wake-up is lost: some item is ready, and every thread that waits on its poll sleeps.
   * With threads about, what looks like that may be about to pass: then this looks again, for ten
   * seconds at most.
   */
  public void assertNoLostWakeUp() {
    assertNoLostWakeUp(PATIENCE);
  }

  /**
   * The same with another patience, in real time.
   *
   * @param patience how long to go on looking where nothing happens and a wake-up seems lost; zero
   *     if no thread is under way
   */
  @SuppressWarnings("ThreadPriorityCheck") // the others can run: nothing else to wait on
  public void assertNoLostWakeUp(Duration patience) {
    long started = System.nanoTime();
    long patient = patience.toNanos();
    String last;
    do {
      last = lostWakeUp();
      if (last == null) {
        return;
      }
      Thread.yield();
    } while (System.nanoTime() - started < patient);
    throw failure("lost wake-up: " + last);
  }

  private @Nullable String lostWakeUp() {
    for (WatchedPoll watched : snapshot()) {
      String lost = watched.lostWakeUp();
      if (lost != null) {
        return lost;
      }
    }
    return null;
  }

  private List<WatchedPoll> snapshot() {
    guard.lock();
    try {
      return new ArrayList<>(polls);
    } finally {
      guard.unlock();
    }
  }

  private void throwIfAny(Function<WatchedPoll, @Nullable String> what) {
    for (WatchedPoll watched : snapshot()) {
      String found = underGuard(() -> what.apply(watched));
      if (found != null) {
        throw failure(found);
      }
    }
  }

  private @Nullable String underGuard(Supplier<@Nullable String> what) {
    guard.lock();
    try {
      return what.get();
    } finally {
      guard.unlock();
    }
  }

  private AssertionError failure(String what) {
    return new AssertionError(what + System.lineSeparator() + this);
  }

  /** The whole text, one line a step. */
  @Override
  public String toString() {
    guard.lock();
    try {
      StringBuilder text = new StringBuilder();
      if (count > lines.size()) {
        long before = count - lines.size();
        text.append("(")
            .append(before)
            .append(before == 1 ? " line before)\n" : " lines before)\n");
      }
      lines.forEach(line -> text.append(line).append('\n'));
      return text.toString();
    } finally {
      guard.unlock();
    }
  }

  // ------------------------------------------------------------------------- for WatchedPoll

  ReentrantLock guard() {
    return guard;
  }

  /** How many lines there were. Guard held. */
  long count() {
    return count;
  }

  /** The calling thread begins or ends to ask sources for an assertion. Guard held. */
  void look(boolean begin) {
    looking = begin ? Thread.currentThread() : null;
  }

  /** Whether the calling thread does that. Guard held. */
  boolean isLooking() {
    return looking == Thread.currentThread();
  }

  boolean hasSeveralPolls() {
    return polls.size() > 1;
  }

  /** Adds a line by the calling thread. Guard held. */
  void append(String text) {
    count++;
    if (lines.size() == limit) {
      lines.removeFirst();
    }
    lines.addLast(count + " " + Thread.currentThread().getName() + ": " + text);
  }

  /** What is known of an item. Guard held. */
  ItemRecord recordOf(EpItem item) {
    return items.computeIfAbsent(item, some -> new ItemRecord(some, ++itemCount));
  }

  String nameOf(EpItem item) {
    guard.lock();
    try {
      return recordOf(item).name;
    } finally {
      guard.unlock();
    }
  }

  /** The living items that were seen. Guard held. */
  List<EpItem> livingItems() {
    return items.keySet().stream().filter(EpItem::isValid).toList();
  }

  /** What is known of one item; guarded by the log's guard. */
  static final class ItemRecord {
    String name;
    long callbacks;
    long deliveries;

    /** Whether it was delivered since it was added or modified. */
    boolean deliveredSinceArmed;

    /** The line in which a waiter was woken for it, while it is listed; 0 for none. */
    long wokenIn;

    private ItemRecord(EpItem item, int number) {
      // No toString() of the user's: this may run under locks of the engine.
      name =
          item.source() instanceof ScriptedSource scripted
              ? scripted.name()
              : item.source() instanceof EventPoll inner
                  ? inner.toString()
                  : item.source().getClass().getSimpleName() + " (item " + number + ")";
    }
  }
}
