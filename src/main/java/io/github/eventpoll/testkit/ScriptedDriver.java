package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Clock;
import org.jspecify.annotations.Nullable;

/**
 * In place of a {@link java.nio.channels.Selector}: a script. Its channels become ready when the
 * test says so, and the threads that wait on polls sleep in it as they would in a selector, seen
 * and counted by the test. No descriptors, no network, no time.
 *
 * <p>A channel is reported as a level-triggered selector does: by each pass before which it was
 * asked for. What is asked comes into force when a pass begins; {@link ScriptedChannel#inForce}
 * shows it.
 *
 * <p>Any thread may call everything.
 *
 * @since 0.1
 */
public final class ScriptedDriver {
  private final ScriptedSelector selector;

  private ScriptedDriver(Clock clock) {
    selector = new ScriptedSelector(clock);
  }

  /**
   * Makes a driver for polls that live by real time.
   *
   * @return a new driver without channels
   */
  public static ScriptedDriver create() {
    return new ScriptedDriver(Clock.system());
  }

  /**
   * Makes a driver for polls that live by a virtual time.
   *
   * @param time the time
   * @return a new driver without channels
   */
  public static ScriptedDriver on(VirtualTime time) {
    return new ScriptedDriver(time.clock());
  }

  /**
   * Makes a channel that this driver watches.
   *
   * @param name for messages
   * @return a new channel, not ready
   */
  public ScriptedChannel channel(String name) {
    return new ScriptedChannel(selector, name);
  }

  /**
   * The thread that sleeps in this driver.
   *
   * @return null if nobody does; one that is about to sleep or to return counts
   */
  public @Nullable Thread sleeper() {
    return selector.sleeper();
  }

  /**
   * Makes the thread that sleeps in this driver return with nothing, as a selector may at any time.
   *
   * @return false if nobody sleeps
   */
  public boolean release() {
    return selector.release();
  }

  /**
   * Limits what one pass reports, as a selector's room for events does.
   *
   * @param channels how many channels at most; at least 1
   */
  public void reportAtMost(int channels) {
    selector.mostReports = channels;
  }

  /**
   * How often somebody looked for ready channels, asleep or not.
   *
   * @return the number of passes
   */
  public long passes() {
    return selector.passes.get();
  }

  /**
   * How many passes had to wait.
   *
   * @return the number of sleeps
   */
  public long sleeps() {
    return selector.sleeps.get();
  }

  /**
   * How often somebody made the sleeping thread return, which costs a system call in a selector.
   *
   * @return the number of wake-ups, {@link #release} apart
   */
  public long wakeups() {
    return selector.wakeups.get();
  }

  /**
   * How often a pass had to change what the selector watches a channel for, a system call each.
   *
   * @return the number of changes
   */
  public long maskChanges() {
    return selector.maskChanges.get();
  }

  /**
   * How many channels the selector has given up, so that their descriptors would be free.
   *
   * @return the number of flushed channels
   */
  public long flushes() {
    return selector.flushes.get();
  }

  /**
   * How many reports of channels were passed on to items.
   *
   * @return the number of reports
   */
  public long reports() {
    return selector.reports.get();
  }

  /**
   * How often two threads were in the driver at once, which must never be.
   *
   * @return 0
   */
  public long overlaps() {
    return selector.overlaps.get();
  }

  @Override
  public String toString() {
    return selector.toString();
  }
}
