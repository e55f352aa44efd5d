package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Forces an order on threads: holds the next thread that comes to a step of the engine, until the
 * test lets it go. The thread that made this object is never held, so that a test forces a race by
 * holding one thread and doing the other side itself.
 *
 * <p>A held thread waits in a latch, which uses up the thread's permit: whatever the engine does
 * must survive that at every step (KR-2). Its interrupt status is kept.
 *
 * <p>Used in try-with-resources, inside the {@link Waiters}: {@link #close} lets everybody go and
 * fails if a hold was never reached.
 */
final class Steps implements Probe, AutoCloseable {
  private static final int FAIL_SAFE_SECONDS = 20;

  private final Thread owner = Thread.currentThread();
  private final List<Hold> armed = new CopyOnWriteArrayList<>();
  private final List<Hold> all = new ArrayList<>();

  /** A poll whose threads can be held. */
  EventPoll poll() {
    return poll(Clock.system());
  }

  /** A poll whose threads can be held and that lives by a virtual time. */
  EventPoll poll(VirtualTime time) {
    return poll(time.poll().clock);
  }

  /** A poll whose threads can be held and that lives by a clock. */
  EventPoll poll(Clock clock) {
    EventPollBuilder settings = Polls.builder();
    settings.seams(clock, this);
    return settings.build();
  }

  /** The threads at the drivers of a poll can be held from now on. */
  void watchDriversOf(EventPoll poll) {
    for (Seat seat : poll.drivers.seats()) {
      seat.probe = this;
    }
  }

  /** Holds the next thread that comes to a step, whatever it is about. */
  Hold hold(Step step) {
    return hold(step, null);
  }

  /** Holds the next thread that comes to a step with a certain item or poll. */
  Hold hold(Step step, @Nullable Object who) {
    Hold hold = new Hold(step, who);
    all.add(hold);
    armed.add(hold);
    return hold;
  }

  /** The threads that are held at present, with the steps they are held at. */
  List<Hold> held() {
    return all.stream().filter(Hold::isHolding).toList();
  }

  /** Lets everybody go and keeps nothing of what was seen. */
  void forget() {
    close();
    all.clear();
  }

  @Override
  public void at(Step step, Object who) {
    if (Thread.currentThread() == owner) {
      return;
    }
    for (Hold hold : armed) {
      if (hold.step == step && hold.isFor(who) && armed.remove(hold)) {
        hold.here(who);
        return;
      }
    }
  }

  @Override
  public void close() {
    armed.clear();
    all.forEach(Hold::release);
    for (Hold hold : all) {
      if (hold.thread == null) {
        throw new AssertionError("nobody came to " + hold);
      }
    }
  }

  /** One place at which one thread is held once. */
  static final class Hold {
    final Step step;
    private final @Nullable Object who;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile @Nullable Object seen;
    private volatile @Nullable Thread excepted;

    private Hold(Step step, @Nullable Object who) {
      this.step = step;
      this.who = who;
    }

    /** Never holds this thread. */
    Hold except(Thread never) {
      excepted = never;
      return this;
    }

    private boolean isFor(Object about) {
      return (who == null || who == about) && Thread.currentThread() != excepted;
    }

    /** Waits until a thread is held here. */
    Hold reached() {
      try {
        if (!reached.await(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("nobody came to " + this);
        }
      } catch (InterruptedException e) {
        throw new AssertionError("the test was interrupted", e);
      }
      return this;
    }

    /** Lets the thread go on; one that comes only now is not held. */
    void release() {
      released.countDown();
    }

    boolean isHolding() {
      return reached.getCount() == 0 && released.getCount() == 1;
    }

    /** The waiter that the held thread was about. */
    Waiter waiter() {
      reached();
      if (seen instanceof Waiter waiter) {
        return waiter;
      }
      throw new AssertionError("not about a waiter: " + this);
    }

    /** True if the thread is held as a waiter that was chosen. */
    boolean isChosenWaiter() {
      return seen instanceof Waiter waiter && waiter.isChosen();
    }

    private void here(Object about) {
      thread = Thread.currentThread();
      seen = about;
      reached.countDown();
      boolean interrupted = false;
      for (; ; ) {
        try {
          if (!released.await(2 * FAIL_SAFE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("never let go: " + this);
          }
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public String toString() {
      return step + (who == null ? "" : " of " + who) + (thread == null ? "" : " by " + thread);
    }
  }
}
