package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Threads wait on two polls of one driver for pipes that must never be forgotten, while others add,
 * change, remove and close channels of the same polls at random. What is lost hangs; what is
 * doubled or crowded is counted.
 */
@EveryPath
class ChurnTest extends ChannelTest {
  private static final int MESSAGES = Integer.getInteger("eventpoll.test.messages", 1500);
  private static final int PIPES = 6;

  private final EventPoll[] polls = new EventPoll[2];
  private final AtomicInteger seen = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  @DisplayName("KR-25 to KR-43, I-43, I-49, I-56, NOTES 43, 44, 49: nothing is lost in the churn")
  void nothingIsLost() throws Exception {
    ChannelDriver driver = ChannelDriver.open();
    churnOn(driver);
    assertThat(driver.replacements()).isZero();
  }

  @Test
  @DisplayName("KR-25, KR-42: never two threads in one selector, and none is left open")
  void neverTwoInOneSelector() throws Exception {
    CountingProvider provider = new CountingProvider();
    churnOn(ChannelDriver.open(provider));
    assertThat(provider.crowded).isFalse();
    assertThat(provider.openSelectors).hasValue(0);
  }

  private void churnOn(ChannelDriver driver) throws Exception {
    polls[0] = closedLater(driver.poll(Polls.builder()));
    polls[1] = closedLater(driver.poll(Polls.builder()));
    List<Pipe> pipes = new ArrayList<>();
    int[] masks = {Events.IN, Events.IN | Events.ET, Events.IN | Events.ONESHOT};
    for (int i = 0; i < PIPES; i++) {
      pipes.add(pipe());
      polls[i % 2].add(ChannelSource.of(pipes.get(i).source()), masks[i / 2], "kept");
    }
    List<Sleeper> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(Sleeper.started(polls[i % 2], this::work));
    }
    for (int i = 0; i < 2; i++) {
      threads.add(Sleeper.started(polls[i], (own, batch) -> churn(own, polls[0])));
    }
    for (int i = 0; i < MESSAGES; i++) {
      Pipe.SinkChannel to = pipes.get(i % PIPES).sink();
      while (to.write(ByteBuffer.allocate(1)) == 0) {
        Thread.yield();
      }
      if (i % 50 == 49) {
        int sent = i + 1;
        Sleeper.until(() -> seen.get() == sent, "all that was sent: " + seen + driver + dumps());
      }
    }
    over.set(true);
    for (EventPoll each : polls) {
      each.close();
    }
    for (Sleeper thread : threads) {
      thread.events();
    }
    assertThat(seen).hasValue(MESSAGES);
  }

  private String dumps() {
    return polls[0].dump() + polls[1].dump();
  }

  private int work(EventPoll own, ReadyEvents batch) throws InterruptedException {
    try {
      while (!over.get()) {
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
          own.awaitNanos(batch, ThreadLocalRandom.current().nextInt(3_000_000));
        } else {
          own.await(batch);
        }
        for (int i = 0; i < batch.size(); i++) {
          serve(batch, i);
        }
      }
    } catch (ClosedEventPollException e) {
      // the end
    }
    return 0;
  }

  private void serve(ReadyEvents batch, int index) {
    if (batch.attachment(index) != "kept") {
      return;
    }
    try {
      int read;
      do {
        read = read((ChannelSource) batch.source(index), 16);
        seen.addAndGet(read);
      } while (read == 16);
      EpItem item = batch.item(index);
      if ((item.interest() & Events.ONESHOT) != 0) {
        item.modify(Events.IN | Events.ONESHOT);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (EventPollStateException e) {
      assertThat(over).isTrue();
    }
  }

  /** Adds channels of its own to a poll and ends them in every way, until the test is over. */
  private int churn(EventPoll own, EventPoll other) throws InterruptedException {
    while (!over.get()) {
      try {
        Pipe pipe = openPipe();
        ChannelSource in = ChannelSource.of(pipe.source());
        ChannelSource out = ChannelSource.of(pipe.sink());
        try {
          changes(own, other, in, out);
        } catch (EventPollStateException e) {
          if (!over.get()) {
            throw e;
          }
        } finally {
          end(ThreadLocalRandom.current(), in, out);
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return 0;
  }

  private static void changes(EventPoll own, EventPoll other, ChannelSource in, ChannelSource out)
      throws IOException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    EpItem item = own.add(in, Events.IN | Events.ET, "churn");
    other.add(out, 1, random.nextBoolean() ? Events.OUT | Events.ONESHOT : 0, "churn");
    out.write(ByteBuffer.allocate(1));
    item.modify(random.nextBoolean() ? 0 : Events.IN | Events.ONESHOT);
    if (random.nextBoolean()) {
      item.remove();
      own.add(in, 2, Events.IN | Events.ONESHOT, "churn");
    }
    if (random.nextInt(8) == 0) {
      EventPoll.awaitOne(in, Events.IN, Duration.ofNanos(random.nextInt(2_000_000)));
    }
  }

  private static void end(ThreadLocalRandom random, ChannelSource in, ChannelSource out)
      throws IOException {
    if (random.nextBoolean()) {
      in.close();
      out.close();
    } else {
      out.channel().close();
      in.channel().close();
      if (random.nextBoolean()) {
        in.close();
      }
    }
  }
}
