package io.github.eventpoll.stress;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
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

  static StressSource queue(String name) {
    return new Elements(name);
  }

  abstract Pollable pollable();

  /** Adds something like the value; returns how much, negative if nothing at all happened. */
  abstract long add(long value);

  abstract long take();

  abstract long count();

  abstract void close();

  void write(long value) {
    long start = System.nanoTime();
    long added = add(value);
    if (added >= 0) {
      written.add(added);
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

  /** Ready when a driver has said so, and not at the moment of a write. */
  boolean isChannel() {
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
    long add(long value) {
      try {
        return fd.tryWrite(value) ? value : -1;
      } catch (IllegalStateException e) {
        return -1; // closed; nothing was added
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

  private static final class Elements extends StressSource {
    private final QueueSource<String> queue = QueueSource.unbounded();

    Elements(String name) {
      super(name);
    }

    @Override
    Pollable pollable() {
      return queue;
    }

    @Override
    long add(long value) {
      try {
        return queue.offer(name) ? 1 : -1;
      } catch (IllegalStateException e) {
        return -1;
      }
    }

    @Override
    long take() {
      return queue.poll() == null ? 0 : 1;
    }

    @Override
    long count() {
      return queue.size();
    }

    @Override
    void close() {
      queue.close();
      while (read() > 0) {
        // for the account: dispose would drop them
      }
      queue.dispose();
    }
  }

  /** A user's source that throws now and then, whatever it is called for. */
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
    long add(long value) {
      count.getAndAdd(value);
      queue.wake(Events.IN);
      return value;
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

    private static void perhapsBreak() {
      int dice = ThreadLocalRandom.current().nextInt(300);
      if (dice < 5) {
        throw new Broken();
      }
      if (dice == 5) {
        throw new Broke();
      }
    }

    @Override
    public int traits() {
      return TRACKS_INTEREST;
    }

    @Override
    public void interestChanged(int wantedUnion) {
      perhapsBreak();
    }

    @Override
    public void delivered(int bits) {
      perhapsBreak();
    }

    @Override
    public int readiness() {
      perhapsBreak();
      return (count.get() != 0 ? Events.IN : 0) | Events.OUT;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
