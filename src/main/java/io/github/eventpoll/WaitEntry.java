package io.github.eventpoll;

/**
 * What stands in a wait queue: an item of a poll, or a thread that waits on one source alone; for a
 * while also a {@link Spy}.
 */
abstract sealed class WaitEntry permits EpItem, OneWaiter, Spy {
  /** True for an entry that can use up a wake. Never changes. */
  abstract boolean exclusive();

  /**
   * The source's queue was woken. Called with no lock of the library held; must not throw.
   *
   * @param key what happened, 0 for unknown
   * @return true if an exclusive entry has used up the wake
   */
  abstract boolean woken(int key);

  /** The source's queue was closed: no call will come any more. Takes no control lock. */
  abstract void queueClosed();

  /** The demand of the source has another nearest deadline now. Takes leaf guards only. */
  abstract void demandChanged();

  /** The event bits this entry waits for at present, 0 for a disarmed one. */
  abstract int wanted();
}
