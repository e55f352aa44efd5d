package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connecting, accepting and the ways in which connections end. */
@EveryPath
class ConnectionsTest extends ChannelTest {
  @Test
  void s163_connectIsOutOnlyOnceWritable() throws Exception {
    ServerSocketChannel listener = listener();
    SocketChannel client = nonBlocking(closedLater(SocketChannel.open()));
    ChannelSource source = ChannelSource.of(client);
    poll.add(source, Events.IN | Events.OUT, "c");
    assertThat(now()).isEmpty();
    source.connect(listener.getLocalAddress());
    assertThat(await()).containsExactly("c OUT");
    assertThat(source.finishConnect()).isTrue();
    assertThat(await()).containsExactly("c OUT");
    assertThat(source.write(ByteBuffer.allocate(1))).isEqualTo(1);
  }

  @Test
  void s163_connectBegunBeforeItIsAdded() throws Exception {
    ServerSocketChannel listener = listener();
    SocketChannel client = nonBlocking(closedLater(SocketChannel.open()));
    client.connect(listener.getLocalAddress());
    ChannelSource source = ChannelSource.of(client);
    poll.add(source, Events.OUT | Events.ET, "c");
    assertThat(await()).containsExactly("c OUT");
    assertThat(source.finishConnect()).isTrue();
  }

  @Test
  void connectBegunWhileALeaderSleeps() throws Exception {
    ServerSocketChannel listener = listener();
    SocketChannel client = nonBlocking(closedLater(SocketChannel.open()));
    ChannelSource source = ChannelSource.of(client);
    poll.add(source, Events.OUT, "c");
    Sleeper sleeper = Sleeper.on(poll);
    assertThat(sleeper.isSelecting()).isTrue();
    source.connect(listener.getLocalAddress());
    assertThat(sleeper.events()).containsExactly("c OUT");
  }

  @Test
  void refusedConnect_isOutThenErrAndHup() throws Exception {
    SocketAddress nobody;
    try (ServerSocketChannel gone = ServerSocketChannel.open()) {
      nobody = gone.bind(loopback()).getLocalAddress();
    }
    SocketChannel client = nonBlocking(closedLater(SocketChannel.open()));
    ChannelSource source = ChannelSource.of(client);
    EpItem item = poll.add(source, Events.OUT, "c");
    try {
      source.connect(nobody);
    } catch (ConnectException e) {
      return; // known at once: there is nothing to wait for
    }
    assertThat(await()).containsExactly("c OUT");
    assertThatThrownBy(source::finishConnect).isInstanceOf(ConnectException.class);
    assertThat(await().get(0)).contains("ERR|HUP");
    assertThat(item.isValid()).as("the JDK closes the channel").isFalse();
    assertThat(now()).isEmpty();
  }

  @Test
  void s164_listenerIsNotReadyWhenIdle_andInWhenConnectedTo() throws Exception {
    ServerSocketChannel listener = listener();
    ChannelSource source = ChannelSource.of(listener);
    poll.add(source, Events.IN | Events.OUT, "l");
    assertThat(now()).isEmpty();
    connected(listener);
    connected(listener);
    assertThat(await()).containsExactly("l IN");
    closedLater(source.accept());
    assertThat(await()).containsExactly("l IN");
    closedLater(source.accept());
    assertThat(now()).isEmpty();
    assertThat(source.accept()).isNull();
  }

  @Test
  void edgeTriggeredListener_acceptsUntilWouldBlock() throws Exception {
    ServerSocketChannel listener = listener();
    ChannelSource source = ChannelSource.of(listener);
    poll.add(source, Events.IN | Events.ET, "l");
    for (int round = 0; round < 3; round++) {
      connected(listener);
      assertThat(await()).containsExactly("l IN");
      closedLater(source.accept());
      assertThat(source.accept()).isNull();
      assertThat(now()).isEmpty();
    }
  }

  @Test
  @DisplayName("S160: a half close is IN; RDHUP, for those who ask, once the end was read")
  void s160_rdhupOnlyIfAsked() throws Exception {
    Link link = link();
    ChannelSource source = ChannelSource.of(link.ours);
    poll.add(source, 1, Events.IN, "plain");
    poll.add(source, 2, Events.IN | Events.RDHUP, "asks");
    link.peer.shutdownOutput();
    assertThat(await()).containsExactlyInAnyOrder("plain IN", "asks IN");
    assertThat(read(source, 1)).isEqualTo(-1);
    Sleeper.until(
        () -> {
          var events = now();
          return events.contains("plain IN") && events.contains("asks IN|RDHUP");
        },
        "IN with RDHUP");
  }

