package io.github.eventpoll.source;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockingQueue} that can be waited on together with other sources: an existing one, with
 * everything that is done to it announced. Code that wants a {@code BlockingQueue} gets this object
 * in its place and needs no change; code that waits on a poll finds the elements there. For new
 * code, {@link QueueSource} is cheaper, and has an end.
 *
 * <p>Ready for {@link Events#IN} while the queue is not empty, and for {@link Events#OUT} while
 * {@link #remainingCapacity} is not 0. Every call that may have put something in is an IN edge,
 * also if it reports failure after a part of its work; every call that took something out, or may
 * have, is an OUT edge. All calls do what they do in the queue inside: they block, time out, are
 * interrupted and throw as there. Threads that block in it and threads that wait on a poll compete
 * for the elements; who was woken on a poll takes with {@link #poll()} and may find nothing.
 *
 * <p>It sees only what is done through it:
 *
 * <ul>
 *   <li>What is put into, or taken from, the queue inside directly wakes nobody. It is found by
 *       whoever looks next, and that may be never; {@link #changed} makes everybody look.
 *   <li>What becomes available by time alone wakes nobody: a {@link DelayQueue} is refused, set a
 *       {@link Timer} instead. So is a {@link SynchronousQueue}, which is never ready for anything.
 *   <li>Readiness is what the queue inside says it is. Some, as {@code ArrayBlockingQueue}, take
 *       their lock to say so; code that they run under it, such as a comparator, {@code equals}, or
 *       a predicate of {@link #removeIf}, must not use a poll.
 * </ul>
 *
 * <p>Any thread may call everything.
 *
 * <p>Memory consistency effects: what a thread did before it put an element in is visible to the
 * thread that takes it, or gets the event from an {@code await}.
 *
 * @param <E> the elements
 * @since 0.1
 */
public final class BlockingQueueSource<E> implements BlockingQueue<E>, Pollable, AutoCloseable {
  /*
   * Each call changes the queue inside, then rings with a fence (MO-WAKE-1): nothing is known about
   * how the queue inside writes what readiness() reads.
   */
  private final WaitQueue waitQueue = new WaitQueue();
  private final BlockingQueue<E> inside;

  private BlockingQueueSource(BlockingQueue<E> inside) {
    this.inside = inside;
  }

  /**
   * Makes a queue that can be waited on of one that cannot.
   *
   * @param inside where the elements are; may have some already
   * @param <E> the elements
   * @return a new source
   * @throws IllegalArgumentException if it is a {@link DelayQueue} or a {@link SynchronousQueue}
   */
  public static <E> BlockingQueueSource<E> of(BlockingQueue<E> inside) {
    Objects.requireNonNull(inside, "inside");
    Object same = inside; // as its static type, a DelayQueue of E would need another E
    if (same instanceof DelayQueue || same instanceof SynchronousQueue) {
      throw new IllegalArgumentException(
          "a " + same.getClass().getSimpleName() + " does not say when it has something to take");
    }
    return new BlockingQueueSource<>(inside);
  }

  // ------------------------------------------------------------------------------- putting in

  @Override
  public void put(E element) throws InterruptedException {
    inside.put(Objects.requireNonNull(element, "element"));
    waitQueue.wake(Events.IN);
  }

  @Override
  public boolean add(E element) {
    return announceIn(inside.add(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean offer(E element) {
    return announceIn(inside.offer(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return announceIn(inside.offer(Objects.requireNonNull(element, "element"), timeout, unit));
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    requireOther(elements);
    try {
      return inside.addAll(elements);
    } finally {
      waitQueue.wake(Events.IN); // some may be in though it throws
    }
  }

  private boolean announceIn(boolean done) {
    if (done) {
      waitQueue.wake(Events.IN);
    }
    return done;
  }

  // ------------------------------------------------------------------------------- taking out

  @Override
  public E take() throws InterruptedException {
    E element = inside.take();
    waitQueue.wake(Events.OUT);
    return element;
  }

  @Override
  public @Nullable E poll() {
    E element = inside.poll();
    announceOut(element != null);
    return element;
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    E element = inside.poll(timeout, unit);
    announceOut(element != null);
    return element;
  }

  @Override
  public E remove() {
    E element = inside.remove();
    waitQueue.wake(Events.OUT);
    return element;
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return announceOut(inside.remove(element));
  }

  @Override
  public int drainTo(Collection<? super E> to) {
    return drainTo(to, Integer.MAX_VALUE);
  }

  @Override
  public int drainTo(Collection<? super E> to, int limit) {
    requireOther(to);
    try {
      return inside.drainTo(to, limit);
    } finally {
      waitQueue.wake(Events.OUT); // some may be out though it throws; so below
    }
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    try {
      return inside.removeAll(elements);
    } finally {
      waitQueue.wake(Events.OUT);
    }
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    try {
      return inside.retainAll(elements);
    } finally {
      waitQueue.wake(Events.OUT);
    }
  }

  @Override
  public boolean removeIf(Predicate<? super E> unwanted) {
    try {
      return inside.removeIf(unwanted);
    } finally {
      waitQueue.wake(Events.OUT);
    }
  }

  @Override
  public void clear() {
    try {
      inside.clear();
    } finally {
      waitQueue.wake(Events.OUT);
    }
  }

  private boolean announceOut(boolean done) {
    if (done) {
      waitQueue.wake(Events.OUT);
    }
    return done;
  }

  /** As a queue of its own it could not be put into, or taken out to, itself. */
  private void requireOther(Collection<?> collection) {
    if (collection == this || collection == inside) {
      throw new IllegalArgumentException("elements cannot go from " + this + " to itself");
    }
  }

  // ---------------------------------------------------------------------------------- looking

  @Override
  public @Nullable E peek() {
    return inside.peek();
  }

  @Override
  public E element() {
    return inside.element();
  }

  @Override
  public int size() {
    return inside.size();
  }

  @Override
  public boolean isEmpty() {
    return inside.isEmpty();
  }

  @Override
  public int remainingCapacity() {
    return inside.remainingCapacity();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return inside.contains(element);
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return inside.containsAll(elements);
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    inside.forEach(action);
  }

  @Override
  public Object[] toArray() {
    return inside.toArray();
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return inside.toArray(array);
  }

  @Override
  public <T> T[] toArray(IntFunction<T[]> generator) {
    return inside.toArray(generator);
  }

  @Override
  public Spliterator<E> spliterator() {
    return inside.spliterator();
  }

  /** The iterator of the queue inside; what it removes is announced. */
  @Override
  public Iterator<E> iterator() {
    Iterator<E> elements = inside.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return elements.hasNext();
      }

      @Override
      public E next() {
        return elements.next();
      }

      @Override
      public void remove() {
        elements.remove();
        waitQueue.wake(Events.OUT);
      }
    };
  }

  // ------------------------------------------------------------------------------ as a source

  /**
   * Announces that something was done to the queue inside behind this object's back: whoever waits
   * for anything looks again. An edge of every kind.
   */
  public void changed() {
    waitQueue.wake(0);
  }

  @Override
  public int readiness() {
    return (inside.isEmpty() ? 0 : Events.IN) | (inside.remainingCapacity() > 0 ? Events.OUT : 0);
  }

  @Override
  public WaitQueue waitQueue() {
    return waitQueue;
  }

  /**
   * Ends the watching, not the queue: it leaves every poll, and threads in {@link
   * EventPoll#awaitOne} are woken with HUP. The elements stay, and threads that block in put or
   * take go on as before; a {@code BlockingQueue} has no end that it could tell them.
   */
  @Override
  public void close() {
    waitQueue.close();
  }

  @Override
  public String toString() {
    return "BlockingQueueSource[" + inside.getClass().getSimpleName() + " of " + size() + "]";
  }
}
