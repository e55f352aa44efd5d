package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pipe with several threads at its ends. */
@EveryPath
class BytePipeThreadsTest {
  private static final int LIMIT_SECONDS = 30;
  private static final int WRITERS = 2;
  private static final int MESSAGES = 1_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BytePipe pipe = BytePipe.create(1);
  private final BytePipe.ReadEnd in = pipe.readEnd();
  private final BytePipe.WriteEnd out = pipe.writeEnd();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static <T> T result(Future<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Each message is a length and as many bytes of that value: if they mixed it would show. */
  private Void writeMessages() throws InterruptedException {
    for (int i = 0; i < MESSAGES; i++) {
      int length = 1 + i % 100;
      ByteBuffer message = ByteBuffer.allocate(1 + length).put((byte) length);
      while (message.hasRemaining()) {
        message.put((byte) length);
      }
      out.write(message.flip());
    }
    return null;
  }

  private static int countMessages(ByteBuffer all) {
    int count = 0;
    for (; all.hasRemaining(); count++) {
      byte length = all.get();
      for (int i = 0; i < length; i++) {
        assertThat(all.get()).isEqualTo(length);
      }
    }
    return count;
  }

  private ByteBuffer readAll(Callable<Integer> wait) throws Exception {
    ByteBuffer all = ByteBuffer.allocate(WRITERS * MESSAGES * 101);
    for (; ; ) {
      int taken = in.tryRead(all);
      if (taken < 0) {
        return all.flip();
      }
      if (taken == 0) {
        wait.call();
      }
    }
  }

  private Future<Void> writersThatCloseAtTheEnd() {
    List<Future<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(threads.submit(this::writeMessages));
    }
    return threads.submit(
        () -> {
          for (Future<Void> writer : writers) {
            result(writer);
          }
          out.close();
          return null;
        });
  }

  @Test
  void blockingWritersAndABlockingReader() throws Exception {
    Future<Void> writers = writersThatCloseAtTheEnd();
    ByteBuffer all = readAll(() -> EventPoll.awaitOne(in, Events.IN, null));
    result(writers);
    assertThat(countMessages(all)).isEqualTo(WRITERS * MESSAGES);
  }

  @Test
  void blockingWritersAndAnEdgeTriggeredReader() throws Exception {
    EventPoll poll = Polls.create();
    ReadyEvents ready = new ReadyEvents(1);
    poll.add(in, Events.IN | Events.ET, "in");
    Future<Void> writers = writersThatCloseAtTheEnd();
    Future<ByteBuffer> all = threads.submit(() -> readAll(() -> poll.await(ready)));
    result(writers);
    assertThat(countMessages(result(all))).isEqualTo(WRITERS * MESSAGES);
  }

  @Test
  void anEdgeTriggeredWriterAndABlockingReader() throws Exception {
    int bytes = 200 * BytePipe.PAGE;
    EventPoll poll = Polls.create();
    poll.add(out, Events.OUT | Events.ET, "out");
    Future<Void> writer =
        threads.submit(
            () -> {
              ByteBuffer from = ByteBuffer.allocate(bytes);
              ReadyEvents ready = new ReadyEvents(1);
              while (from.hasRemaining()) {
                if (out.tryWrite(from) == 0) {
                  poll.await(ready);
                }
              }
              out.close();
              return null;
            });
    Future<Integer> read =
        threads.submit(
            () -> {
              int sum = 0;
              ByteBuffer some = ByteBuffer.allocate(1000);
              for (int n = in.read(some); n >= 0; n = in.read(some.clear())) {
                sum += n;
              }
              return sum;
            });
    result(writer);
    assertThat(result(read)).isEqualTo(bytes);
  }

  @Test
  void closingTheOwnEndEndsABlockedCall() throws Exception {
    Future<Integer> reader = threads.submit(() -> in.read(ByteBuffer.allocate(1)));
    awaitBlocked(in);
    in.close();
    assertEndsWith(reader, IllegalStateException.class);
  }

  @Test
  void closingTheOtherEndEndsABlockedCall() throws Exception {
    Future<Integer> reader = threads.submit(() -> in.read(ByteBuffer.allocate(1)));
    awaitBlocked(in);
    out.close();
    assertThat(result(reader)).isEqualTo(-1);

    BytePipe other = BytePipe.create(1);
    Future<Void> writer =
        threads.submit(
            () -> {
              other.writeEnd().write(ByteBuffer.allocate(2 * BytePipe.PAGE));
              return null;
            });
    awaitBlocked(other.writeEnd());
    other.readEnd().close();
    assertEndsWith(writer, BrokenPipeException.class);
  }

  private static void awaitBlocked(Pollable end) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!end.waitQueue().hasEntries()) {
      assertThat(System.nanoTime() - limit).as("nobody waits").isNegative();
      Thread.yield();
    }
  }

  private static void assertEndsWith(Future<?> future, Class<? extends Throwable> type) {
    assertThatThrownBy(() -> result(future))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(type);
  }
}