  @Test
  void s161_freshSocketIsNotReady_andDoesNotSpin() throws Exception {
    ChannelDriver driver = ChannelDriver.open();
    var own = closedLater(driver.poll(Polls.builder()));
    SocketChannel fresh = nonBlocking(closedLater(SocketChannel.open()));
    own.add(ChannelSource.of(fresh), Events.IN | Events.OUT, "fresh");
    own.add(ChannelSource.of(nonBlocking(closedLater(SocketChannel.open()))), 0, "nothing");
    Sleeper sleeper = Sleeper.on(own);
    long before = driver.passes();
    Sleeper second = Sleeper.on(own); // takes a while, in which a spinning leader would pass
    assertThat(driver.passes() - before).isLessThan(10);
    own.wakeupAll();
    assertThat(sleeper.events()).isEmpty();
    assertThat(second.events()).isEmpty();
  }

  @Test
  void s166_dataBeforeHangUp_isReadToTheEnd() throws Exception {
    Link link = link();
    ChannelSource source = ChannelSource.of(link.ours);
    poll.add(source, Events.IN | Events.RDHUP | Events.ET, "c");
    Thread peer =
        new Thread(
            () -> {
              try {
                link.send(100_000);
                link.peer.close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    peer.start();
    int all = 0;
    for (int now = 0; now >= 0; ) {
      assertThat(await().get(0)).contains("IN");
      do {
        now = read(source, 1000);
        all += Math.max(now, 0);
      } while (now > 0);
    }
    assertThat(all).isEqualTo(100_000);
    peer.join();
  }

  @Test
  @DisplayName("S167, I-64, I-65: half closed and reading stopped: no spinning")
  void s167_halfClosedNoSpin() throws Exception {
    ChannelDriver driver = ChannelDriver.open();
    var own = closedLater(driver.poll(Polls.builder()));
    Link link = link();
    EpItem item = own.add(ChannelSource.of(link.ours), Events.IN, "c");
    link.peer.shutdownOutput();
    assertThat(await(own)).containsExactly("c IN");
    item.modify(0);
    long before = driver.passes();
    assertThat(own.await(ready, java.time.Duration.ofMillis(300))).isZero();
    assertThat(driver.passes() - before).isLessThan(10);
  }

  @Test
  void reset_isInFirst_andErrAndHupOnceIoHasMetIt() throws Exception {
    Link link = link();
    ChannelSource source = ChannelSource.of(link.ours);
    poll.add(source, Events.IN, "c");
    link.reset();
    assertThat(await()).containsExactly("c IN");
    assertThatThrownBy(() -> read(source, 1)).isInstanceOf(IOException.class);
    assertThat(await().get(0)).contains("ERR|HUP");
  }

  @Test
  @DisplayName("S157: the reader of a pipe is gone: OUT, and ERR once a write has met it")
  void s157_writerErr() throws Exception {
    Pipe pipe = pipe();
    ChannelSource source = ChannelSource.of(pipe.sink());
    poll.add(source, Events.OUT, "w");
    pipe.source().close();
    assertThat(await()).containsExactly("w OUT");
    assertThatThrownBy(() -> source.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
    Sleeper.until(() -> now().contains("w OUT|ERR|HUP"), "OUT|ERR|HUP");
  }

  @Test
  @DisplayName("S158: the writer of a pipe is gone: IN with and without data; the end is RDHUP")
  void s158_hupVersusData() throws Exception {
    Pipe pipe = pipe();
    ChannelSource source = ChannelSource.of(pipe.source());
    poll.add(source, Events.IN | Events.RDHUP, "r");
    pipe.sink().write(ByteBuffer.allocate(2));
    pipe.sink().close();
    assertThat(await()).containsExactly("r IN");
    assertThat(read(source, 2)).isEqualTo(2);
    assertThat(await()).containsExactly("r IN");
    assertThat(read(source, 2)).isEqualTo(-1);
    Sleeper.until(() -> now().contains("r IN|RDHUP"), "RDHUP");
  }

  @Test
  @DisplayName("S170, I-97: an empty datagram is IN")
  void s170_zeroLengthDatagram() throws Exception {
    DatagramChannel ours = datagram();
    DatagramChannel peer = datagram();
    ChannelSource source = ChannelSource.of(ours);
    ChannelSource sender = ChannelSource.of(peer);
    poll.add(source, Events.IN | Events.ET, "d");
    assertThat(now()).isEmpty();
    for (int round = 0; round < 2; round++) {
      assertThat(sender.send(ByteBuffer.allocate(0), ours.getLocalAddress())).isZero();
      assertThat(await()).containsExactly("d IN");
      assertThat(source.receive(ByteBuffer.allocate(9))).isEqualTo(peer.getLocalAddress());
      assertThat(source.receive(ByteBuffer.allocate(9))).isNull();
      assertThat(now()).isEmpty();
    }
  }

  @Test
  void datagramSocketIsWritable() throws Exception {
    ChannelSource source = ChannelSource.of(datagram());
    poll.add(source, Events.IN | Events.OUT, "d");
    assertThat(await()).containsExactly("d OUT");
    assertThat(
            source.send(
                ByteBuffer.allocate(1), ((DatagramChannel) source.channel()).getLocalAddress()))
        .isOne();
    Sleeper.until(() -> now().contains("d IN|OUT"), "IN|OUT");
  }
}
