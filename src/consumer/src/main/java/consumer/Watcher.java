package consumer;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Second use, in the place of a selector: a thread waits for channels while others add channels and
 * change what is watched, which takes effect at once.
 */
final class Watcher implements Runnable, AutoCloseable {
  private final EventPoll poll = EventPoll.create();
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  /** Watches the reading end of a pipe under a name, from any thread. */
  EpItem watch(Pipe pipe, int events, String name) throws IOException {
    pipe.source().configureBlocking(false);
    return poll.add(ChannelSource.of(pipe.source()), events, name);
  }

  /** The name of the channel that had something next. */
  String next() throws InterruptedException {
    return String.valueOf(seen.poll(30, TimeUnit.SECONDS));
  }

  @Override
  public void run() {
    ReadyEvents ready = new ReadyEvents(4);
    try {
      while (true) {
        int n = poll.await(ready);
        for (int i = 0; i < n; i++) {
          if ((ready.events(i) & Events.IN) != 0) {
            ((ChannelSource) ready.source(i)).read(ByteBuffer.allocate(64));
            seen.add(String.valueOf(ready.attachment(i)));
          }
        }
      }
    } catch (ClosedEventPollException e) {
      // close() is how it ends.
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    poll.close();
  }
}
