package io.github.eventpoll.internal;

import org.jspecify.annotations.Nullable;

/**
 * Seam: a source whose readiness a {@link Driver} reports. Items pass as {@code Object}. What is
 * asked of the driver for an item, and what the item has been told, is the source's book-keeping
 * (KR-31); the engine says what happens to the item. All methods are short, take leaf guards only,
 * and may be called under a control lock.
 */
public interface Driven extends Demand {
  /** Why an item with this mask cannot be made; null if it can. */
  @Nullable String refusal(int mask);

  /**
   * Begins to ask for an item.
   *
   * @param item the item
   * @param mask its mask
   * @param ofPoll the driver that the item's poll has already, null if it has none
   * @return the driver that reports for this item
   */
  Driver attach(Object item, int mask, @Nullable Driver ofPoll);

  /** The item was modified: it has been told nothing, and wants this. */
  void rearmed(Object item, int mask);

  /** The item was delivered. */
  void delivered(Object item, int bits);

  /** The item was queued and found not ready. */
  void dropped(Object item);

  /** The poll of an exclusive item that was delivered waits again. */
  void resumed(Object item);

  /**
   * The item is gone. If its driver shall make a pass for that, it requests one: {@link
   * Driver#flushRequested()}; the engine sees to it once no lock is held.
   *
   * @return the driver that reported for it; null if the item was not attached, or is gone already
   */
  @Nullable Driver detach(Object item);

  /** True if nothing more will come of the source: then an item ends with its next event. */
  default boolean ended() {
    return false;
  }
}
