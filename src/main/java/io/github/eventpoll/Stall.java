package io.github.eventpoll;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something in a poll that does not go on, as {@link EventPoll#checkStalls()} has found it.
 * Immutable.
 *
 * @param kind what it is
 * @param poll where
 * @param item the item concerned; null if none is
 * @param text a sentence for people
 * @since 0.1
 */
public record Stall(Kind kind, EventPoll poll, @Nullable EpItem item, String text) {
  /**
   * What can be found.
   *
   * @since 0.1
   */
  public enum Kind {
    /** An item is on the ready list, threads sleep in await, and nobody was chosen to look. */
    NOT_WOKEN,

    /** A thread was chosen for an item that is on the ready list, and has not come to look. */
    NOT_HARVESTED,

    /**
     * A level-triggered item is delivered again and again while its source neither rings nor
     * changes: nobody does what the event asks for, and every await returns at once.
     */
    NOT_CHANGED,

    /** Threads depend on a driver of channels, and nobody sleeps in it. */
    NOT_LED
  }

  /**
   * Makes a finding.
   *
   * @param kind what it is
   * @param poll where
   * @param item the item concerned; null if none is
   * @param text a sentence for people
   */
  public Stall {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(poll, "poll");
    Objects.requireNonNull(text, "text");
  }
}
