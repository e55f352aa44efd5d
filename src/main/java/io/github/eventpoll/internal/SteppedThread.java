package io.github.eventpoll.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Seam: a thread of a test that runs only when it is its turn. One that finds a lock of the library
 * taken must not spin or park, because the holder does not run meanwhile: it gives its turn away.
 */
public abstract class SteppedThread extends Thread {
  /** For the test kit. */
  protected SteppedThread(String name) {
    super(name);
  }

  /** The calling thread if it is such a thread, else null. */
  public static @Nullable SteppedThread current() {
    return Thread.currentThread() instanceof SteppedThread stepped ? stepped : null;
  }

  /**
   * By the thread itself: gives the turn away until a condition holds. What the condition reads
   * changes by steps of such threads only.
   *
   * @param control whether the lock is a poll's control lock, which many hold across points
   * @param free the condition, asked by other threads
   */
  public abstract void awaitFree(boolean control, BooleanSupplier free);
}
