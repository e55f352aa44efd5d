package io.github.eventpoll.stress;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.nio.ChannelSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A real pipe or connection in a stress round: what is written at one end is read at the other. */
final class StressChannel extends StressSource {
  private static final long FAIL_SAFE_NANOS = 10_000_000_000L;

  private final ChannelSource in;
  private final WritableByteChannel out;

  /** Bytes that are on the way; never too large while nobody writes. */
  private final AtomicLong inside = new AtomicLong();

  /** When the last read began that has met would-block. */
  private final AtomicLong lastDrained = new AtomicLong(Long.MIN_VALUE);

  /** Somebody has closed it, or an interrupt has. */
  private volatile boolean closed;

  private <C extends SelectableChannel & WritableByteChannel> StressChannel(
      String name, SelectableChannel from, C to) throws IOException {
    super(name);
    from.configureBlocking(false);
    to.configureBlocking(false);
    in = ChannelSource.of(from);
    out = to;
  }

  static StressChannel pipe(String name) {
    try {
      Pipe pipe = Pipe.open();
      return new StressChannel(name, pipe.source(), pipe.sink());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static StressChannel connection(String name) {
    boolean interrupted = false;
    try {
      for (; ; ) {
        interrupted |= Thread.interrupted();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
          listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
          SocketChannel to = SocketChannel.open(listener.getLocalAddress());
          return new StressChannel(name, listener.accept(), to);
        } catch (ClosedByInterruptException e) {
          interrupted = true; // once more; the other end is gone with the listener
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  Pollable pollable() {
    return in;
  }

  @Override
  boolean isChannel() {
    return true;
  }

  @Override
  long add(long value) {
    try {
      int written =
          out.write(ByteBuffer.allocate((int) value)); // less than asked for if it is full
      inside.getAndAdd(written);
      return written;
    } catch (ClosedChannelException e) {
      closed = true;
    } catch (IOException e) {
      requireClosed(e); // the other end is closed
    }
    return -1;
  }

  @Override
  long take() {
    return take(ThreadLocalRandom.current().nextBoolean() ? 2 : 64);
  }

  private long take(int most) {
    ByteBuffer bytes = ByteBuffer.allocate(most);
    long start = System.nanoTime();
    int read;
    try {
      read = in.read(bytes);
    } catch (ClosedChannelException e) {
      closed = true;
      return 0;
    } catch (IOException e) {
      requireClosed(e);
      return 0;
    }
    if (read < most) {
      lastDrained.accumulateAndGet(start, Math::max);
    }
    if (read < 0) {
      closed = true;
    }
    inside.getAndAdd(-Math.max(0, read));
    return Math.max(0, read);
  }

  private void requireClosed(IOException e) {
    if (!closed) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  long count() {
    return inside.get();
  }

  /** Whether it is known to be ready; what is not known yet is judged by {@link #hasUntold}. */
  @Override
  boolean isReady() {
    return (in.readiness() & Events.IN) != 0;
  }

  /** Bytes are there that a waiter ought to be told of, unless that was when it says. */
  boolean hasUntold(boolean edge, long delivered) {
    return !closed && inside.get() > 0 && !(edge && delivered > lastDrained.get());
  }

  /** Reads what is left: as much as was written and not read so far, and nothing else. */
  @Override
  String wrongSum() {
    long end = System.nanoTime() + FAIL_SAFE_NANOS;
    while (!closed && inside.get() > 0) {
      if (read() == 0 && System.nanoTime() - end > 0) {
        return this + ": " + inside + " bytes do not come";
      }
    }
    long more = closed ? 0 : read();
    return closed || more == 0 ? super.wrongSum() : this + ": " + more + " bytes too many";
  }

  /** Closes both ends, through the source or behind its back. */
  @Override
  void close() {
    closed = true;
    boolean first = ThreadLocalRandom.current().nextBoolean();
    close(first ? out : in);
    close(ThreadLocalRandom.current().nextBoolean() ? in : in.channel());
    close(out);
  }

  private static void close(AutoCloseable one) {
    try {
      one.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
