package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A clock that moves when it is told to, and whose threads sleep until it has. */
class VirtualClock extends Clock implements Sleeper {
  /** Something to do at an instant; in order of instant, then of agreement. */
  private record Appointment(long instant, long number, Runnable action)
      implements Comparable<Appointment> {
    @Override
    public int compareTo(Appointment other) {
      return instant != other.instant
          ? Long.compare(instant, other.instant)
          : Long.compare(number, other.number);
    }
  }

  private final AtomicLong raw;

  // Lock-free, so that nobody parks in it and uses up a permit (KR-2).
  private final ConcurrentMap<Thread, Long> deadlines = new ConcurrentHashMap<>();

  /** One thread moves the time. Guards the agenda too. */
  private final ReentrantLock moving = new ReentrantLock();

  private final Queue<Appointment> agenda = new PriorityQueue<>();
  private long appointments;

  VirtualClock(long start) {
    super(start);
    raw = new AtomicLong(start);
  }

  @Override
  public final long raw() {
    return raw.get();
  }

  @Override
  public final Sleeper sleeper() {
    return this;
  }

  @Override
  public void park(Object blocker, long deadline) {
    if (deadline == NEVER) {
      LockSupport.park(blocker);
      return;
    }
    Thread self = Thread.currentThread();
    deadlines.put(self, deadline); // visible, then time is read: advance does the reverse
    try {
      if (now() < deadline) {
        LockSupport.park(blocker);
      }
    } finally {
      deadlines.remove(self);
    }
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  /** Has something done when time has moved so far. */
  final void agree(long nanos, Runnable action) {
    moving.lock();
    try {
      agenda.add(new Appointment(after(nanos), appointments++, action));
    } finally {
      moving.unlock();
    }
  }

  /** Moves on, doing what is to be done on the way. */
  final void advance(long nanos) {
    moving.lock();
    try {
      long start = now();
      long target = after(nanos);
      for (Runnable due = nextDue(target); due != null; due = nextDue(target)) {
        due.run();
      }
      raw.addAndGet(Math.max(0, nanos - (now() - start))); // what was done may have moved it too
      wakeDue();
    } finally {
      moving.unlock();
    }
  }

  /** Moves to the first appointment that is not after an instant; null if there is none. */
  final @Nullable Runnable nextDue(long target) {
    moving.lock();
    try {
      Appointment next = agenda.peek();
      if (next == null || next.instant > target || next.instant == NEVER) {
        return null;
      }
      agenda.remove();
      long ahead = next.instant - now();
      if (ahead > 0) {
        raw.addAndGet(ahead);
      }
      wakeDue();
      return next.action;
    } finally {
      moving.unlock();
    }
  }

  /** Ends the sleeps that are over and returns when they have ended. */
  @SuppressWarnings("ThreadPriorityCheck") // those waited for can run: nothing else to wait on
  private void wakeDue() {
    long now = now();
    deadlines.forEach(
        (thread, deadline) -> {
          if (deadline <= now) {
            LockSupport.unpark(thread);
          }
        });
    while (deadlines.values().stream().anyMatch(deadline -> deadline <= now)) {
      Thread.yield();
    }
  }

  /** Moved by whoever would sleep. */
  static final class SelfMoving extends VirtualClock {
    SelfMoving(long start) {
      super(start);
    }

    @Override
    public void park(Object blocker, long deadline) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      Runnable due = nextDue(deadline);
      if (due != null) {
        due.run();
        return; // this may have been what the thread waits for
      }
      if (deadline == NEVER) {
        String what = blocker instanceof EventPoll poll ? poll.dump() : blocker.toString();
        throw new AssertionError(
            Thread.currentThread().getName() + " would sleep for ever on " + what);
      }
      advance(Math.max(0, deadline - now()));
    }

    @Override
    public void unpark(Thread thread) {
      // Nobody sleeps.
    }
  }
}
