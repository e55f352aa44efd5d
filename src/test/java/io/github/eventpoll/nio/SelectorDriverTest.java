package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import io.github.eventpoll.internal.Clock;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of a driver, step by step, without polls. */
class SelectorDriverTest extends ChannelTest {
  private final SelectorDriver driver = new SelectorDriver(SelectorProvider.provider());
  private final Object item = new Object();

  private ChannelWatch watched() throws Exception {
    ChannelWatch watch = new ChannelWatch(link().ours);
    watch.attach(item, Events.IN, driver);
    return watch;
  }

  /** Sleeps in the driver without limit; gives up with the test. */
  private void sleep() throws Exception {
    CompletableFuture<Boolean> slept = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              driver.sleep(Clock.NEVER);
              slept.complete(true);
            });
    thread.setDaemon(true);
    thread.start();
    assertThat(slept.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("KR-42: a sleeper that is woken just before its selector is opened does not sleep")
  void kr42_wokenBeforeTheSelectorIsOpened() throws Exception {
    // The sleeper has announced itself, and not yet looked for the selector: there is none.
    driver.wake();
    // One who comes now finds the sleeper woken already and does not wake it again.
    ChannelWatch watch = watched();
    sleep();
    watch.detach(item);
    driver.sleep(SelectorDriver.AT_ONCE);
  }
}
