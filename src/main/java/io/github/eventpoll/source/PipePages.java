package io.github.eventpoll.source;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What is inside a pipe: a queue of pages. Where bytes go and when there is room for more is
 * decided as in Linux (fs/pipe.c:pipe_write, pipe_read), because writers can see it. Not
 * thread-safe.
 */
final class PipePages {
  /** The page of Linux on most machines, and its PIPE_BUF. */
  static final int PAGE = 4096;

  private static final class Page {
    final byte[] bytes = new byte[PAGE];

    /** The first byte that was not read. */
    int start;

    /** The first place that was not written. A place that was read is not written again. */
    int end;
  }

  private final ArrayDeque<Page> pages = new ArrayDeque<>();
  private final int most;
  private @Nullable Page spare;
  private int size;

  /** With room for so many pages. */
  PipePages(int most) {
    this.most = most;
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** True if no page is free; there may be places left in the last one. */
  boolean isFull() {
    return pages.size() >= most;
  }

  /** The number of bytes inside. */
  int size() {
    return size;
  }

  /**
   * Takes over as many bytes as fit. What exceeds whole pages goes behind what is in the last page,
   * if it fits there as a whole; everything else begins on a page of its own. So up to a page goes
   * in as a whole or not at all.
   */
  void put(ByteBuffer from) {
    int odd = from.remaining() % PAGE;
    Page last = pages.peekLast();
    if (last != null && last.end + odd <= PAGE) {
      fill(last, from, odd);
    }
    while (from.hasRemaining() && !isFull()) {
      Page page = spare == null ? new Page() : spare;
      spare = null;
      fill(page, from, Math.min(PAGE, from.remaining()));
      pages.addLast(page); // not if the buffer has thrown
    }
  }

  private void fill(Page page, ByteBuffer from, int count) {
    from.get(page.bytes, page.end, count);
    page.end += count;
    size += count;
  }

  /** Hands over as many bytes as the buffer has room for, the oldest first. */
  void take(ByteBuffer into) {
    while (into.hasRemaining() && !pages.isEmpty()) {
      Page first = pages.getFirst();
      int count = Math.min(into.remaining(), first.end - first.start);
      into.put(first.bytes, first.start, count);
      first.start += count;
      size -= count;
      if (first.start == first.end) {
        recycle(pages.removeFirst());
      }
    }
  }

  private void recycle(Page page) {
    page.start = 0;
    page.end = 0;
    spare = page;
  }

  /** Drops what is inside. */
  void clear() {
    pages.clear();
    spare = null;
    size = 0;
  }
}
