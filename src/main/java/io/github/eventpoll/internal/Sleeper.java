package io.github.eventpoll.internal;

/** Seam: how a thread sleeps. */
public interface Sleeper {
  /**
   * Puts the calling thread to sleep until it is unparked, interrupted, or the deadline is reached;
   * may return for no reason. An unpark that came first makes it return at once. An implementation
   * must use nothing that could consume the thread's permit before it parks.
   *
   * @param blocker what the thread waits for, for diagnosis
   * @param deadline an instant of the clock, {@link Clock#NEVER} for none
   */
  void park(Object blocker, long deadline);

  /**
   * Ends the present or the next {@link #park} of a thread.
   *
   * @param thread the thread
   */
  void unpark(Thread thread);
}
