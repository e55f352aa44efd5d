package io.github.eventpoll.bench;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelDriver;
import io.github.eventpoll.nio.ChannelSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The library: one poll, on which one or more threads wait. */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
final class PollEcho extends EchoServer {
  private final int mask;
  private final ChannelDriver driver = ChannelDriver.open();
  private final EventPoll poll = driver.poll();
  private final List<Thread> threads = new ArrayList<>();

  /** Waits of a single waiter; written by it. */
  private volatile long waits;

  PollEcho(int mode, int waiters) {
    mask = Events.IN | mode;
    for (int i = 0; i < waiters; i++) {
      threads.add(start("waiter" + i, this::loop));
    }
  }

  /** How many selects there were so far. */
  long selects() {
    return driver.passes();
  }

  /** How many waits a single waiter has made so far. */
  long waits() {
    return waits;
  }

  @Override
  void serve(SocketChannel accepted) {
    poll.add(ChannelSource.of(accepted), mask);
  }

  private void loop() throws IOException, InterruptedException {
    ReadyEvents ready = new ReadyEvents(256);
    ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
    try {
      for (long i = 0; ; i++) {
        waits = i;
        int found = poll.await(ready);
        for (int k = 0; k < found; k++) {
          ready(ready, k, buffer);
        }
      }
    } catch (ClosedEventPollException e) {
      // the end
    }
  }

  private void ready(ReadyEvents ready, int index, ByteBuffer buffer) throws IOException {
    ChannelSource source = (ChannelSource) ready.source(index);
    buffer.clear();
    if (source.read(buffer) < 0) {
      source.close();
      return;
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      source.write(buffer);
    }
    if ((mask & Events.ONESHOT) != 0) {
      ready.item(index).modify(mask);
    }
  }

  @Override
  public void close() throws Exception {
    poll.close();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
