package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.ArrayDeque;

/**
 * A pipe of two pages that readies and rings as the kernel's does, to watch in the library: the
 * kernel's own stands beside it in every comparison. The library has none yet.
 */
final class Pipe {
  /** The kernel's pages, as long as they are 4096 bytes. */
  static final int PAGE = 4096;

  private static final int PAGES = 2;
  private static final int READABLE = Events.IN | Events.RDNORM;
  private static final int WRITABLE = Events.OUT | Events.WRNORM;

  /** What lies in one page: where it ends, and how much of it has not been read. */
  private static final class Page {
    int end;
    int left;
  }

  final ReadEnd readEnd = new ReadEnd();
  final WriteEnd writeEnd = new WriteEnd();

  private final ArrayDeque<Page> pages = new ArrayDeque<>();

  /** Once anybody has asked for readiness, every write rings, not only one to an empty pipe. */
  private boolean asked;

  private boolean full() {
    return pages.size() >= PAGES;
  }

  /** The end to read from. */
  final class ReadEnd extends End {
    /** Rings the writers only if a page was emptied while there was no other. */
    int take(int bytes) {
      requireOpen();
      int taken = 0;
      boolean room = false;
      synchronized (Pipe.this) {
        if (pages.isEmpty() && writeEnd.open) {
          throw new Refused("EAGAIN");
        }
        while (taken < bytes && !pages.isEmpty()) {
          Page first = pages.getFirst();
          int some = Math.min(bytes - taken, first.left);
          first.left -= some;
          taken += some;
          if (first.left == 0) {
            room |= full();
            pages.removeFirst();
          }
        }
      }
      if (room) {
        writeEnd.queue.wake(WRITABLE);
      }
      return taken;
    }

    @Override
    int ready() {
      return (pages.isEmpty() ? 0 : READABLE) | (writeEnd.open ? 0 : Events.HUP);
    }

    @Override
    End other() {
      return writeEnd;
    }
  }

  /** The end to write to. */
  final class WriteEnd extends End {
    int put(int bytes) {
      requireOpen();
      int left;
      boolean ring;
      synchronized (Pipe.this) {
        if (!readEnd.open) {
          throw new Refused("EPIPE");
        }
        ring = pages.isEmpty() || asked; // also if nothing fits
        left = bytes - merge(bytes % PAGE);
        while (left > 0 && !full()) {
          Page page = new Page();
          page.left = Math.min(PAGE, left);
          page.end = page.left;
          pages.addLast(page);
          left -= page.left;
        }
      }
      if (ring) {
        readEnd.queue.wake(READABLE);
      }
      if (left == bytes) {
        throw new Refused("EAGAIN");
      }
      return bytes - left;
    }

    /** What is not a whole page goes behind what is there, if it fits as a whole. */
    private int merge(int bytes) {
      Page last = pages.peekLast();
      if (last == null || last.end + bytes > PAGE) {
        return 0;
      }
      last.end += bytes;
      last.left += bytes;
      return bytes;
    }

    @Override
    int ready() {
      return (full() ? 0 : WRITABLE) | (readEnd.open ? 0 : Events.ERR);
    }

    @Override
    End other() {
      return readEnd;
    }
  }

  /** What both ends are. */
  abstract class End implements Pollable, AutoCloseable {
    final WaitQueue queue = new WaitQueue();
    boolean open = true;

    abstract int ready();

    abstract End other();

    @Override
    public int readiness() {
      synchronized (Pipe.this) {
        asked = true;
        return ready();
      }
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }

    void requireOpen() {
      synchronized (Pipe.this) {
        if (!open) {
          throw new Refused("EBADF");
        }
      }
    }

    @Override
    public void close() {
      queue.close();
      synchronized (Pipe.this) {
        if (!open) {
          return;
        }
        open = false;
      }
      other().queue.wake(0);
    }
  }
}
