package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * What the two ends of a pipe share: the pages, which end is closed, and who is told. Nobody is
 * told under the lock.
 */
final class PipeState {
  static final int READABLE = Events.IN | Events.RDNORM;
  static final int WRITABLE = Events.OUT | Events.WRNORM;

  /** What a read found: nothing, and nothing will come. */
  static final int END = -1;

  // Bits of the state.
  private static final int FILLED = 1;
  private static final int FULL = 2;
  private static final int READ_END_CLOSED = 4;
  private static final int WRITE_END_CLOSED = 8;

  private static final VarHandle TAKEN;
  private static final VarHandle PUT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAKEN = lookup.findVarHandle(PipeState.class, "taken", long.class);
      PUT = lookup.findVarHandle(PipeState.class, "put", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final PipePages pages;
  private final SpinLock lock = new SpinLock();

  final WaitQueue readers = new WaitQueue();
  final WaitQueue writers = new WaitQueue();

  /**
   * What both ends' readiness follows from. Written volatile by the holder of the lock, after every
   * change of the pages and before every ring: MO-ADD-1, MO-MOD-1.
   */
  private volatile int state;

  // How many bytes have gone through; written by the holder of the lock, read opaque by who looks.
  private long taken;
  private long put;

  PipeState(int pages) {
    this.pages = new PipePages(pages);
  }

  // Under the lock.
  private void publish() {
    int ends = state & (READ_END_CLOSED | WRITE_END_CLOSED);
    state = ends | (pages.isEmpty() ? 0 : FILLED) | (pages.isFull() ? FULL : 0); // MO-ADD-1
  }

  /** Moves bytes out of the pages; how many, or {@link #END}. */
  int take(ByteBuffer into, Object end) {
    int room = into.remaining();
    boolean freed = false;
    lock.lock();
    try {
      requireOpen(READ_END_CLOSED, end);
      if (room > 0 && pages.isEmpty()) {
        return (state & WRITE_END_CLOSED) != 0 ? END : 0;
      }
      boolean wasFull = pages.isFull();
      try {
        pages.take(into);
      } finally {
        freed = wasFull && !pages.isFull();
        TAKEN.setOpaque(this, taken + room - into.remaining());
        publish();
      }
    } finally {
      lock.unlock();
      if (freed) {
        writers.wakeOrdered(WRITABLE); // MO-ADD-1, MO-MOD-1: the state was stored
      }
    }
    return room - into.remaining();
  }

  /** Moves bytes into the pages; how many. */
  int put(ByteBuffer from, Object end) {
    int some = from.remaining();
    boolean ring = false;
    lock.lock();
    try {
      requireOpen(WRITE_END_CLOSED, end);
      if (some == 0) {
        return 0;
      }
      if ((state & READ_END_CLOSED) != 0) {
        throw new BrokenPipeException("the read end is closed, " + end + " cannot write");
      }
      ring = true; // also if nothing fits (Linux: fs/pipe.c:pipe_write)
      try {
        pages.put(from);
      } finally {
        PUT.setOpaque(this, put + some - from.remaining());
        publish();
      }
    } finally {
      lock.unlock();
      if (ring) {
        readers.wakeOrdered(READABLE); // MO-ADD-1, MO-MOD-1: the state was stored
      }
    }
    return some - from.remaining();
  }

  // Under the lock.
  private void requireOpen(int closed, Object end) {
    if ((state & closed) != 0) {
      throw new IllegalStateException(end + " is closed");
    }
  }

  /** How many bytes were taken so far; takes no lock. */
  long taken() {
    return (long) TAKEN.getOpaque(this);
  }

  /** How many bytes were put so far; takes no lock. */
  long put() {
    return (long) PUT.getOpaque(this);
  }

  int size() {
    lock.lock();
    try {
      return pages.size();
    } finally {
      lock.unlock();
    }
  }

  void closeReadEnd() {
    close(READ_END_CLOSED, readers, writers);
  }

  void closeWriteEnd() {
    close(WRITE_END_CLOSED, writers, readers);
  }

  /** Marks an end as closed and tells the other one, without saying what has happened to it. */
  private void close(int closed, WaitQueue own, WaitQueue other) {
    own.close();
    lock.lock();
    try {
      int seen = state;
      if ((seen & closed) != 0) {
        return;
      }
      state = seen | closed; // MO-ADD-1
      if (closed == READ_END_CLOSED) {
        pages.clear(); // the state keeps saying whether it was full, as there is no reading now
      }
    } finally {
      lock.unlock();
    }
    other.wakeAll(0); // MO-ADD-1, MO-MOD-1: the state was stored
  }

  int readEndReadiness() {
    int seen = state; // MO-ADD-1
    return ((seen & FILLED) != 0 ? READABLE : 0)
        | ((seen & WRITE_END_CLOSED) != 0 ? Events.HUP : 0);
  }

  int writeEndReadiness() {
    int seen = state; // MO-ADD-1
    return ((seen & FULL) == 0 ? WRITABLE : 0) | ((seen & READ_END_CLOSED) != 0 ? Events.ERR : 0);
  }
}
