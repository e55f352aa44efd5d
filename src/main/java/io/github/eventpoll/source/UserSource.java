package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A level that its user sets: the simplest way to make anything waitable. The source is ready for
 * exactly the bits that are set, until they are cleared.
 *
 * <p>Every call that sets bits is an edge for each of them, also for those that were set already:
 * an edge-triggered item counts calls, not changes. Clearing is no edge. Any thread may call
 * everything, from inside any lock of its own; no lock is taken.
 *
 * <p>Who clears a bit and then looks at the work it stands for misses none, if others add work
 * first and set the bit then. The other way round is the classic mistake: what was added between
 * the look and the clearing lies there with nobody told.
 *
 * <p>Memory consistency effects: what a thread did before it set a bit is visible to the thread
 * that gets the event from an {@code await}, or finds the bit set by {@link #take}.
 *
 * @since 0.1
 */
public final class UserSource implements Pollable, AutoCloseable {
  /** What an event can have; the mode flags of a mask are no level. */
  private static final int BITS =
      Events.IN
          | Events.PRI
          | Events.OUT
          | Events.ERR
          | Events.HUP
          | Events.RDNORM
          | Events.RDBAND
          | Events.WRNORM
          | Events.WRBAND
          | Events.MSG
          | Events.RDHUP;

  private static final VarHandle LEVEL;

  static {
    try {
      LEVEL = MethodHandles.lookup().findVarHandle(UserSource.class, "level", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WaitQueue queue = new WaitQueue();

  /** The bits that are set. Every change is one atomic read-modify-write, before the ring. */
  private volatile int level;

  private UserSource() {}

  /**
   * Makes a source that is ready for nothing.
   *
   * @return a new source
   */
  public static UserSource create() {
    return new UserSource();
  }

  /**
   * Sets bits and leaves the others as they are. Wakes with these bits, whether they were set or
   * not.
   *
   * @param bits event bits; 0 does nothing
   * @throws IllegalArgumentException if there are others than event bits
   * @throws IllegalStateException if the source is closed
   */
  public void set(int bits) {
    update(bits, 0);
  }

  /**
   * Clears bits and leaves the others as they are. Wakes nobody.
   *
   * @param bits event bits
   * @throws IllegalArgumentException if there are others than event bits
   * @throws IllegalStateException if the source is closed
   */
  public void clear(int bits) {
    update(0, bits);
  }

  /**
   * Clears bits and tells which of them were set. Of several threads one gets each.
   *
   * @param bits event bits
   * @return those that were set, 0 for none
   * @throws IllegalArgumentException if there are others than event bits
   * @throws IllegalStateException if the source is closed
   */
  public int take(int bits) {
    requireOpen();
    requireKnown(bits);
    return (int) LEVEL.getAndBitwiseAnd(this, ~bits) & bits;
  }

  /**
   * Sets some bits and clears others in one step: nobody sees the one without the other. Wakes with
   * the bits that are set, whether they were set before or not.
   *
   * @param set event bits to set
   * @param clear event bits to clear; one that is to be set as well is set
   * @throws IllegalArgumentException if there are others than event bits
   * @throws IllegalStateException if the source is closed
   */
  public void update(int set, int clear) {
    requireOpen();
    requireKnown(set);
    requireKnown(clear);
    int seen;
    do {
      seen = level;
    } while (!LEVEL.compareAndSet(this, seen, (seen & ~clear) | set));
    if (set != 0) {
      queue.wakeOrdered(set); // after a read-modify-write of the state: MO-ADD-1, MO-MOD-1
    }
  }

  @Override
  public int readiness() {
    return level;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  /**
   * Closes the source: it leaves every poll, and threads that wait on it alone are woken with HUP.
   */
  @Override
  public void close() {
    queue.close();
  }

  private void requireOpen() {
    if (queue.isClosed()) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  private static void requireKnown(int bits) {
    int others = bits & ~BITS;
    if (others != 0) {
      throw new IllegalArgumentException(Events.toString(others) + " is not a level");
    }
  }

  @Override
  public String toString() {
    return "UserSource[" + Events.toString(level) + "]";
  }
}
