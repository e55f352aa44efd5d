package io.github.eventpoll.examples;

import io.github.eventpoll.nio.ChannelSource;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link LineServer} behaves, faults included.
 *
 * @param idle how long a connection may be silent
 * @param retry how long to wait when accepting has failed
 * @param acceptor accepts; one that throws plants a failure
 * @param copies how often a line is echoed: once, everything else is a planted fault
 */
record LineSettings(
    Duration idle, Duration retry, Acceptor acceptor, ToIntFunction<String> copies) {

  /** How a connection is accepted. */
  interface Acceptor {
    /** The next connection, null for would-block. */
    @Nullable SocketChannel accept(ChannelSource listener) throws IOException;
  }

  static LineSettings idleAfter(Duration idle) {
    return new LineSettings(idle, Duration.ofMillis(100), ChannelSource::accept, line -> 1);
  }

  LineSettings acceptingBy(Acceptor other) {
    return new LineSettings(idle, retry, other, copies);
  }

  LineSettings echoing(ToIntFunction<String> other) {
    return new LineSettings(idle, retry, acceptor, other);
  }

  /** From the nth connection on, some attempts to accept fail as if there were no descriptors. */
  static Acceptor shortOfFiles(int connection, int failures) {
    return new Acceptor() {
      private int accepted; // by one worker at a time: the listener is one-shot
      private int failed;

      @Override
      public @Nullable SocketChannel accept(ChannelSource listener) throws IOException {
        if (accepted == connection && failed < failures) {
          failed++;
          throw new IOException("Too many open files (planted)");
        }
        SocketChannel channel = listener.accept();
        accepted += channel == null ? 0 : 1;
        return channel;
      }
    };
  }
}
