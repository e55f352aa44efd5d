package io.github.eventpoll.stress;

import io.github.eventpoll.EngineView;
import io.github.eventpoll.Pollable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops all actors between two of their actions, but for those who sleep in the engine, so that the
 * state can be judged exactly: nobody is on the way to anything.
 */
final class Safepoint {
  private static final long FAIL_SAFE_NANOS = 60_000_000_000L;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition goOn = lock.newCondition();
  private volatile boolean stopping;

  /** Called by an actor between two actions. */
  void pass(Actor actor) {
    if (!stopping) {
      return;
    }
    lock.lock();
    try {
      actor.paused = true;
      while (stopping) {
        goOn.awaitUninterruptibly();
      }
      actor.paused = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops the actors, judges and lets them go on.
   *
   * @param judge finds what is wrong while nothing moves
   * @param again how often it must be found, without a pause and with a pause of the given time.
   *     Who keeps time wakes for a moment in the midst of its sleep, and nobody can stop it
   * @return what is wrong; empty if nothing
   */
  List<String> judge(List<Actor> actors, Supplier<List<String>> judge, int again, long pauseNanos) {
    stopping = true;
    try {
      for (int found = 1; ; found++) {
        Map<Actor, Object> before = rest(actors);
        List<String> wrong = judge.get();
        if (wrong.isEmpty()) {
          return wrong;
        }
        if (!before.equals(places(actors))) {
          found = 0;
        } else if (found == again) {
          return wrong;
        }
        LockSupport.parkNanos(pauseNanos);
      }
    } finally {
      lock.lock();
      try {
        stopping = false;
        goOn.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private static Map<Actor, Object> rest(List<Actor> actors) {
    long end = System.nanoTime() + FAIL_SAFE_NANOS;
    for (; ; ) {
      Map<Actor, Object> first = places(actors);
      if (first != null && first.equals(places(actors))) {
        return first;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("an actor neither acts nor sleeps:\n" + stacks(actors));
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private static @Nullable Map<Actor, Object> places(List<Actor> actors) {
    Map<Actor, Object> places = new IdentityHashMap<>();
    for (Actor actor : actors) {
      Pollable on = actor.sleepsOn;
      Object place = actor.paused || actor.isDone() ? actor : null;
      if (place == null && on != null) {
        place = EngineView.sleepOf(actor.thread, on);
      }
      if (place == null) {
        return null;
      }
      places.put(actor, place);
    }
    return places;
  }

  static String stacks(List<Actor> actors) {
    StringBuilder text = new StringBuilder();
    for (Actor actor : actors) {
      if (!actor.isDone() && !actor.paused) {
        text.append(actor).append('\n');
        for (StackTraceElement frame : actor.thread.getStackTrace()) {
          text.append("    ").append(frame).append('\n');
        }
      }
    }
    return text.toString();
  }
}
