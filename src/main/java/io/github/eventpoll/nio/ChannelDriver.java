package io.github.eventpoll.nio;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.internal.Bridge;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/**
 * A selector that several polls share for their channels: of all threads that wait on these polls
 * one sleeps in the selector, for all of them. A poll that is not made by one of these has a
 * selector of its own, from its first channel on.
 *
 * <p>The selector is open while there are channels in it: a driver that is not used any more holds
 * nothing, and need not be closed. Any thread may call everything.
 *
 * @since 0.1
 */
public final class ChannelDriver {
  private final SelectorDriver driver;

  private ChannelDriver(SelectorProvider provider) {
    driver = new SelectorDriver(provider);
  }

  /**
   * Makes a driver with selectors of the system.
   *
   * @return a new driver
   */
  public static ChannelDriver open() {
    return open(SelectorProvider.provider());
  }

  /**
   * Makes a driver with selectors of a provider.
   *
   * @param provider where selectors and pipes come from; its selectors must take the channels that
   *     will be added
   * @return a new driver
   */
  public static ChannelDriver open(SelectorProvider provider) {
    return new ChannelDriver(Objects.requireNonNull(provider, "provider"));
  }

  /**
   * Makes a poll with default settings whose channels are watched by this driver.
   *
   * @return a new, empty poll
   */
  public EventPoll poll() {
    return poll(EventPoll.builder());
  }

  /**
   * Makes a poll whose channels are watched by this driver.
   *
   * @param settings its other settings; polls that this builder makes later use this driver too
   * @return a new, empty poll
   */
  public EventPoll poll(EventPollBuilder settings) {
    Bridge.get().driver(settings, driver);
    return settings.build();
  }

  /**
   * How many passes were made so far: each is one system call of a selector.
   *
   * @return the number of passes
   */
  public long passes() {
    return driver.passes();
  }

  /**
   * How often a thread that slept in the selector was woken by another one.
   *
   * @return the number of wake-ups
   */
  public long wakeups() {
    return driver.wakes();
  }

  /**
   * How often a selector has come back early with nothing, and nothing explains it.
   *
   * @return the number of empty returns
   */
  public long emptyReturns() {
    return driver.emptyReturns();
  }

  /**
   * How many selectors were given up because they kept returning with nothing.
   *
   * @return the number of replacements
   */
  public long replacements() {
    return driver.replaced();
  }

  @Override
  public String toString() {
    return "ChannelDriver[" + driver + "]";
  }
}
