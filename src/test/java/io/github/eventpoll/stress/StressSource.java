package io.github.eventpoll.stress;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.EventFd;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** A counter in a stress round, and the account of what was written to it and read from it. */
abstract class StressSource {
  /** What the scripted source throws now and then. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken() {
      super("scripted", null, false, false);
    }
  }

  /** What the scripted source throws more seldom. */
  static final class Broke extends Error {
    private static final long serialVersionUID = 1L;

    Broke() {
      super("scripted", null, false, false);
    }
  }

  final String name;
  private final LongAdder written = new LongAdder();
  private final LongAdder taken = new LongAdder();
  private final AtomicLong lastWrite = new AtomicLong(Long.MIN_VALUE);

  /** When an exclusive item on this source was last seen delivered. */
  final AtomicLong exclusiveSeen = new AtomicLong(Long.MIN_VALUE);

  StressSource(String name) {
    this.name = name;
  }

  static StressSource counter(String name) {
    return new Counter(name, EventFd.create());
  }

  static StressSource semaphore(String name) {
    return new Counter(name, EventFd.semaphore(0));
  }

  static StressSource flaky(String name) {
    return new Flaky(name);
  }

  abstract Pollable pollable();

  abstract boolean add(long value);

  abstract long take();

  abstract long count();

  abstract void close();

  void write(long value) {
    long start = System.nanoTime();
    if (add(value)) {
      written.add(value);
      lastWrite.accumulateAndGet(start, Math::max);
    }
  }

  long read() {
    long got = take();
    taken.add(got);
    return got;
  }

  /** When the last write began. */
  long lastWrite() {
    return lastWrite.get();
  }

  boolean isReady() {
    return count() != 0;
  }

  boolean isFlaky() {
    return false;
  }

  /** Exact only while nobody writes or reads. */
  String wrongSum() {
    long left = written.sum() - taken.sum();
    return left == count() ? "" : this + ": " + left + " should be left, not " + count();
  }

  @Override
  public String toString() {
    return name;
  }

  private static final class Counter extends StressSource {
    private final EventFd fd;

    Counter(String name, EventFd fd) {
      super(name);
      this.fd = fd;
    }

    @Override
    Pollable pollable() {
      return fd;
    }

    @Override
    boolean add(long value) {
      try {
        return fd.tryWrite(value);
      } catch (IllegalStateException e) {
        return false; // closed; nothing was added
      }
    }

    @Override
    long take() {
      try {
        return fd.tryRead();
      } catch (IllegalStateException e) {
        return 0;
      }
    }

    @Override
    long count() {
      return fd.count();
    }

    @Override
    void close() {
      fd.close();
    }
  }

  /** A user's source whose readiness throws now and then. */
  private static final class Flaky extends StressSource implements Pollable {
    private final AtomicLong count = new AtomicLong();
    private final WaitQueue queue = new WaitQueue();

    Flaky(String name) {
      super(name);
    }

    @Override
    Pollable pollable() {
      return this;
    }

    @Override
    boolean isFlaky() {
      return true;
    }

    @Override
    boolean add(long value) {
      count.getAndAdd(value);
      queue.wake(Events.IN);
      return true;
    }

    @Override
    long take() {
      long got = count.getAndSet(0);
      if (got != 0) {
        queue.wake(Events.OUT);
      }
      return got;
    }

    @Override
    long count() {
      return count.get();
    }

    @Override
    void close() {
      queue.close();
    }

    @Override
    public int readiness() {
      int dice = ThreadLocalRandom.current().nextInt(300);
      if (dice < 5) {
        throw new Broken();
      }
      if (dice == 5) {
        throw new Broke();
      }
      return (count.get() != 0 ? Events.IN : 0) | Events.OUT;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
