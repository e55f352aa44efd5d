package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.LoggerFactory;

/**
 * The daemon that checks polls which are to be watched for stalls: one thread for all polls that
 * live by one clock, so one for the process outside of tests. Started with the first of them, ended
 * when there are none; a poll that nobody uses any more is not kept.
 */
final class StallWatch implements Runnable {
  /** How often a poll is looked at in the time that something must last to be reported. */
  static final int LOOKS = 4;

  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Guard: LOCK. */
  private static final Map<Clock, StallWatch> WATCHES = new HashMap<>();

  /** One poll; guard: LOCK, but for what never changes. */
  private static final class Watched {
    final WeakReference<EventPoll> poll;
    final long step;
    long due;

    Watched(EventPoll poll, long step) {
      this.poll = new WeakReference<>(poll);
      this.step = step;
      this.due = poll.clock.after(step);
    }
  }

  private final Clock clock;
  private final Thread thread = new Thread(this, "eventpoll-stalls");

  /** Guard: LOCK. */
  private final List<Watched> all = new ArrayList<>();

  private StallWatch(Clock clock) {
    this.clock = clock;
    thread.setDaemon(true);
  }

  /** Begins to watch a poll: something that lasts a period is reported. */
  static void begin(EventPoll poll, long period) {
    LOCK.lock();
    try {
      StallWatch watch = WATCHES.get(poll.clock);
      if (watch == null) {
        watch = new StallWatch(poll.clock);
        watch.thread.start(); // first: if there is no thread, nothing is left behind
        WATCHES.put(poll.clock, watch);
      }
      watch.all.add(new Watched(poll, Math.max(1, period / LOOKS)));
      watch.look();
    } finally {
      LOCK.unlock();
    }
  }

  /** A poll was closed: if it was the last, the thread ends. */
  static void end(EventPoll poll) {
    LOCK.lock();
    try {
      StallWatch watch = WATCHES.get(poll.clock);
      if (watch != null) {
        watch.all.removeIf(each -> each.poll.get() == poll);
        watch.look();
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** How many polls on a clock are watched, −1 if there is no thread for it; for looking. */
  static int watchedOn(Clock clock) {
    LOCK.lock();
    try {
      StallWatch watch = WATCHES.get(clock);
      return watch == null ? -1 : watch.all.size();
    } finally {
      LOCK.unlock();
    }
  }

  /** True if no look is due or under way on a clock; for tests. */
  static boolean isIdleOn(Clock clock) {
    LOCK.lock();
    try {
      StallWatch watch = WATCHES.get(clock);
      return watch == null || watch.all.stream().allMatch(each -> each.due > clock.now());
    } finally {
      LOCK.unlock();
    }
  }

  private void look() {
    clock.sleeper().unpark(thread);
  }

  @Override
  public void run() {
    for (; ; ) {
      long next = nextDue();
      if (next == Clock.NEVER) {
        return;
      }
      clock.sleeper().park(this, next);
      checkDue();
    }
  }

  /** When to look next; never if there is nothing to watch, and then this watch is forgotten. */
  private long nextDue() {
    LOCK.lock();
    try {
      all.removeIf(each -> each.poll.get() == null);
      long next = Clock.NEVER;
      for (Watched each : all) {
        next = Math.min(next, each.due);
      }
      if (all.isEmpty()) {
        WATCHES.remove(clock);
      }
      return next;
    } finally {
      LOCK.unlock();
    }
  }

  private void checkDue() {
    for (Watched each : dueNow()) {
      EventPoll poll = each.poll.get();
      if (poll != null) {
        check(poll, each);
      }
    }
  }

  private List<Watched> dueNow() {
    long now = clock.now();
    LOCK.lock();
    try {
      List<Watched> due = new ArrayList<>();
      for (Watched each : all) {
        if (each.due <= now) {
          due.add(each);
        }
      }
      return due;
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * One look. If it comes late by more than half a step, this thread could not run, and nor perhaps
   * could the others: what was seen before does not count.
   */
  private void check(EventPoll poll, Watched watched) {
    try {
      if (clock.now() - watched.due > watched.step / 2) {
        poll.stalls.forget();
      }
      poll.stalls.look();
    } catch (RuntimeException | Error e) { // the others are watched on, and those to come
      LoggerFactory.getLogger(EventPoll.class).warn("{} could not be checked", poll, e);
    } finally {
      LOCK.lock();
      try {
        watched.due = clock.after(watched.step); // last: tests see by it that the look is over
      } finally {
        LOCK.unlock();
      }
    }
  }
}
