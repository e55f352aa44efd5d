package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Polls;
import io.github.eventpoll.testkit.VirtualTime;
import java.nio.channels.SocketChannel;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels that cannot be watched. */
class RefusalsTest extends ChannelTest {
  private void refuses(EventPoll by, ChannelSource source, int mask, String why) {
    assertThatThrownBy(() -> by.add(source, mask))
        .isInstanceOf(EventPollArgumentException.class)
        .hasMessageContaining(why)
        .asInstanceOf(InstanceOfAssertFactories.type(EventPollArgumentException.class))
        .extracting(EventPollArgumentException::errno)
        .isEqualTo(Errno.EINVAL);
    assertThat(by.size()).isZero();
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }

  @Test
  @DisplayName("I-100: a blocking channel is refused, and stays as it is")
  void blockingChannel() throws Exception {
    SocketChannel blocking = link().peer;
    refuses(poll, ChannelSource.of(blocking), Events.IN, "blocking mode");
    assertThat(blocking.isBlocking()).isTrue();
    assertThat(blocking.isRegistered()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {Events.PRI, Events.RDBAND, Events.WRBAND, Events.IN | Events.PRI})
  void urgentData(int mask) throws Exception {
    refuses(poll, ChannelSource.of(link().ours), mask, "urgent");
  }

  @Test
  @DisplayName("a poll on virtual time has nobody who could sleep in a selector")
  void virtualTime() throws Exception {
    EventPoll virtual = closedLater(Polls.on(VirtualTime.create()));
    refuses(virtual, ChannelSource.of(link().ours), Events.IN, "ScriptedDriver");
  }

  @Test
  void closedChannel_isEbadf() throws Exception {
    Link link = link();
    ChannelSource source = ChannelSource.of(link.ours);
    link.ours.close();
    assertThatThrownBy(() -> poll.add(source, Events.IN))
        .isInstanceOf(EventPollStateException.class)
        .hasMessageContaining("closed")
        .asInstanceOf(InstanceOfAssertFactories.type(EventPollStateException.class))
        .extracting(EventPollStateException::errno)
        .isEqualTo(Errno.EBADF);
    assertThatThrownBy(() -> EventPoll.awaitOne(source, Events.IN, LONG))
        .isInstanceOf(EventPollStateException.class);
  }

  @Test
  @DisplayName("a selector that cannot be opened leaves nothing behind, and the next try works")
  void noSelector() throws Exception {
    CountingProvider provider = new CountingProvider();
    EventPoll own = closedLater(ChannelDriver.open(provider).poll(Polls.builder()));
    Link link = link();
    ChannelSource source = ChannelSource.of(link.ours);
    provider.refuseSelectors = true;
    assertThatThrownBy(() -> own.add(source, Events.IN)).hasMessageContaining("no selector");
    assertThat(own.size()).isZero();
    assertThat(source.waitQueue().hasEntries()).isFalse();
    provider.refuseSelectors = false;
    own.add(source, Events.IN, "c");
    link.send(1);
    assertThat(await(own)).containsExactly("c IN");
  }
}
