package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One listener, watched EXCLUSIVE by several polls with a thread each. */
@EveryPath
class ExclusiveListenerTest extends ChannelTest {
  private static final int POLLS = 8;

  /** Set {@code -Deventpoll.test.connections=3000} for the long run. */
  private static final int CONNECTIONS = Integer.getInteger("eventpoll.test.connections", 300);

  private final AtomicInteger wakes = new AtomicInteger();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger fruitless = new AtomicInteger();
  private final List<EventPoll> polls = new ArrayList<>();
  private final List<Sleeper> loops = new ArrayList<>();
  private ChannelSource source;
  private SocketAddress address;

  private void listen(int acceptsForEachWake) throws IOException {
    ServerSocketChannel listener = listener();
    address = listener.getLocalAddress();
    source = ChannelSource.of(listener);
    for (int i = 0; i < POLLS; i++) {
      EventPoll each = closedLater(Polls.create());
      polls.add(each);
      each.add(source, Events.IN | Events.EXCLUSIVE, i);
      loops.add(Sleeper.on(each, (from, to) -> loop(from, to, acceptsForEachWake)));
    }
  }

  private int loop(EventPoll from, ReadyEvents batch, int most) throws InterruptedException {
    try {
      for (; ; ) {
        if (from.await(batch) > 0) {
          wakes.incrementAndGet();
          accept(most);
        }
      }
    } catch (ClosedEventPollException e) {
      return 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void accept(int most) throws IOException {
    for (int i = 0; i < most; i++) {
      SocketChannel connection = source.accept();
      if (connection == null) {
        fruitless.addAndGet(i == 0 ? 1 : 0);
        return;
      }
      connection.close();
      accepted.incrementAndGet();
    }
  }

  private void end() throws Exception {
    polls.forEach(EventPoll::close);
    for (Sleeper loop : loops) {
      loop.events();
    }
  }

  private void connect() throws IOException {
    int before = accepted.get();
    SocketChannel client = SocketChannel.open(address);
    Sleeper.until(() -> accepted.get() > before, "the connection to be accepted");
    client.close();
  }

  @Test
  @DisplayName("KR-36, NOTES 53: about one wake and no fruitless accept for each connection")
  void oneWakeForEachConnection() throws Exception {
    listen(1);
    for (int i = 0; i < CONNECTIONS; i++) {
      connect();
    }
    end();
    assertThat(accepted).hasValue(CONNECTIONS);
    assertThat(wakes.get()).isLessThanOrEqualTo(CONNECTIONS * 11 / 10);
    assertThat(fruitless.get()).isLessThanOrEqualTo(CONNECTIONS / 10);
  }

  @Test
  @DisplayName("KR-36: also for loops that accept until would-block")
  void acceptUntilWouldBlock() throws Exception {
    listen(Integer.MAX_VALUE);
    for (int i = 0; i < CONNECTIONS; i++) {
      connect();
    }
    end();
    assertThat(accepted).hasValue(CONNECTIONS);
    assertThat(wakes.get()).isLessThanOrEqualTo(CONNECTIONS * 11 / 10);
    assertThat(fruitless.get()).isLessThanOrEqualTo(CONNECTIONS / 10);
  }

  @Test
  @DisplayName("KR-36: a burst is shared and nothing is left over")
  void burst() throws Exception {
    listen(1);
    List<SocketChannel> clients = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(SocketChannel.open(address));
    }
    Sleeper.until(() -> accepted.get() == CONNECTIONS, "all connections to be accepted");
    end();
    for (SocketChannel client : clients) {
      client.close();
    }
    assertThat(wakes.get()).isLessThanOrEqualTo(CONNECTIONS * 11 / 10);
    assertThat(fruitless.get()).isLessThanOrEqualTo(CONNECTIONS / 10);
  }

  @Test
  @DisplayName("KR-36: one poll is slow with its connection: the others get the later ones")
  void aSlowHolder() throws Exception {
    ServerSocketChannel listener = listener();
    address = listener.getLocalAddress();
    source = ChannelSource.of(listener);
    EventPoll slow = closedLater(Polls.create());
    EventPoll quick = closedLater(Polls.create());
    slow.add(source, Events.IN | Events.EXCLUSIVE, "slow");
    quick.add(source, Events.IN | Events.EXCLUSIVE, "quick");
    Sleeper first = Sleeper.on(slow);
    Sleeper second = Sleeper.on(quick);
    connected(listener);
    Sleeper.until(() -> first.isDone() || second.isDone(), "the first connection");
    assertThat(first.isDone() && second.isDone()).isFalse();
    closedLater(source.accept());
    connected(listener);
    assertThat(first.events()).containsExactly("slow IN");
    assertThat(second.events()).containsExactly("quick IN");
  }

  @Test
  @DisplayName("KR-36: the holder closes, or waits again, without having accepted: offered again")
  void holderThatDoesNotAccept() throws Exception {
    ServerSocketChannel listener = listener();
    source = ChannelSource.of(listener);
    EventPoll one = closedLater(Polls.create());
    one.add(source, Events.IN | Events.EXCLUSIVE, "one");
    connected(listener);
    assertThat(await(one)).containsExactly("one IN");
    assertThat(await(one)).containsExactly("one IN");
    poll.add(source, Events.IN | Events.EXCLUSIVE, "two");
    Sleeper sleeper = Sleeper.started(poll, EventPoll::await);
    one.close();
    assertThat(sleeper.events()).containsExactly("two IN");
  }
}
