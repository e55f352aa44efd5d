package io.github.eventpoll.kernel;

import io.github.eventpoll.kernel.World.Event;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread that waits once, and what came of it. */
final class WaiterThread extends Thread {
  /** Far beyond what any program needs: a waiter that nobody wakes must not hang the build. */
  static final int FAIL_SAFE_MILLIS = 20_000;

  /** What a thread sleeps in. */
  enum Call {
    AWAIT,
    ASK
  }

  private final Call call;
  private final int poll;
  private final Supplier<List<Event>> body;

  private volatile int tid;
  private volatile @Nullable List<Event> events;
  private volatile @Nullable String failure;

  WaiterThread(String name, Call call, int poll, Supplier<List<Event>> body) {
    super(name);
    this.call = call;
    this.poll = poll;
    this.body = body;
    setDaemon(true);
  }

  @Override
  public void run() {
    tid = LibC.gettid();
    try {
      events = body.get();
    } catch (Refused refused) {
      failure = refused.errno();
    } catch (RuntimeException | Error e) {
      failure = e.toString();
    }
  }

  Call call() {
    return call;
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

  boolean hasEvents() {
    List<Event> found = events;
    return found != null && !found.isEmpty();
  }

  @Nullable List<Event> events() {
    return events;
  }

  @Nullable String failure() {
    return failure;
  }
}
