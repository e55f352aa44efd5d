package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Channels that close, through their source and behind its back; what is left of them: nothing. */
@EveryPath
class CloseChannelTest extends ChannelTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private static long descriptors() {
    try (var all = Files.list(DESCRIPTORS)) {
      return all.count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void bind(SocketAddress address) throws IOException {
    try (ServerSocketChannel again = ServerSocketChannel.open()) {
      again.setOption(StandardSocketOptions.SO_REUSEADDR, false);
      again.bind(address);
    }
  }

  private static boolean canBind(SocketAddress address) {
    try {
      bind(address);
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("I-58, KR-38: nobody waits: the port is free when close returns")
  void closeWhileNobodyWaits() throws Exception {
    ServerSocketChannel listener = listener();
    SocketAddress address = listener.getLocalAddress();
    ChannelSource source = ChannelSource.of(listener);
    EpItem item = poll.add(source, Events.IN, "l");
    assertThat(now()).isEmpty();
    assertThat(listener.isRegistered()).isTrue();
    source.close();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    bind(address);
  }

  @Test
  @DisplayName(
      "I-58, KR-38, NOTES 47: a thread sleeps in the selector: it is woken to free the port")
  void closeUnderALeader() throws Exception {
    ServerSocketChannel listener = listener();
    SocketAddress address = listener.getLocalAddress();
    ChannelSource source = ChannelSource.of(listener);
    poll.add(source, Events.IN, "l");
    poll.add(ChannelSource.of(link().ours), Events.IN, "idle");
    Sleeper leader = Sleeper.on(poll);
    source.close();
    Sleeper.until(() -> canBind(address), "the port to be free");
    leader.untilSelecting();
    poll.wakeup();
    assertThat(leader.events()).isEmpty();
  }

  @Test
  @DisplayName("the last channel of a poll closes while a thread sleeps: it parks instead")
  void closeTheLastChannelUnderALeader() throws Exception {
    ChannelSource source = ChannelSource.of(link().ours);
    poll.add(source, Events.IN, "c");
    Sleeper leader = Sleeper.on(poll);
    assertThat(leader.isSelecting()).isTrue();
    source.close();
    Sleeper.until(leader::isParked, leader);
    Link late = link();
    poll.add(ChannelSource.of(late.ours), Events.IN, "late");
    late.send(1);
    assertThat(leader.events()).containsExactly("late IN");
  }

  @Test
  void closeInAllPolls() throws Exception {
    ServerSocketChannel listener = listener();
    SocketAddress address = listener.getLocalAddress();
    ChannelSource source = ChannelSource.of(listener);
    EventPoll led = closedLater(Polls.create());
    EventPoll idle = closedLater(Polls.create());
    for (EventPoll each : new EventPoll[] {poll, led, idle}) {
      each.add(source, Events.IN, "l");
      assertThat(now(each)).isEmpty();
    }
    Sleeper leader = Sleeper.on(led);
    source.close();
    Sleeper.until(() -> canBind(address), "the port to be free");
    led.wakeup();
    assertThat(leader.events()).isEmpty();
  }

  @Test
  @DisplayName("S076, S169, I-52, I-61, NOTES 43: closed behind our back: one ERR|HUP, then gone")
  void s169_bareClose() throws Exception {
    Link link = link();
    EpItem item = poll.add(ChannelSource.of(link.ours), Events.IN, "c");
    EpItem once = poll.add(ChannelSource.of(link.ours), 1, Events.IN | Events.ONESHOT, "once");
    EventPoll other = closedLater(Polls.create());
    other.add(ChannelSource.of(link.ours), Events.IN, "other");
    assertThat(now()).isEmpty();
    assertThat(now(other)).isEmpty();
    link.ours.close();
    assertThat(now()).containsExactlyInAnyOrder("c ERR|HUP", "once ERR|HUP");
    assertThat(now()).isEmpty();
    assertThat(item.isValid()).isFalse();
    assertThat(once.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(now(other)).containsExactly("other ERR|HUP");
    assertThat(now(other)).isEmpty();
    assertThatThrownBy(item::remove).isInstanceOf(EventPollStateException.class);
    assertThatThrownBy(() -> poll.add(ChannelSource.of(link.ours), Events.IN))
        .isInstanceOf(EventPollStateException.class);
  }

  @Test
  @DisplayName("S169: a channel closed behind our back whose item is disarmed does not spin")
  void bareCloseOfADisarmedItem() throws Exception {
    ChannelDriver driver = ChannelDriver.open();
    EventPoll own = closedLater(driver.poll(Polls.builder()));
    Link link = link();
    EpItem item = own.add(ChannelSource.of(link.ours), Events.IN | Events.ONESHOT, "c");
    link.send(1);
    assertThat(await(own)).containsExactly("c IN");
    link.ours.close();
    long before = driver.passes();
    assertThat(own.await(ready, java.time.Duration.ofMillis(50))).isZero();
    assertThat(driver.passes() - before).isLessThan(10);
    item.remove();
    assertThat(own.size()).isZero();
  }

  @Test
  void bareCloseUnderALeader_isNoticedByTheNextPass() throws Exception {
    Link link = link();
    poll.add(ChannelSource.of(link.ours), Events.IN, "c");
    poll.add(ChannelSource.of(link().ours), 0, "idle");
    Sleeper leader = Sleeper.on(poll);
    link.ours.close();
    poll.add(ChannelSource.of(pipe().source()), Events.IN, "makes a pass");
    assertThat(leader.events()).containsExactly("c ERR|HUP");
  }

  @Test
  void aRemovedChannelMayBlock_andItsSelectorIsClosed() throws Exception {
    CountingProvider provider = new CountingProvider();
    EventPoll own = closedLater(ChannelDriver.open(provider).poll(Polls.builder()));
    Link link = link();
    EpItem item = own.add(ChannelSource.of(link.ours), Events.IN, "c");
    assertThat(now(own)).isEmpty();
    assertThat(provider.openSelectors).hasValue(1);
    item.remove();
    assertThat(link.ours.isRegistered()).isFalse();
    link.ours.configureBlocking(true);
    assertThat(provider.openSelectors).hasValue(0);
  }

  @Test
  @DisplayName(
      "S191, I-59, I-92: 2000 rounds of create, wait and close leave no descriptor, no thread")
  void nothingIsLeft() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "no /proc/self/fd here");
    round(0);
    long before = descriptors();
    int threads = Thread.activeCount();
    for (int i = 0; i < 2000; i++) {
      round(i);
    }
    // Not "equal": the last selector of an earlier test may go meanwhile. A leak would be hundreds.
    assertThat(descriptors()).isLessThanOrEqualTo(before);
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);
  }

  /** Each way to end, in turn; what the test closes itself is closed with the bare close. */
  private void round(int number) throws Exception {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    SocketChannel fresh = nonBlocking(SocketChannel.open());
    EventPoll own = Polls.create();
    ChannelSource source = ChannelSource.of(pipe.source());
    EpItem item = own.add(source, Events.IN, "p");
    own.add(ChannelSource.of(fresh), Events.OUT, "s");
    assertThat(own.awaitNow(ready)).isZero();
    switch (number % 4) {
      case 0 -> source.close();
      case 1 -> item.remove();
      case 2 -> pipe.source().close();
      default ->
          assertThat(EventPoll.awaitOne(source, Events.IN, java.time.Duration.ZERO)).isZero();
    }
    if (number % 3 == 0) {
      own.awaitNow(ready);
    }
    own.close();
    pipe.source().close();
    pipe.sink().close();
    fresh.close();
  }
}
