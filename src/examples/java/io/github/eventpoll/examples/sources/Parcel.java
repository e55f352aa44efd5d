package io.github.eventpoll.examples.sources;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A place for one object, with a lock and plain fields: ready for IN when full, OUT when empty. */
// snippet: parcel
public final class Parcel<T> implements Pollable, AutoCloseable {
  private final WaitQueue queue = new WaitQueue();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T content; // guard: lock

  /** Puts an object in; false if there is one. */
  public boolean put(T object) {
    lock.lock();
    try {
      if (content != null) {
        return false;
      }
      content = object;
    } finally {
      lock.unlock();
    }
    queue.wake(Events.IN);
    return true;
  }

  /** Takes the object out; null if there is none. */
  public @Nullable T take() {
    T taken;
    lock.lock();
    try {
      taken = content;
      content = null;
    } finally {
      lock.unlock();
    }
    if (taken != null) {
      queue.wake(Events.OUT);
    }
    return taken;
  }

  @Override
  public int readiness() {
    lock.lock();
    try {
      return content != null ? Events.IN : Events.OUT;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public void close() {
    queue.close();
  }
}
// end snippet
