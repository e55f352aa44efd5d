package io.github.eventpoll.stress;

import io.github.eventpoll.Pollable;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread of a stress round: acts again and again until the round ends. */
abstract class Actor implements Runnable {
  private static final int KEPT = 48;

  final World world;
  final Random random;
  final Thread thread;
  volatile boolean paused;

  /** What the actor waits on, if it does. */
  volatile @Nullable Pollable sleepsOn;

  private volatile boolean done;

  // The last steps, in a ring; read by others only when the actor rests.
  private final long[] times = new long[KEPT];
  private final String[] steps = new String[KEPT];
  private final Object[] objects = new Object[KEPT];
  private int step;

  Actor(World world, String name, boolean virtual) {
    this.world = world;
    random = new Random(world.random.nextLong());
    thread = virtual ? virtualThread(this) : new Thread(this);
    thread.setName(name);
  }

  /** An unstarted virtual thread; a platform thread where there are none. */
  private static Thread virtualThread(Runnable body) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Method unstarted =
          Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
      return (Thread) unstarted.invoke(builder, body);
    } catch (ReflectiveOperationException e) {
      return new Thread(body);
    }
  }

  /** One action; what it may meet in a stress round it handles itself. */
  abstract void act() throws InterruptedException;

  @Override
  public void run() {
    try {
      while (!world.ending()) {
        try {
          act();
        } catch (InterruptedException e) {
          note("interrupted", this);
        } catch (RuntimeException | StressSource.Broke e) {
          world.requireExpected(e);
          note(e instanceof StressSource.Broke ? "error" : "refused", e);
        }
        Thread.interrupted();
        world.safepoint.pass(this);
        pace();
      }
    } catch (Throwable e) {
      world.failed(this, e);
    } finally {
      done = true;
    }
  }

  private void pace() {
    int dice = random.nextInt(64);
    if (dice < 4) {
      LockSupport.parkNanos(1 + random.nextInt(200_000));
    } else if (dice < 12) {
      Thread.yield();
    }
  }

  boolean isDone() {
    return done;
  }

  /** Remembers a step. */
  final void note(String what, Object about) {
    int at = step++ % KEPT;
    times[at] = System.nanoTime();
    steps[at] = what;
    objects[at] = about;
  }

  /** Adds the remembered steps to a transcript. */
  final void transcribe(List<Step> to) {
    for (int i = 0; i < KEPT; i++) {
      String what = steps[i];
      if (what != null) {
        to.add(new Step(times[i], thread.getName(), what, objects[i]));
      }
    }
  }

  @Override
  public String toString() {
    return thread.getName() + (done ? " done" : paused ? " paused" : "");
  }

  /** A line of a transcript. */
  record Step(long time, String actor, String what, @Nullable Object about) {}
}
