package io.github.eventpoll.source;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * A counter that can be waited on, with the semantics of eventfd(2): an unsigned 64-bit count,
 * written by adding, read by taking all of it or, as a semaphore, one.
 *
 * <p>Ready for {@link Events#IN} while the count is not 0, for {@link Events#OUT} while 1 can be
 * added, and for {@link Events#ERR} once a {@link #signal} has filled it up. Every write is an
 * edge, also a write of 0. Any thread may call everything; no lock is taken.
 *
 * <p>Memory consistency effects: what a thread did before it wrote is visible to the thread that
 * reads the count it wrote, or gets the event from an {@code await}.
 *
 * @since 0.1
 */
public final class EventFd implements Pollable, AutoCloseable {
  /** 2^64 − 1: the count after a signal found no room; never a result of writing. */
  private static final long FULL = -1L;

  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(EventFd.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WaitQueue queue = new WaitQueue();
  private final boolean semaphore;

  /** The count, unsigned. Every change is one atomic read-modify-write: MO-COUNT-1. */
  private volatile long count;

  private EventFd(long initial, boolean semaphore) {
    this.semaphore = semaphore;
    this.count = initial;
  }

  /**
   * Makes a counter at 0 whose read takes everything.
   *
   * @return a new counter
   */
  public static EventFd create() {
    return new EventFd(0, false);
  }

  /**
   * Makes a counter whose read takes everything.
   *
   * @param initial the first count, unsigned
   * @return a new counter
   */
  public static EventFd create(int initial) {
    return new EventFd(Integer.toUnsignedLong(initial), false);
  }

  /**
   * Makes a counter whose read takes one.
   *
   * @param initial the first count, unsigned
   * @return a new counter
   */
  public static EventFd semaphore(int initial) {
    return new EventFd(Integer.toUnsignedLong(initial), true);
  }

  /**
   * Adds to the count if the sum stays below 2^64 − 1; never blocks. Wakes with IN, also for 0.
   *
   * @param value what to add, unsigned
   * @return false if there is no room; nothing has changed then
   * @throws IllegalArgumentException if the value is 2^64 − 1
   * @throws IllegalStateException if the counter is closed
   */
  public boolean tryWrite(long value) {
    requireOpen();
    if (value == FULL) {
      throw new IllegalArgumentException("2^64 - 1 cannot be written to " + this);
    }
    if (!add(value)) {
      return false;
    }
    queue.wakeOrdered(Events.IN); // after a read-modify-write of the state: MO-ADD-1, MO-MOD-1
    return true;
  }

  /** Not by getAndAdd, however small the value: a large write could come between look and add. */
  private boolean add(long value) {
    for (; ; ) {
      long seen = count;
      if (!fits(value, seen)) {
        return false;
      }
      if (COUNT.compareAndSet(this, seen, seen + value)) { // MO-COUNT-1
        return true;
      }
    }
  }

  private static boolean fits(long value, long count) {
    return Long.compareUnsigned(FULL - count, value) > 0;
  }

  /**
   * Adds to the count and waits for room if need be.
   *
   * @param value what to add, unsigned
   * @throws IllegalArgumentException if the value is 2^64 − 1
   * @throws IllegalStateException if the counter is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was added
   */
  public void write(long value) throws InterruptedException {
    while (!tryWrite(value)) {
      EventPoll.awaitOne(new Room(value), Events.OUT, null);
    }
  }

  /**
   * Adds to the count and waits for room if need be, but not for ever.
   *
   * @param value what to add, unsigned
   * @param timeout the longest to wait; zero or negative does not wait
   * @return false if there was no room in time; nothing was added then
   * @throws IllegalArgumentException if the value is 2^64 − 1
   * @throws IllegalStateException if the counter is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was added
   */
  public boolean write(long value, Duration timeout) throws InterruptedException {
    Remaining remaining = new Remaining(timeout);
    while (!tryWrite(value)) {
      if (EventPoll.awaitOne(new Room(value), Events.OUT, remaining.get()) == 0) {
        return tryWrite(value);
      }
    }
    return true;
  }

  /**
   * Takes the count, or one as a semaphore; never blocks. Wakes with OUT.
   *
   * @return what was taken, unsigned; 0 if there was nothing
   * @throws IllegalStateException if the counter is closed
   */
  public long tryRead() {
    requireOpen();
    long taken = semaphore ? takeOne() : takeAll();
    if (taken != 0) {
      queue.wakeOrdered(Events.OUT); // after a read-modify-write of the state: MO-ADD-1, MO-MOD-1
    }
    return taken;
  }

  private long takeAll() {
    return count == 0 ? 0 : (long) COUNT.getAndSet(this, 0L); // MO-COUNT-1
  }

  private long takeOne() {
    for (; ; ) {
      long seen = count;
      if (seen == 0) {
        return 0;
      }
      if (COUNT.compareAndSet(this, seen, seen - 1)) { // MO-COUNT-1
        return 1;
      }
    }
  }

  /**
   * Takes the count, or one as a semaphore, and waits while there is nothing.
   *
   * @return what was taken, unsigned
   * @throws IllegalStateException if the counter is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was taken
   */
  public long read() throws InterruptedException {
    for (; ; ) {
      long taken = tryRead();
      if (taken != 0) {
        return taken;
      }
      EventPoll.awaitOne(this, Events.IN, null);
    }
  }

  /**
   * Takes the count, or one as a semaphore, and waits while there is nothing, but not for ever.
   *
   * @param timeout the longest to wait; zero or negative does not wait
   * @return what was taken, unsigned; 0 if there was nothing in time
   * @throws IllegalStateException if the counter is or gets closed
   * @throws InterruptedException if interrupted while waiting; nothing was taken
   */
  public long read(Duration timeout) throws InterruptedException {
    Remaining remaining = new Remaining(timeout);
    for (; ; ) {
      long taken = tryRead();
      if (taken != 0 || EventPoll.awaitOne(this, Events.IN, remaining.get()) == 0) {
        return taken != 0 ? taken : tryRead();
      }
    }
  }

  /**
   * Adds one even where a write would not fit: the count stays at 2^64 − 1 then, and the counter
   * reports ERR until it is read (Linux: eventfd_signal, for use inside the kernel).
   */
  public void signal() {
    requireOpen();
    long seen;
    do {
      seen = count;
    } while (seen != FULL && !COUNT.compareAndSet(this, seen, seen + 1)); // MO-COUNT-1
    queue.wake(Events.IN); // fenced: a full counter was not written
  }

  /**
   * The present count.
   *
   * @return the count, unsigned
   */
  public long count() {
    return count;
  }

  @Override
  public int readiness() {
    long seen = count;
    return (seen != 0 ? Events.IN : 0)
        | (fits(1, seen) ? Events.OUT : 0)
        | (seen == FULL ? Events.ERR : 0);
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  /** Closes the counter: it leaves every poll, and threads blocked in read or write fail. */
  @Override
  public void close() {
    queue.close();
  }

  private void requireOpen() {
    if (queue.isClosed()) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  @Override
  public String toString() {
    return (semaphore ? "EventFd[semaphore " : "EventFd[") + Long.toUnsignedString(count) + "]";
  }

  /** This counter as a writer sees it: ready when a certain value fits. */
  private final class Room implements Pollable {
    private final long value;

    Room(long value) {
      this.value = value;
    }

    @Override
    public int readiness() {
      return fits(value, count) ? Events.OUT : 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
