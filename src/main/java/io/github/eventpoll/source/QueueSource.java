package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jctools.queues.MessagePassingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of elements that can be waited on: first in, first out, bounded or unbounded.
 *
 * <p>Ready for {@link Events#IN} while it is not empty, for {@link Events#OUT} while it is open and
 * has room, and for {@link Events#HUP} once it is closed and empty. Every {@link #offer} is an IN
 * edge, and every element taken from a bounded queue an OUT edge.
 *
 * <p>Its end comes in two steps, as with a pipe. The producers' side calls {@link #close} when
 * there is nothing more to come: no element is accepted from then on, what is inside can still be
 * taken, and when the last one was, everybody who watches the queue hears HUP. It is the last
 * event: no element follows it. The queue stays registered with its polls, and reports HUP to
 * level-triggered items, until these remove it. The consumers' side calls {@link #dispose} to be
 * rid of the queue and of what is in it at once: it then leaves every poll.
 *
 * <p>How many threads may offer, and how many take, says the {@link QueueKind}; unless one is asked
 * for, any number. {@link #poll}, {@link #drain} and {@link #dispose} take, everything else may be
 * called by any thread.
 *
 * <p>Nothing blocks. {@link #poll} waits for a producer that has entered {@code offer} before and
 * was held up inside, so that it returns null only if the queue is empty. Several consumers wait
 * for each other, for a few instructions. A producer waits for nobody, but in a bounded queue of
 * many consumers, when it comes to a place that a consumer is about to leave.
 *
 * <p>Memory consistency effects: what a thread did before it offered an element is visible to the
 * thread that takes it.
 *
 * @param <E> the elements
 * @since 0.1
 */
public final class QueueSource<E> implements Pollable, AutoCloseable {
  /*
   * The state is one word: the sign bit says closed, the rest counts the elements, from the moment a
   * producer has reserved a place to the moment after a consumer has taken the element. Bound, close,
   * emptiness and readiness are all decided by it, so that they cannot contradict each other
   * (MO-QUEUE-2), and the underlying queue never refuses.
   *
   *   offer   reserve (CAS)  ->  put into the underlying queue  ->  wake IN
   *   poll    take from the underlying queue  ->  count down  ->  wake OUT, or HUP after the last
   *
   * With a single producer or consumer the word is still changed by both sides.
   */
  private static final long CLOSED = Long.MIN_VALUE;

  // A consumer meets a reserved, not yet filled place for some ten instructions of the producer, or
  // for a time slice, if the producer has lost its processor. So does a producer with a consumer.
  private static final int SPINS = 100;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(QueueSource.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WaitQueue queue = new WaitQueue();
  private final long bound;

  /** Of one consumer at a time if there is {@link #consuming}, which guards that half then. */
  private final MessagePassingQueue<E> elements;

  /** Never taken by {@link #readiness} (KR-22), nor held while foreign code runs. */
  private final @Nullable SpinLock consuming;

  /** See above. Every change is one atomic read-modify-write: MO-QUEUE-1, MO-QUEUE-2. */
  private volatile long state;

  /** For tests: with any queue of many producers and one consumer that has room for the bound. */
  QueueSource(MessagePassingQueue<E> elements, long bound) {
    this(elements, bound, true);
  }

  QueueSource(MessagePassingQueue<E> elements, long bound, boolean lockConsumers) {
    this.elements = elements;
    this.bound = bound;
    this.consuming = lockConsumers ? new SpinLock() : null;
  }

  /**
   * Makes a queue that always has room, for any number of threads.
   *
   * @param <E> the elements
   * @return a new queue
   */
  public static <E> QueueSource<E> unbounded() {
    return unbounded(QueueKind.MPMC);
  }

  /**
   * Makes a queue that always has room.
   *
   * @param kind how many threads offer and take
   * @param <E> the elements
   * @return a new queue
   */
  public static <E> QueueSource<E> unbounded(QueueKind kind) {
    return new QueueSource<>(kind.unbounded(), Long.MAX_VALUE, kind.locksConsumers());
  }

  /**
   * Makes a queue that holds at most a number of elements, exactly, for any number of threads. The
   * memory for them is taken now.
   *
   * @param bound the most elements, at least 1 and at most 2^30
   * @param <E> the elements
   * @return a new queue
   * @throws IllegalArgumentException if the bound is out of range
   */
  public static <E> QueueSource<E> bounded(int bound) {
    return bounded(bound, QueueKind.MPMC);
  }

  /**
   * Makes a queue that holds at most a number of elements, exactly. The memory for them is taken
   * now.
   *
   * @param bound the most elements, at least 1 and at most 2^30
   * @param kind how many threads offer and take
   * @param <E> the elements
   * @return a new queue
   * @throws IllegalArgumentException if the bound is out of range
   */
  public static <E> QueueSource<E> bounded(int bound, QueueKind kind) {
    if (bound < 1 || bound > 1 << 30) {
      throw new IllegalArgumentException("a bound of " + bound + " is not in 1 .. 2^30");
    }
    return new QueueSource<>(kind.bounded(bound), bound, false);
  }

  // -------------------------------------------------------------------------------- producers

  /**
   * Appends an element if there is room; never blocks. Wakes with IN.
   *
   * @param element the element
   * @return false if there is no room; nothing has changed then
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if the queue is closed
   */
  public boolean offer(E element) {
    Objects.requireNonNull(element, "element");
    if (!reserve()) {
      return false;
    }
    boolean put = false;
    try {
      put(element);
      put = true;
    } finally {
      if (!put) {
        announceTaken((long) STATE.getAndAdd(this, -1L)); // out of memory: the place is given back
      }
    }
    queue.wakeOrdered(Events.IN); // MO-QUEUE-1: after a read-modify-write of the state
    return true;
  }

  /** Into the reserved place, which is free, or about to be left by a consumer held up inside. */
  private void put(E element) {
    for (int spins = 0; !elements.relaxedOffer(element); spins++) {
      pause(spins);
    }
  }

  /** Takes a place for one more element, if the queue is open and has one. */
  private boolean reserve() {
    for (; ; ) {
      long seen = state;
      if (seen < 0) {
        throw new IllegalStateException(this + " is closed");
      }
      if (seen >= bound) {
        return false;
      }
      if (STATE.compareAndSet(this, seen, seen + 1)) { // MO-QUEUE-1, MO-QUEUE-2: not after CLOSED
        return true;
      }
    }
  }

  /**
   * Accepts no more elements. What is inside can still be taken; then the queue reports HUP, at
   * once if there is nothing. A thread that waits for OUT hears HUP, too. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    long before = (long) STATE.getAndBitwiseOr(this, CLOSED); // MO-QUEUE-2: single winner
    if (before == 0) {
      queue.wakeAll(Events.HUP); // MO-QUEUE-1: after a read-modify-write of the state
    }
  }

  // -------------------------------------------------------------------------------- consumers

  /**
   * Takes the oldest element. Wakes with OUT if the queue is bounded, and with HUP if it is closed
   * and this was the last.
   *
   * @return the element, null if the queue is empty
   */
  public @Nullable E poll() {
    SpinLock lock = consuming;
    if (lock != null) {
      if (isEmpty()) {
        return null;
      }
      lock.lock();
    }
    E element;
    long before = 0;
    try {
      element = take();
      if (element != null) {
        // Under the lock, or the next consumer would wait for an element that is gone.
        before = (long) STATE.getAndAdd(this, -1L); // MO-QUEUE-1, MO-QUEUE-2
      }
    } finally {
      if (lock != null) {
        lock.unlock();
      }
    }
    announceTaken(before);
    return element;
  }

  /** Takes the oldest element, waits for one that is announced by the state and not there yet. */
  private @Nullable E take() {
    for (int spins = 0; ; spins++) {
      E element = elements.relaxedPoll();
      if (element != null || isEmpty()) {
        return element;
      }
      pause(spins);
    }
  }

  /** Between two looks at a place where some other thread is in the middle of its work. */
  @SuppressWarnings("ThreadPriorityCheck") // correct without the yield, which only saves time
  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield(); // it has lost its processor, perhaps to this thread
    }
  }

  /** After a read-modify-write of the state; nothing was taken if it was 0 before. */
  private void announceTaken(long before) {
    if (before == (CLOSED | 1)) {
      queue.wakeAll(Events.HUP);
    } else if (before > 0 && bound != Long.MAX_VALUE) {
      queue.wakeOrdered(Events.OUT);
    }
  }

  /**
   * Takes elements one by one, the oldest first, and hands each to a consumer. If the consumer
   * throws, the element it was given is gone and the others stay.
   *
   * @param consumer gets the elements; may use this queue
   * @param limit the most to take
   * @return how many were taken, less than the limit only if the queue was empty
   * @throws IllegalArgumentException if the limit is negative
   */
  public int drain(Consumer<? super E> consumer, int limit) {
    Objects.requireNonNull(consumer, "consumer");
    if (limit < 0) {
      throw new IllegalArgumentException("the limit is negative: " + limit);
    }
    int taken = 0;
    while (taken < limit) {
      E element = poll();
      if (element == null) {
        break;
      }
      taken++;
      consumer.accept(element);
    }
    return taken;
  }

  /**
   * Closes the queue, drops what is inside, and takes it out of every poll. Threads that wait on it
   * alone are woken with HUP. Doing it twice does nothing.
   */
  public void dispose() {
    close();
    queue.close();
    while (poll() != null) {
      // dropped
    }
  }

  // ------------------------------------------------------------------------------------ looking

  /**
   * How many elements are inside, those of unfinished offers included.
   *
   * @return the number, at most {@link Integer#MAX_VALUE}
   */
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count(state));
  }

  /**
   * Tells whether there is no element inside.
   *
   * @return true if empty
   */
  public boolean isEmpty() {
    return count(state) == 0;
  }

  /**
   * Tells whether the queue accepts no more elements. There may still be some inside.
   *
   * @return true once {@link #close} or {@link #dispose} was called
   */
  public boolean isClosed() {
    return state < 0;
  }

  private static long count(long state) {
    return state & ~CLOSED;
  }

  @Override
  public int readiness() {
    long seen = state; // MO-QUEUE-1: volatile read after the registration
    if (seen < 0) {
      return seen == CLOSED ? Events.HUP : Events.IN;
    }
    return (seen > 0 ? Events.IN : 0) | (seen < bound ? Events.OUT : 0);
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  @Override
  public String toString() {
    long seen = state;
    return "QueueSource["
        + count(seen)
        + (bound == Long.MAX_VALUE ? "" : " of " + bound)
        + (seen < 0 ? ", closed" : "")
        + "]";
  }
}
