package io.github.eventpoll.internal;

/** Seam: decides for each item in a wait queue whether a driver's report is news to it. */
@FunctionalInterface
public interface Told {
  /**
   * Marks the item as told.
   *
   * @param item an item
   * @return true if the report is news to it, so that it is woken
   */
  boolean tell(Object item);
}
