package io.github.eventpoll.bench;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.QueueSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/** Ours and those of others. */
final class Handovers {
  private static final int CHUNK = 1024;

  private Handovers() {}

  /** A queue in a poll, level-triggered, used as an event loop does: wait, then drain. */
  static final class InPoll implements Handover {
    private final QueueSource<Object> queue = QueueSource.unbounded();
    private final ReadyEvents ready = new ReadyEvents(16);
    private final EventPoll poll;

    InPoll(Strategy strategy) {
      poll = strategy.poll();
      poll.add(queue, Events.IN);
    }

    @Override
    public void send(Object message) {
      queue.offer(message);
    }

    @Override
    public int take(Consumer<Object> to) {
      poll.awaitUninterruptibly(ready);
      return queue.drain(to, CHUNK);
    }

    @Override
    public void close() {
      poll.close();
    }
  }

  /** A queue that blocks by itself. */
  static final class Blocking implements Handover {
    private final BlockingQueue<Object> queue;

    Blocking(BlockingQueue<Object> queue) {
      this.queue = queue;
    }

    @Override
    public void send(Object message) {
      queue.add(message);
    }

    @Override
    public int take(Consumer<Object> to) {
      Object message;
      try {
        message = queue.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      int taken = 0;
      while (message != null) {
        to.accept(message);
        taken++;
        message = taken < CHUNK ? queue.poll() : null;
      }
      return taken;
    }
  }

  /**
   * A lock-free queue of JCTools and something that wakes its consumer, which tells by a flag that
   * it is about to sleep, so that it is woken once for each sleep: what event loops do by hand.
   */
  abstract static class Flagged implements Handover {
    private final MpscUnboundedAtomicArrayQueue<Object> queue =
        new MpscUnboundedAtomicArrayQueue<>(CHUNK);
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Sleeps until woken, also if that was before; may return for no reason. */
    abstract void sleep();

    abstract void wake();

    @Override
    public void send(Object message) {
      queue.offer(message);
      if (asleep.get() && asleep.compareAndSet(true, false)) {
        wake();
      }
    }

    @Override
    public int take(Consumer<Object> to) {
      for (; ; ) {
        int taken = queue.drain(to::accept, CHUNK);
        if (taken > 0) {
          return taken;
        }
        asleep.set(true);
        if (queue.isEmpty()) {
          sleep();
        }
        asleep.set(false);
      }
    }
  }

  /** With park and unpark. */
  static final class Parked extends Flagged {
    private volatile Thread consumer;

    @Override
    void sleep() {
      consumer = Thread.currentThread();
      LockSupport.park(this);
    }

    @Override
    void wake() {
      LockSupport.unpark(consumer);
    }
  }

  /** With a selector. */
  static final class Selected extends Flagged {
    private final Selector selector;

    Selected() {
      try {
        selector = Selector.open();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    void sleep() {
      try {
        selector.select();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    void wake() {
      selector.wakeup();
    }

    @Override
    public void close() {
      try {
        selector.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** With the kernel's epoll and eventfd. */
  static final class InKernel extends Flagged {
    private final Engine kernel = new KernelEngine();
    private final Engine.Counter counter = kernel.counter();
    private final Engine.Waiter waiter;

    InKernel() {
      Engine.Poll poll = kernel.poll();
      poll.add(counter, Events.IN);
      waiter = poll.waiter(16);
    }

    @Override
    void sleep() {
      waiter.await(true);
      counter.read();
    }

    @Override
    void wake() {
      counter.write();
    }

    @Override
    public void close() {
      kernel.close();
    }
  }

  /** A ring of LMAX Disruptor with its blocking strategy; a full ring makes producers wait. */
  static final class Ring implements Handover {
    private static final int SIZE = 1 << 16;

    private final RingBuffer<Object[]> ring;
    private final Sequence consumed = new Sequence();
    private final SequenceBarrier barrier;

    Ring(int producers) {
      BlockingWaitStrategy strategy = new BlockingWaitStrategy();
      ring =
          producers == 1
              ? RingBuffer.createSingleProducer(() -> new Object[1], SIZE, strategy)
              : RingBuffer.createMultiProducer(() -> new Object[1], SIZE, strategy);
      barrier = ring.newBarrier();
      ring.addGatingSequences(consumed);
    }

    @Override
    public void send(Object message) {
      long at = ring.next();
      ring.get(at)[0] = message;
      ring.publish(at);
    }

    @Override
    public int take(Consumer<Object> to) {
      long next = consumed.get() + 1;
      long last;
      try {
        last = barrier.waitFor(next);
      } catch (AlertException | TimeoutException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      for (long at = next; at <= last; at++) {
        to.accept(ring.get(at)[0]);
      }
      consumed.set(last);
      return (int) (last - next + 1);
    }
  }
}
