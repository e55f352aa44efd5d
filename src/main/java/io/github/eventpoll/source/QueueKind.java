package io.github.eventpoll.source;

import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;

/**
 * How many threads use a {@link QueueSource} at the same time: the fewer, the cheaper.
 *
 * <p>Where there is a single producer or a single consumer the part may pass from thread to thread,
 * if what one did with the queue happens before what the next does, as with a lock, or with an
 * event of a one-shot item that is armed again. It is not checked: with two at once elements are
 * lost or given out twice, and the queue's state is wrong from then on.
 *
 * <p>Waiting for a queue, asking for its state and {@link QueueSource#close} are open to all
 * threads with every kind.
 *
 * @since 0.1
 */
public enum QueueKind {
  /** One producer, one consumer. */
  SPSC,

  /** Any number of producers, one consumer. */
  MPSC,

  /** Any number of both. */
  MPMC;

  // Elements per array of an unbounded queue.
  private static final int CHUNK = 64;

  /** A queue without bound. JCTools has none for many consumers: see {@link #locksConsumers}. */
  <E> MessagePassingQueue<E> unbounded() {
    return this == SPSC
        ? new SpscUnboundedAtomicArrayQueue<>(CHUNK)
        : new MpscUnboundedAtomicArrayQueue<>(CHUNK);
  }

  /** A queue with room for so many elements at least. */
  <E> MessagePassingQueue<E> bounded(int bound) {
    int capacity = Math.max(2, bound); // the least that JCTools takes
    return switch (this) {
      case SPSC -> new SpscAtomicArrayQueue<>(capacity);
      case MPSC -> new MpscAtomicArrayQueue<>(capacity);
      case MPMC -> new MpmcAtomicArrayQueue<>(capacity);
    };
  }

  /** Whether an unbounded queue of this kind needs a lock for its consumers. */
  boolean locksConsumers() {
    return this == MPMC;
  }
}
