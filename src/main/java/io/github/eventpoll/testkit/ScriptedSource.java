package io.github.eventpoll.testkit;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * A source that is ready when the test says so, rings when the test says so, and counts what is
 * done with it: for tests of loops that wait. It does nothing by itself; state and ring can be set
 * together, apart, and in the wrong order.
 *
 * <p>Any thread may call everything. The state is one volatile variable.
 *
 * <p>Memory consistency effects: what a test did before it set the state is visible to the thread
 * that gets the event from an {@code await}.
 *
 * @since 0.1
 */
public final class ScriptedSource implements Pollable, AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final WaitQueue queue = new WaitQueue();
  private final String name;
  private final int traits;

  /** What happens to the next questions, one each; empty: the state is the answer. */
  private final Queue<IntUnaryOperator> script = new ConcurrentLinkedQueue<>();

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger deliveries = new AtomicInteger();
  private final AtomicInteger interestChanges = new AtomicInteger();
  private volatile int state;
  private volatile int interest;
  private volatile int lastDelivered;

  private ScriptedSource(String name, int traits) {
    this.name = Objects.requireNonNull(name, "name");
    this.traits = traits;
  }

  /**
   * Makes a source that is not ready, without traits.
   *
   * @return a new source
   */
  public static ScriptedSource create() {
    return named("ScriptedSource#" + NUMBERS.incrementAndGet());
  }

  /**
   * Makes a source that is not ready, without traits.
   *
   * @param name what {@link #toString()} shows, and a {@link WakeLog} with it
   * @return a new source
   */
  public static ScriptedSource named(String name) {
    return new ScriptedSource(name, 0);
  }

  /**
   * Makes a source that is not ready, with traits. With {@link Pollable#ORDERED_STATE} the test
   * must keep what that promises: no {@link #set} to ready without a ring after it, no script. Only
   * with {@link Pollable#TRACKS_INTEREST} interest and deliveries are counted.
   *
   * @param name what {@link #toString()} shows
   * @param traits what {@link #traits()} answers
   * @return a new source
   */
  public static ScriptedSource named(String name, int traits) {
    return new ScriptedSource(name, traits);
  }

  // ---------------------------------------------------------------------------- state and ring

  /**
   * Becomes ready as a good source does: the state is set, then the queue is rung with the same
   * bits. Counts as a new event also if it was ready before.
   *
   * @param bits event bits
   */
  public void ready(int bits) {
    set(bits);
    ring(bits);
  }

  /** Is ready for nothing from now on; silent, as after a read. */
  public void notReady() {
    set(0);
  }

  /**
   * Sets the state and rings nobody. To do this with bits that are new, and nothing after it, is
   * the mistake of a source that loses a wake.
   *
   * @param bits event bits, 0 for not ready
   */
  public void set(int bits) {
    state = bits;
  }

  /**
   * Rings and changes nothing.
   *
   * @param key event bits, 0 for unknown
   */
  public void ring(int key) {
    if ((traits & ORDERED_STATE) != 0) {
      queue.wakeOrdered(key);
    } else {
      queue.wake(key);
    }
  }

  /**
   * Rings, then sets the state: the mistake of a source that wakes before the change.
   *
   * @param bits event bits
   */
  public void ringThenSet(int bits) {
    ring(bits);
    set(bits);
  }

  // ------------------------------------------------------------------------------------ script

  /**
   * The next questions get these answers, one each, after all that was scripted before; then the
   * state is the answer again.
   *
   * @param answers event bits
   */
  public void answer(int... answers) {
    for (int answer : answers) {
      script.add(state -> answer);
    }
  }

  /**
   * One question gets no answer but this.
   *
   * @param thrown what {@link #readiness()} throws
   */
  public void fail(RuntimeException thrown) {
    Objects.requireNonNull(thrown, "thrown");
    script.add(
        state -> {
          throw thrown;
        });
  }

  /**
   * The same with an error.
   *
   * @param thrown what {@link #readiness()} throws
   */
  public void fail(Error thrown) {
    Objects.requireNonNull(thrown, "thrown");
    script.add(
        state -> {
          throw thrown;
        });
  }

  /**
   * Does something when it is asked, once, and then answers with its state: where a test puts what
   * happens just then. It runs in the thread that asks, which holds the poll's lock: what {@link
   * Pollable#readiness()} must not do, it must not do either.
   *
   * @param action what to do
   */
  public void whenAsked(Runnable action) {
    Objects.requireNonNull(action, "action");
    script.add(
        before -> {
          action.run();
          return state;
        });
  }

  /**
   * Does something just after it was asked: the one who asks gets the state of before.
   *
   * @param action what to do; as for {@link #whenAsked}
   */
  public void afterAsked(Runnable action) {
    Objects.requireNonNull(action, "action");
    script.add(
        before -> {
          action.run();
          return before;
        });
  }

  // ------------------------------------------------------------------------------------- counts

  /**
   * How often it was asked.
   *
   * @return the calls of {@link #readiness()} so far
   */
  public int asked() {
    return asked.get();
  }

  /**
   * How often an event of it was taken; 0 without {@link Pollable#TRACKS_INTEREST}.
   *
   * @return the calls of {@link #delivered} so far
   */
  public int deliveries() {
    return deliveries.get();
  }

  /**
   * What was taken last.
   *
   * @return event bits, 0 if nothing was
   */
  public int lastDelivered() {
    return lastDelivered;
  }

  /**
   * How often it was told what is wanted; 0 without {@link Pollable#TRACKS_INTEREST}.
   *
   * @return the calls of {@link #interestChanged} so far
   */
  public int interestChanges() {
    return interestChanges.get();
  }

  /**
   * What it was told last to be wanted.
   *
   * @return event bits, 0 if it was told nothing
   */
  public int interest() {
    return interest;
  }

  /**
   * Tells whether everything in the script has happened.
   *
   * @return true if the state is the next answer
   */
  public boolean isPlayed() {
    return script.isEmpty();
  }

  // ----------------------------------------------------------------------------- as a source

  @Override
  public int readiness() {
    asked.incrementAndGet();
    int seen = state;
    IntUnaryOperator next = script.poll();
    return next == null ? seen : next.applyAsInt(seen);
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return traits;
  }

  @Override
  public void interestChanged(int wantedUnion) {
    interest = wantedUnion;
    interestChanges.incrementAndGet();
  }

  @Override
  public void delivered(int bits) {
    lastDelivered = bits;
    deliveries.incrementAndGet();
  }

  /** Ends: every item on it is gone from its poll. */
  @Override
  public void close() {
    queue.close();
  }

  /** The name, and what it is ready for. */
  @Override
  public String toString() {
    return name + "[" + Events.toString(state) + "]";
  }

  /** The name alone. */
  String name() {
    return name;
  }
}
