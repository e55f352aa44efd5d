package io.github.eventpoll.source;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;

/**
 * A pipe of bytes in memory, with the semantics of pipe(7): a stream from a write end to a read
 * end, each of which is a source of its own.
 *
 * <ul>
 *   <li>The {@link ReadEnd} is ready for IN (and RDNORM) while there are bytes inside, and for HUP
 *       once the write end is closed, also while there are. Every write is an IN edge, read or not.
 *   <li>The {@link WriteEnd} is ready for OUT (and WRNORM) while a page is free, and for ERR once
 *       the read end is closed. The only OUT edge is the read that frees a page of a full pipe: one
 *       byte read from a full pipe is none.
 *   <li>An end that is closed leaves every poll. It is an edge of the other end, of which exclusive
 *       items hear as well, all of them.
 * </ul>
 *
 * <p>Room is counted in pages of {@value #PAGE} bytes. A write of up to a page goes in as a whole
 * or not at all, so that messages of several writers do not mix; it may fit into what is left of
 * the last page when no page is free, that is without OUT. A longer write takes what room there is.
 *
 * <p>Any number of threads may use either end. They share a short lock, held while bytes are
 * copied; {@code readiness} takes none. Of several threads that block in a write longer than a page
 * the bytes may mix.
 *
 * <p>Memory consistency effects: what a thread did before it wrote a byte or closed the write end
 * is visible to the thread that reads the byte or finds the end.
 *
 * @since 0.1
 */
public final class BytePipe implements AutoCloseable {
  /** The bytes of one page: up to so many are written as a whole (Linux: PIPE_BUF). */
  public static final int PAGE = PipePages.PAGE;

  private static final int DEFAULT_CAPACITY = 16 * PAGE;
  private static final int MOST_CAPACITY = 1 << 30;

  private final int capacity;
  private final PipeState state;
  private final ReadEnd readEnd = new ReadEnd();
  private final WriteEnd writeEnd = new WriteEnd();

  private BytePipe(int capacity) {
    this.capacity = capacity;
    this.state = new PipeState(capacity / PAGE);
  }

  /**
   * Makes an empty pipe of 64 KiB, as Linux does.
   *
   * @return a new pipe
   */
  public static BytePipe create() {
    return new BytePipe(DEFAULT_CAPACITY);
  }

  /**
   * Makes an empty pipe. The memory for bytes is taken as they come.
   *
   * @param capacity the most bytes inside, at least 1 and at most 2^30; rounded up to a number of
   *     pages that is a power of two (Linux: F_SETPIPE_SZ)
   * @return a new pipe
   * @throws IllegalArgumentException if the capacity is out of range
   */
  public static BytePipe create(int capacity) {
    if (capacity < 1 || capacity > MOST_CAPACITY) {
      throw new IllegalArgumentException("a capacity of " + capacity + " is not in 1 .. 2^30");
    }
    int highest = Integer.highestOneBit(Math.max(PAGE, capacity));
    return new BytePipe(highest < capacity ? 2 * highest : highest);
  }

  /**
   * The end to read from.
   *
   * @return always the same
   */
  public ReadEnd readEnd() {
    return readEnd;
  }

  /**
   * The end to write to.
   *
   * @return always the same
   */
  public WriteEnd writeEnd() {
    return writeEnd;
  }

  /**
   * How many bytes whole pages hold.
   *
   * @return the capacity in bytes, a multiple of {@link #PAGE}
   */
  public int capacity() {
    return capacity;
  }

  /** Closes both ends. What is inside is lost. */
  @Override
  public void close() {
    writeEnd.close();
    readEnd.close();
  }

  @Override
  public String toString() {
    return "BytePipe[" + readEnd + ", " + writeEnd + "]";
  }

  /**
   * The end to read from. Ready for IN and RDNORM while there are bytes inside, for HUP once the
   * write end is closed.
   *
   * @since 0.1
   */
  public final class ReadEnd implements Pollable, AutoCloseable {
    private ReadEnd() {}

