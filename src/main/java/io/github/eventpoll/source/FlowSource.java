package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a {@link Flow.Publisher} as a queue that can be waited on: a subscriber with a
 * bounded buffer, which asks for more as the buffer is emptied.
 *
 * <p>Ready for {@link Events#IN} while there are elements, and once the publisher has ended and all
 * of them are taken for {@link Events#HUP}, with {@link Events#ERR} if it has failed. HUP is the
 * last event. Every element is an IN edge.
 *
 * <p>At first as many elements are asked for as the buffer holds, later as many as were taken, each
 * time half of the buffer is free again. So there are never more on their way than fit. A publisher
 * that sends more than it was asked for, or null, is cancelled, and the source ends as failed.
 *
 * <p>Any number of threads may take elements and close the source. The rules of Reactive Streams
 * are kept towards the publisher: the calls to its subscription come one after the other, whoever
 * makes them; the second subscription is cancelled; after {@link #close} signals are ignored. The
 * subscription is called by whoever takes elements or closes the source, never under a lock.
 *
 * <p>Memory consistency effects: what a thread did before it published an element is visible to the
 * thread that takes it.
 *
 * @param <T> the elements
 * @since 0.1
 */
public final class FlowSource<T> implements Flow.Subscriber<T>, Pollable, AutoCloseable {
  /*
   * What the subscription has still to be told is one word, `owed`:
   *
   *   0         nothing
   *   n > 0     to request n; who made it so, from 0, is telling the subscription
   *   n < 0     to cancel, once, whatever the other bits say; it stays so for ever
   *
   * It begins at 1 for a teller that is to come: onSubscribe. Whoever finds the word not 0 adds to it
   * and goes, so that calls to the subscription never overlap (Reactive Streams 2.7), not even if the
   * publisher calls back from inside of them, and nobody waits.
   */
  private static final long CANCEL = Long.MIN_VALUE;

  private static final VarHandle OWED;
  private static final VarHandle SUBSCRIPTION;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWED = lookup.findVarHandle(FlowSource.class, "owed", long.class);
      SUBSCRIPTION =
          lookup.findVarHandle(FlowSource.class, "subscription", Flow.Subscription.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Never full: its bound is kept here, so that what is taken is no OUT edge. */
  private final QueueSource<T> elements = QueueSource.unbounded();

  private final int bound;
  private final int batch;

  /** By CAS from null. */
  private volatile Flow.@Nullable Subscription subscription;

  /** See above. Every change is one atomic read-modify-write: MO-FLOW-1. */
  private volatile long owed = 1;

  /** How many elements were taken: every so many are asked for again. */
  private final AtomicLong taken = new AtomicLong();

  /** Written before the queue is closed, read after it was found closed. */
  private volatile @Nullable Throwable failure;

  private FlowSource(int bound) {
    this.bound = bound;
    this.batch = Math.max(1, bound / 2);
  }

  /**
   * Makes a subscriber that has not subscribed to anything yet.
   *
   * @param bound the most elements in the buffer, at least 1
   * @param <T> the elements
   * @return a new source
   * @throws IllegalArgumentException if the bound is less than 1
   */
  public static <T> FlowSource<T> create(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("a bound of " + bound + " is less than 1");
    }
    return new FlowSource<>(bound);
  }

  /**
   * Subscribes to a publisher.
   *
   * @param publisher what to subscribe to
   * @param bound the most elements in the buffer, at least 1
   * @param <T> the elements
   * @return a new source
   * @throws IllegalArgumentException if the bound is less than 1
   */
  public static <T> FlowSource<T> of(Flow.Publisher<? extends T> publisher, int bound) {
    Objects.requireNonNull(publisher, "publisher");
    FlowSource<T> source = create(bound);
    publisher.subscribe(source);
    return source;
  }

  // --------------------------------------------------------------------- signals of the publisher

  /**
   * Takes the subscription and asks for as many elements as the buffer holds. A further one is
   * cancelled.
   */
  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    Objects.requireNonNull(subscription, "subscription");
    if (!SUBSCRIPTION.compareAndSet(this, null, subscription)) {
      subscription.cancel(); // Reactive Streams 2.5
      return;
    }
    OWED.getAndAdd(this, bound - 1L); // in place of the 1 that was there for this thread
    settle();
  }

  /** Puts an element into the buffer. */
  @Override
  public void onNext(T element) {
    if (element == null) {
      NullPointerException thrown = new NullPointerException("element");
      breakOff(thrown);
      throw thrown; // Reactive Streams 2.13
    }
    if (elements.isClosed()) {
      return; // on its way when this side had ended
    }
    if (elements.size() >= bound) {
      breakOff(new IllegalStateException("the publisher sent more than was asked for"));
      return;
    }
    try {
      elements.offer(element);
    } catch (IllegalStateException e) {
      if (!elements.isClosed()) {
        throw e;
      } // closed meanwhile
    }
  }

  /** Ends the source as failed, after the elements that are inside. */
  @Override
  public void onError(Throwable failure) {
    Objects.requireNonNull(failure, "failure");
    end(failure);
  }

  /** Ends the source, after the elements that are inside. */
  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable reason) {
    if (!elements.isClosed()) {
      failure = reason;
      elements.close(); // rings, now or after the last element
    }
  }

  private void breakOff(Throwable reason) {
    end(reason);
    cancel();
  }

  // --------------------------------------------------------------------- calls to the subscription

  private void request(long count) {
    if ((long) OWED.getAndAdd(this, count) == 0) { // MO-FLOW-1: who made it so tells
      settle();
    }
  }

  private void cancel() {
    if ((long) OWED.getAndBitwiseOr(this, CANCEL) == 0) { // MO-FLOW-1
      settle();
    }
  }

  /** Tells the subscription what it is owed, until nothing is. */
  private void settle() {
    Flow.Subscription told = Objects.requireNonNull(subscription);
    for (; ; ) {
      long seen = owed;
      try {
        if (seen < 0) {
          told.cancel();
          return; // the word stays as it is: nothing is told any more
        }
        told.request(seen);
      } catch (Throwable thrown) { // against Reactive Streams 3.16; it is told nothing any more
        end(thrown);
        return;
      }
      if ((long) OWED.getAndAdd(this, -seen) == seen) { // MO-FLOW-1: nobody has added to it
        return;
      }
    }
  }

  // ---------------------------------------------------------------------------------- consumers

  /**
   * Takes the oldest element, and asks for more if half of the buffer is free again; never blocks.
   *
   * @return the element, null if there is none
   */
  public @Nullable T poll() {
    T element = elements.poll();
    if (element != null && taken.incrementAndGet() % batch == 0) {
      request(batch);
    }
    return element;
  }

  /**
   * Takes elements one by one, the oldest first, and hands each to a consumer. If the consumer
   * throws, the element it was given is gone and the others stay.
   *
   * @param consumer gets the elements; may use this source
   * @param limit the most to take
   * @return how many were taken, less than the limit only if there were no more
   * @throws IllegalArgumentException if the limit is negative
   */
  public int drain(Consumer<? super T> consumer, int limit) {
    Objects.requireNonNull(consumer, "consumer");
    if (limit < 0) {
      throw new IllegalArgumentException("the limit is negative: " + limit);
    }
    int count = 0;
    while (count < limit) {
      T element = poll();
      if (element == null) {
        break;
      }
      count++;
      consumer.accept(element);
    }
    return count;
  }

  /**
   * How many elements are inside.
   *
   * @return the number
   */
  public int size() {
    return elements.size();
  }

  /**
   * Why the publisher has failed, or was cancelled by this source for what it did.
   *
   * @return the reason; null if there is none, as long as the publisher goes on and if it has
   *     completed
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Cancels the subscription, drops what is inside, and takes the source out of every poll. Threads
   * that wait on it alone are woken with HUP. Closing twice does nothing.
   */
  @Override
  public void close() {
    elements.dispose();
    cancel();
  }

  @Override
  public int readiness() {
    int ready = elements.readiness() & (Events.IN | Events.HUP);
    return (ready & Events.HUP) != 0 && failure != null ? ready | Events.ERR : ready;
  }

  @Override
  public WaitQueue waitQueue() {
    return elements.waitQueue();
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  @Override
  public String toString() {
    return "FlowSource[" + size() + " of " + bound + ", " + Events.toString(readiness()) + "]";
  }
}
