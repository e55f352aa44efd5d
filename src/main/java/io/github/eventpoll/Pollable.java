package io.github.eventpoll;

import org.jspecify.annotations.Nullable;

/**
 * A source: anything that can tell whether it is ready, and rings its {@link WaitQueue} when that
 * may have changed.
 *
 * <p>What a source promises:
 *
 * <ol>
 *   <li>{@link #waitQueue()} returns the same queue for ever, and the queue serves this source
 *       only.
 *   <li>After every change that may make it ready the source calls {@link WaitQueue#wake}, after
 *       the change, every time: edge-triggered items count wakes, not differences.
 *   <li>{@link #readiness()} tells the truth at the time of the call, is short, does not block,
 *       does not call the poll that asks (checked: {@link IllegalStateException}) and takes no lock
 *       that any thread holds while it adds, modifies, removes, awaits or closes. It may be called
 *       by any thread, also while the poll's control lock is held, and by several at once.
 *   <li>A source that ends closes its queue: {@link WaitQueue#close()}.
 * </ol>
 *
 * <p>In return the engine calls nothing else of the source's under its locks but {@link
 * #interestChanged} and {@link #delivered}, to which the same rules apply, and never calls a source
 * from inside {@code wake}.
 *
 * <p>Memory consistency effects: what a thread did before it called {@code wake} is visible to the
 * thread that gets the event from {@code await} (claim MO-PUB-1).
 *
 * @since 0.1
 */
public interface Pollable {
  /**
   * Trait: the source writes, before every wake, the same variable or variables that {@link
   * #readiness()} reads, volatile or by an atomic read-modify-write both times, and goes from not
   * ready to ready only by such a write followed by a wake. Such a source may use {@link
   * WaitQueue#wakeOrdered}.
   */
  int ORDERED_STATE = 1;

  /**
   * Trait: the source wants {@link #interestChanged} and {@link #delivered}. Without it they are
   * never called.
   */
  int TRACKS_INTEREST = 2;

  /**
   * What the source is ready for now.
   *
   * @return event bits of {@link Events}, 0 for none
   */
  int readiness();

  /**
   * The queue on which this source announces changes.
   *
   * @return always the same queue; null if this object cannot be watched ({@link Errno#EPERM})
   */
  @Nullable WaitQueue waitQueue();

  /**
   * What the engine may rely on: {@link #ORDERED_STATE}, {@link #TRACKS_INTEREST}. Asked for once
   * per registration.
   *
   * @return the traits, 0 for none
   */
  default int traits() {
    return 0;
  }

  /**
   * Told after items on this source were added, modified, disarmed or removed. Calls by several
   * polls may overtake each other: a source that must be exact asks {@link WaitQueue#interest()}
   * again under a guard of its own.
   *
   * @param wantedUnion the bits that any armed item on this source wanted just now
   */
  default void interestChanged(int wantedUnion) {}

  /**
   * Told that a wait has just taken an event of this source.
   *
   * @param bits the event bits delivered
   */
  default void delivered(int bits) {}
}
