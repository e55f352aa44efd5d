package io.github.eventpoll.modules;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;

/**
 * What {@link JfrModuleTest} runs in a Java of its own: everything that would be recorded, with or
 * without {@code jdk.jfr}. Uses the public API only, and JFR only if told to.
 */
public final class JfrProgram {
  private JfrProgram() {}

  /** With the argument {@code record} counts what is recorded, and needs {@code jdk.jfr}. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("record")) {
      System.out.println("kinds " + JfrCount.kinds(JfrProgram::run));
      return;
    }
    if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
      throw new AssertionError("jdk.jfr is there");
    }
    run();
    System.out.println("done");
  }

  private static void run() throws IOException, InterruptedException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    pipe.sink().configureBlocking(false);
    try (EventPoll poll = EventPoll.create();
        EventPoll inner = EventPoll.create();
        ChannelSource in = ChannelSource.of(pipe.source());
        EventFd fd = EventFd.create()) {
      poll.add(fd, Events.IN);
      waitAndWake(poll, fd);
      poll.add(in, Events.IN);
      pipe.sink().write(ByteBuffer.allocate(1));
      ReadyEvents ready = new ReadyEvents(4);
      require(poll.await(ready, Duration.ofSeconds(20)) == 1 && ready.source(0) == in);
      poll.add(inner, Events.IN);
      try {
        inner.add(poll, Events.IN);
        throw new AssertionError("a circle");
      } catch (EventPollArgumentException expected) {
        require(expected.getMessage().startsWith("ELOOP"));
      }
    } finally {
      pipe.sink().close();
    }
  }

  private static void waitAndWake(EventPoll poll, EventFd fd) throws InterruptedException {
    Thread waiter = new Thread(() -> poll.awaitUninterruptibly(new ReadyEvents(1)));
    waiter.start();
    while (poll.stats().waiters() == 0 || waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    fd.write(1);
    waiter.join();
    fd.read();
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }
}
