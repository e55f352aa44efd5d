package io.github.eventpoll.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread that waits once on one poll, and what came of it. */
final class WaiterThread extends Thread {
  /** Far beyond what any program needs: a waiter that nobody wakes must not hang the build. */
  static final int FAIL_SAFE_MILLIS = 20_000;

  private final World world;
  private final int poll;
  private final int most;
  private final int timeoutMillis;

  private volatile int tid;
  private volatile @Nullable List<World.Event> events;
  private volatile @Nullable String failure;

  WaiterThread(String name, World world, int poll, int most, int timeoutMillis) {
    super(name);
    this.world = world;
    this.poll = poll;
    this.most = most;
    this.timeoutMillis = timeoutMillis;
    setDaemon(true);
  }

  @Override
  public void run() {
    tid = LibC.C.gettid();
    try {
      events = world.await(poll, most, timeoutMillis);
    } catch (Refused refused) {
      failure = refused.errno();
    } catch (RuntimeException | Error e) {
      failure = e.toString();
    }
  }

  int poll() {
    return poll;
  }

  /** The kernel's number of this thread, 0 before it runs. */
  int tid() {
    return tid;
  }

  boolean isDone() {
    return events != null || failure != null;
  }

  @Nullable List<World.Event> events() {
    return events;
  }

  @Nullable String failure() {
    return failure;
  }
}
