package io.github.eventpoll.examples;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.nio.ChannelSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client of a {@link LineServer}. Its item is one-shot: a worker that gets the event is the only
 * one to get it, until it has read, answered and armed the item again. An announcement is written
 * by whichever worker makes it, so there is a lock, too.
 *
 * <p>What the client does not read waits here, and {@link Events#OUT} tells when to go on. While
 * much is waiting the client is not read from either: TCP passes the pressure on to it.
 */
final class Connection implements Runnable {
  private static final int MOST_READS = 16;
  private static final int MUCH_WAITING = 1 << 16;

  /** A client that has so much waiting reads announcements too slowly to be worth the memory. */
  private static final int TOO_MUCH_WAITING = 1 << 20;

  private final LineServer server;
  private final ChannelSource source;
  private final EpItem item;
  private final ReentrantLock lock = new ReentrantLock();

  // Guard: lock.
  private final ByteBuffer in = ByteBuffer.allocate(4096);
  private final Lines lines = new Lines();
  private final Queue<ByteBuffer> waiting = new ArrayDeque<>();
  private int bytesWaiting;
  private boolean ended;
  private boolean closed;

  /** When the client was last heard of; written under lock, read by anyone. */
  private volatile long lastHeard = System.nanoTime();

  Connection(SocketChannel channel, EventPoll poll, LineServer server) {
    this.server = server;
    source = ChannelSource.of(channel);
    lock.lock(); // the first event may come before the constructor has ended
    try {
      item = poll.add(source, Events.IN | Events.ONESHOT, this);
      server.counts.changes.increment();
      server.joined(this);
    } finally {
      lock.unlock();
    }
  }

  /** A worker that has got the event. */
  @Override
  public void run() {
    lock.lock();
    try {
      if (!closed) {
        serve();
      }
    } catch (IOException e) {
      close();
    } catch (RuntimeException e) {
      close();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void serve() throws IOException {
    if (flush() > 0) {
      lastHeard = System.nanoTime(); // it reads what has waited
    }
    boolean more = true;
    for (int i = 0; i < MOST_READS && more && bytesWaiting < MUCH_WAITING; i++) {
      more = read();
    }
    flush();
    rearm();
  }

  /** Reads once and answers; true if there may be more. */
  private boolean read() throws IOException {
    if (ended || source.read(in) < 0) {
      ended = true;
      return false;
    }
    boolean full = !in.hasRemaining();
    if (in.position() > 0) {
      lastHeard = System.nanoTime();
      StringBuilder answers = new StringBuilder();
      lines.take(in.flip(), line -> answers.append(server.answer(line)));
      in.clear();
      put(Lines.bytes(answers.toString()));
    }
    return full;
  }

  private void put(byte[] bytes) {
    if (bytes.length > 0) {
      waiting.add(ByteBuffer.wrap(bytes));
      bytesWaiting += bytes.length;
    }
  }

  /** Writes what waits until would-block; returns how much. */
  private int flush() throws IOException {
    int written = 0;
    for (ByteBuffer head = waiting.peek(); head != null; head = waiting.peek()) {
      written += source.write(head);
      if (head.hasRemaining()) {
        break;
      }
      waiting.remove();
    }
    bytesWaiting -= written;
    return written;
  }

  private void rearm() {
    if (ended && bytesWaiting == 0) {
      close();
      return;
    }
    int mask = Events.ONESHOT;
    if (bytesWaiting > 0) {
      mask |= Events.OUT;
    }
    if (bytesWaiting >= MUCH_WAITING) {
      server.counts.heldBack.increment();
    } else if (!ended) {
      mask |= Events.IN;
    }
    item.modify(mask);
    server.counts.changes.increment();
  }

  /** Sends an announcement; any thread. */
  void send(byte[] line) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      boolean armedForIt = bytesWaiting > 0;
      put(line);
      if (bytesWaiting > TOO_MUCH_WAITING) {
        server.counts.tooSlow.increment();
        close();
      } else if (!armedForIt) {
        flush();
        if (bytesWaiting > 0) {
          // Armed even if a worker has the event and waits for the lock: a second event does no
          // harm.
          rearm();
        }
      }
    } catch (IOException e) {
      close();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connection if nothing was heard of it for a time; true if so. */
  boolean closeIfIdle(long nanos) {
    if (System.nanoTime() - lastHeard < nanos) {
      return false;
    }
    lock.lock();
    try {
      if (closed || System.nanoTime() - lastHeard < nanos) {
        return false;
      }
      close();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection; its item leaves the poll. */
  void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        server.counts.changes.increment();
        server.left(this);
        source.close();
      }
    } catch (IOException e) {
      // Nothing is left to be done with it.
    } finally {
      lock.unlock();
    }
  }
}
