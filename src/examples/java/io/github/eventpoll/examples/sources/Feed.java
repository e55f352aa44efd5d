package io.github.eventpoll.examples.sources;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The latest of a stream of values that is switched on only while somebody waits for it. */
public final class Feed<T> implements Pollable, AutoCloseable {
  private final WaitQueue queue = new WaitQueue();
  private final AtomicReference<@Nullable T> latest = new AtomicReference<>();
  private final Switch upstream;
  private final ReentrantLock switching = new ReentrantLock();
  private boolean on; // guard: switching

  /** What makes the values. Called under a lock of a poll: must be quick, and call no poll. */
  public interface Switch {
    /** From now on values are made, or not. */
    void turn(boolean on);
  }

  /** Makes a feed that is switched off. */
  public Feed(Switch upstream) {
    this.upstream = upstream;
  }

  /** A new value; it takes the place of one that nobody has taken. */
  public void publish(T value) {
    latest.set(value);
    queue.wakeOrdered(Events.IN);
  }

  /** Takes the latest value; null if it was taken. */
  public @Nullable T take() {
    return latest.getAndSet(null);
  }

  // snippet: interest
  @Override
  public int traits() {
    return ORDERED_STATE | TRACKS_INTEREST;
  }

  @Override
  public void interestChanged(int wantedUnion) {
    switching.lock();
    try {
      boolean wanted = (queue.interest() & Events.IN) != 0; // not wantedUnion: calls may overtake
      if (wanted != on) {
        on = wanted;
        upstream.turn(wanted);
      }
    } finally {
      switching.unlock();
    }
  }

  // end snippet

  @Override
  public int readiness() {
    return latest.get() != null ? Events.IN : 0;
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
