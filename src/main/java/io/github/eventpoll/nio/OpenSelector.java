package io.github.eventpoll.nio;

import io.github.eventpoll.internal.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.Consumer;

/**
 * A selector with a pipe of our own in it, through which a sleeper is woken: a third of the time
 * that {@link Selector#wakeup()} takes, whose caller holds a lock that the woken thread needs.
 */
final class OpenSelector {
  private final Selector selector;
  private final Pipe pipe;
  private final Consumer<SelectionKey> action;
  private final ByteBuffer out = ByteBuffer.allocateDirect(1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(64);

  /** How many channels have keys here, as far as we know; the turn. */
  private int expectedKeys;

  /** The pipe was found to be written to in this pass; the turn. */
  private boolean woken;

  /** The last select came back before its time; the turn. */
  private boolean early;

  private OpenSelector(Selector selector, Pipe pipe, Consumer<SelectionKey> collect) {
    this.selector = selector;
    this.pipe = pipe;
    this.action =
        key -> {
          if (key.attachment() == null) {
            drain();
          } else {
            collect.accept(key);
          }
        };
  }

  /** Opens a selector whose channels are collected so. */
  static OpenSelector of(SelectorProvider provider, Consumer<SelectionKey> collect)
      throws IOException {
    Selector selector = provider.openSelector();
    Pipe pipe = null;
    try {
      pipe = provider.openPipe();
      pipe.sink().configureBlocking(false);
      pipe.source().configureBlocking(false);
      pipe.source().register(selector, SelectionKey.OP_READ);
      return new OpenSelector(selector, pipe, collect);
    } catch (IOException e) {
      if (pipe != null) {
        close(pipe.sink());
        close(pipe.source());
      }
      close(selector);
      throw e;
    }
  }

  /** A new pass: nobody was woken in it yet. */
  void beginPass() {
    woken = false;
  }

  SelectionKey register(Registration registration, int ops) throws IOException {
    SelectableChannel channel = registration.source.channel;
    if (channel.keyFor(selector) != null) {
      select(0); // a cancelled key stands in the way until it is flushed (KR-39)
    }
    SelectionKey key = channel.register(selector, ops, registration);
    expectedKeys++;
    return key;
  }

  int expectedKeys() {
    return expectedKeys;
  }

  void keyGone() {
    expectedKeys--;
  }

  int actualKeys() {
    return selector.keys().size() - 1;
  }

  /**
   * Sleeps and collects; not if this pass has found the pipe written to already. True if it has by
   * now.
   *
   * @param limit in milliseconds; negative without limit, 0 not at all
   */
  boolean select(long limit) throws IOException {
    long millis = woken ? 0 : limit;
    long start = millis > 0 ? System.nanoTime() : 0;
    if (millis == 0) {
      selector.selectNow(action);
    } else if (millis < 0) {
      selector.select(action);
    } else {
      selector.select(action, millis);
    }
    early = millis < 0 || (millis > 0 && System.nanoTime() - start < millis * 1_000_000);
    return woken;
  }

  /** The last select came back before its time, and no interrupt explains it. */
  boolean cameEarly() {
    return early && !Thread.currentThread().isInterrupted();
  }

  /** For how long to select so as to return by an instant; as in {@link #select}. */
  static long millisUntil(long until) {
    if (until == Clock.NEVER) {
      return -1;
    }
    return until < 0 ? 0 : Math.max(0, until - Clock.system().now()) / 1_000_000;
  }

  private void drain() {
    woken = true;
    try {
      do {
        in.clear();
      } while (pipe.source().read(in) == in.capacity());
    } catch (IOException e) {
      // closed with the selector: nobody is to be woken any more
    }
  }

  /** Ends the present or the next select. Any thread; also one that is interrupted. */
  void wake() {
    try {
      pipe.sink().write(out.duplicate()); // if it is full, a wake is pending
    } catch (IOException e) {
      selector.wakeup(); // the pipe is gone; a closed selector ignores it
    }
  }

  void close() {
    close(selector); // first: it flushes what was cancelled
    close(pipe.sink());
    close(pipe.source());
  }

  private static void close(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      // nothing can be done about a descriptor that does not close
    }
  }
}
