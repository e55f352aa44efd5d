package io.github.eventpoll.nio;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Shares;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel that can be waited on: sockets, server sockets, datagram sockets and the ends of pipes,
 * in non-blocking mode. There is one source for each channel, however often it is asked for.
 *
 * <p>Ready for {@link Events#IN} and {@link Events#OUT} as a selector says; the threads that wait
 * on polls sleep in that selector themselves. {@link Events#RDHUP}, {@link Events#HUP} and {@link
 * Events#ERR} are known from input and output that is done <em>through this source</em>, and so are
 * the ends of edges: an edge-triggered item reports again after {@link #read}, {@link #write},
 * {@link #accept} … have met would-block here, or after {@code modify}. {@link Events#PRI} cannot
 * be watched.
 *
 * <p>{@link #close} ends all registrations at once. A channel that is closed otherwise is found by
 * the selector, when a wait next returns from it: each of its items then reports ERR and HUP once,
 * and is gone.
 *
 * <p>Any thread may call everything; input and output have the thread-safety of the channel.
 *
 * <p>Memory consistency effects: a channel carries bytes and promises nothing about other memory,
 * not even between two threads of one process. What a thread did before {@link #setUserReady} is
 * visible to the thread that gets the event from an {@code await}.
 *
 * @since 0.1
 */
public final class ChannelSource implements Pollable, AutoCloseable {
  private static final ReentrantLock ALL_GUARD = new ReentrantLock();

  /** Guard: ALL_GUARD. Channels are compared by identity, which is their {@code equals}. */
  private static final Map<SelectableChannel, WeakReference<ChannelSource>> ALL =
      new WeakHashMap<>();

  private final SelectableChannel channel;
  private final ChannelWatch watch;

  /** What the user holds ready; written by the user, then rung: MO-ADD-1, MO-MOD-1. */
  private volatile int userReady;

  private ChannelSource(SelectableChannel channel) {
    this.channel = channel;
    this.watch = new ChannelWatch(channel);
  }

  /**
   * The source of a channel, always the same one.
   *
   * @param channel any selectable channel; it must be in non-blocking mode when it is added
   * @return its source
   */
  public static ChannelSource of(SelectableChannel channel) {
    ALL_GUARD.lock();
    try {
      WeakReference<ChannelSource> known = ALL.get(channel);
      ChannelSource source = known == null ? null : known.get();
      if (source == null) {
        source = new ChannelSource(channel);
        ALL.put(channel, new WeakReference<>(source));
      }
      return source;
    } finally {
      ALL_GUARD.unlock();
    }
  }

  /**
   * The channel behind this source.
   *
   * @return the channel
   */
  public SelectableChannel channel() {
    return channel;
  }

  // ------------------------------------------------------------------------ input and output

  /**
   * Reads from the channel, which must be readable.
   *
   * @param to where to put what is read
   * @return how many bytes were read, 0 for would-block, −1 at the end: then {@link Events#RDHUP}
   *     is reported from now on
   * @throws IOException if the channel fails: then {@link Events#ERR} and {@link Events#HUP} are
   *     reported from now on
   */
  public int read(ByteBuffer to) throws IOException {
    boolean room = to.hasRemaining();
    try {
      int read = ((ReadableByteChannel) channel).read(to);
      // As much as there was: what comes after it is news, even if the reader does not ask again.
      watch.used(Shares.IN, read >= 0 && room && to.hasRemaining());
      if (read < 0) {
        watch.learned(Events.RDHUP);
      }
      return read;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * Writes to the channel, which must be writable.
   *
   * @param from what to write
   * @return how many bytes were written; less than remained is would-block
   * @throws IOException if the channel fails: then {@link Events#ERR} and {@link Events#HUP} are
   *     reported from now on
   */
  public int write(ByteBuffer from) throws IOException {
    try {
      int written = ((WritableByteChannel) channel).write(from);
      watch.used(Shares.OUT, from.hasRemaining());
      return written;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * Accepts a connection of a server socket.
   *
   * @return the connection, in blocking mode as the JDK makes it; null for would-block
   * @throws IOException if accepting fails; the listener stays as it is
   */
  public @Nullable SocketChannel accept() throws IOException {
    SocketChannel accepted = ((ServerSocketChannel) channel).accept();
    watch.used(Shares.IN, accepted == null);
    return accepted;
  }

  /**
   * Begins to connect a socket; the source is ready for {@link Events#OUT} once {@link
   * #finishConnect} has something to say.
   *
   * @param remote where to
   * @return true if the connection is there at once
   * @throws IOException if connecting fails
   */
  public boolean connect(SocketAddress remote) throws IOException {
    try {
      return ((SocketChannel) channel).connect(remote);
    } catch (IOException e) {
      throw broken(e);
    } finally {
      watch.changed();
    }
  }

  /**
   * Ends connecting a socket.
   *
   * @return true if connected, false for would-block
   * @throws IOException if connecting has failed: then {@link Events#ERR} and {@link Events#HUP}
   *     are reported from now on
   */
  public boolean finishConnect() throws IOException {
    try {
      boolean connected = ((SocketChannel) channel).finishConnect();
      watch.used(Shares.OUT, !connected);
      return connected;
    } catch (IOException e) {
      throw broken(e);
    } finally {
      watch.changed();
    }
  }

  /**
   * Receives a datagram.
   *
   * @param to where to put it
   * @return where it came from; null for would-block
   * @throws IOException if receiving fails
   */
  public @Nullable SocketAddress receive(ByteBuffer to) throws IOException {
    SocketAddress from = ((DatagramChannel) channel).receive(to);
    watch.used(Shares.IN, from == null);
    return from;
  }

  /**
   * Sends a datagram.
   *
   * @param from what to send
   * @param target where to
   * @return how many bytes were sent; 0 is would-block if there were any
   * @throws IOException if sending fails
   */
  public int send(ByteBuffer from, SocketAddress target) throws IOException {
    boolean some = from.hasRemaining();
    int sent = ((DatagramChannel) channel).send(from, target);
    watch.used(Shares.OUT, sent == 0 && some);
    return sent;
  }

  /**
   * Adds to what the channel is ready for what user space holds already, a decrypted record for
   * instance, in place of what was set before.
   *
   * @param bits event bits, 0 for none
   */
  public void setUserReady(int bits) {
    userReady = bits;
    if (bits != 0) {
      watch.queue.wake(bits);
    }
  }

  private IOException broken(IOException e) {
    watch.learned(e instanceof ClosedChannelException ? 0 : Events.ERR | Events.HUP);
    return e;
  }

  // ------------------------------------------------------------------------------ as a source

  @Override
  public int readiness() {
    return watch.readiness() | userReady;
  }

  @Override
  public WaitQueue waitQueue() {
    return watch.queue;
  }

  /**
   * Closes the channel and ends all registrations. On return the descriptor and the port are free,
   * or the thread that sleeps in the selector was woken to free them.
   *
   * @throws IOException if closing the channel fails
   */
  @Override
  public void close() throws IOException {
    Set<Registration> before = watch.registrations();
    watch.queue.close();
    try {
      channel.close();
    } finally {
      watch.flush(before);
    }
  }

  @Override
  public String toString() {
    return watch.toString();
  }
}