    /**
     * Takes the oldest bytes, as many as there are and the buffer has room for; never blocks. Wakes
     * writers with OUT if this frees a page of a full pipe.
     *
     * @param into gets the bytes
     * @return how many were taken; 0 if there are none, or no room in the buffer; −1 if there are
     *     none and the write end is closed
     * @throws ReadOnlyBufferException if nothing may be put into the buffer
     * @throws IllegalStateException if this end is closed
     */
    public int tryRead(ByteBuffer into) {
      if (into.isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
      return state.take(into, this);
    }

    /**
     * Takes the oldest bytes and waits while there are none.
     *
     * @param into gets the bytes
     * @return how many were taken, 0 only if there is no room in the buffer; −1 if there are none
     *     and the write end is closed
     * @throws ReadOnlyBufferException if nothing may be put into the buffer
     * @throws IllegalStateException if this end is or gets closed
     * @throws InterruptedException if interrupted while waiting; nothing was taken
     */
    public int read(ByteBuffer into) throws InterruptedException {
      for (; ; ) {
        int taken = tryRead(into);
        if (taken != 0 || !into.hasRemaining()) {
          return taken;
        }
        EventPoll.awaitOne(this, Events.IN, null);
      }
    }

    /**
     * Takes the oldest bytes and waits while there are none, but not for ever.
     *
     * @param into gets the bytes
     * @param timeout the longest to wait; zero or negative does not wait
     * @return how many were taken, 0 if none came in time or there is no room in the buffer; −1 if
     *     there are none and the write end is closed
     * @throws ReadOnlyBufferException if nothing may be put into the buffer
     * @throws IllegalStateException if this end is or gets closed
     * @throws InterruptedException if interrupted while waiting; nothing was taken
     */
    public int read(ByteBuffer into, Duration timeout) throws InterruptedException {
      Remaining remaining = new Remaining(timeout);
      for (; ; ) {
        int taken = tryRead(into);
        if (taken != 0 || !into.hasRemaining()) {
          return taken;
        }
        if (EventPoll.awaitOne(this, Events.IN, remaining.get()) == 0) {
          return tryRead(into);
        }
      }
    }

    /**
     * How many bytes are inside (Linux: FIONREAD).
     *
     * @return the number, 0 once this end is closed
     */
    public int available() {
      return state.size();
    }

    /**
     * This end as a stream whose reads block. An interrupt ends a read with {@link
     * java.io.InterruptedIOException} and stays set. To close the stream is to close this end.
     *
     * @return a new stream, as safe for threads as this end
     */
    public InputStream inputStream() {
      return new PipeStreams.In(this);
    }

    @Override
    public int readiness() {
      return state.readEndReadiness();
    }

    @Override
    public WaitQueue waitQueue() {
      return state.readers;
    }

    @Override
    public int traits() {
      return ORDERED_STATE;
    }

    /**
     * Closes this end: it leaves every poll, threads blocked in read fail, what is inside is lost,
     * and the write end is told and reports ERR. Closing twice does nothing.
     */
    @Override
    public void close() {
      state.closeReadEnd();
    }

    @Override
    public String toString() {
      return "ReadEnd["
          + (state.readers.isClosed()
              ? "closed"
              : Events.toString(readiness()) + ", read " + state.taken())
          + "]";
    }
  }

  /**
   * The end to write to. Ready for OUT and WRNORM while a page is free, for ERR once the read end
   * is closed.
   *
   * @since 0.1
   */
  public final class WriteEnd implements Pollable, AutoCloseable {
    private WriteEnd() {}

    /**
     * Puts bytes into the pipe, as many as fit; never blocks. Up to a page goes in as a whole or
     * not at all. Wakes readers with IN, even if nothing fits; not if there is nothing to write.
     *
     * @param from the bytes, of which those that were written are taken
     * @return how many were written; 0 if there is no room, or nothing to write
     * @throws BrokenPipeException if the read end is closed and there is something to write
     * @throws IllegalStateException if this end is closed
     */
    public int tryWrite(ByteBuffer from) {
      return state.put(from, this);
    }

    /**
     * Puts all bytes into the pipe and waits for room if need be.
     *
     * @param from the bytes, of which those that were written are taken
     * @throws BrokenPipeException if the read end is or gets closed
     * @throws IllegalStateException if this end is or gets closed
     * @throws InterruptedException if interrupted while waiting; what was not written is what
     *     remains in the buffer
     */
    public void write(ByteBuffer from) throws InterruptedException {
      tryWrite(from);
      while (from.hasRemaining()) {
        EventPoll.awaitOne(this, Events.OUT, null);
        tryWrite(from);
      }
    }

    /**
     * Puts all bytes into the pipe and waits for room if need be, but not for ever.
     *
     * @param from the bytes, of which those that were written are taken
     * @param timeout the longest to wait; zero or negative does not wait
     * @return true if all bytes were written; if not, what was not is what remains in the buffer
     * @throws BrokenPipeException if the read end is or gets closed
     * @throws IllegalStateException if this end is or gets closed
     * @throws InterruptedException if interrupted while waiting; what was not written is what
     *     remains in the buffer
     */
    public boolean write(ByteBuffer from, Duration timeout) throws InterruptedException {
      Remaining remaining = new Remaining(timeout);
      tryWrite(from);
      while (from.hasRemaining() && EventPoll.awaitOne(this, Events.OUT, remaining.get()) != 0) {
        tryWrite(from);
      }
      return !from.hasRemaining();
    }

    /**
     * This end as a stream whose writes block. An interrupt ends a write with {@link
     * java.io.InterruptedIOException}, which says how many bytes were written, and stays set. To
     * close the stream is to close this end.
     *
     * @return a new stream, as safe for threads as this end
     */
    public OutputStream outputStream() {
      return new PipeStreams.Out(this);
    }

    @Override
    public int readiness() {
      return state.writeEndReadiness();
    }

    @Override
    public WaitQueue waitQueue() {
      return state.writers;
    }

    @Override
    public int traits() {
      return ORDERED_STATE;
    }

    /**
     * Closes this end: it leaves every poll, threads blocked in write fail, and the read end is
     * told and reports HUP. What is inside can still be read. Closing twice does nothing.
     */
    @Override
    public void close() {
      state.closeWriteEnd();
    }

    @Override
    public String toString() {
      return "WriteEnd["
          + (state.writers.isClosed()
              ? "closed"
              : Events.toString(readiness()) + ", written " + state.put())
          + "]";
    }
  }
}
