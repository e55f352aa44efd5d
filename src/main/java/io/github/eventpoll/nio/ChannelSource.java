package io.github.eventpoll.nio;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Shares;
import io.github.eventpoll.internal.SpinLock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * <p>{@link #close} ends all registrations at once. A channel that is closed otherwise is found by the
 * selector, when a wait next returns from it: each of its items then reports ERR and HUP once, and is
 * gone.
 *
 * <p>Any thread may call everything; input and output have the thread-safety of the channel.
 */
public final class ChannelSource implements Pollable, AutoCloseable {
  private static final ReentrantLock ALL_GUARD = new ReentrantLock();

  /** Guard: ALL_GUARD. Channels are compared by identity, which is their {@code equals}. */
  private static final Map<SelectableChannel, WeakReference<ChannelSource>> ALL =
      new WeakHashMap<>();

  private static final VarHandle BELIEVED;
  private static final VarHandle STICKY;
  private static final VarHandle GONE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BELIEVED = lookup.findVarHandle(ChannelSource.class, "believed", int.class);
      STICKY = lookup.findVarHandle(ChannelSource.class, "sticky", int.class);
      GONE = lookup.findVarHandle(ChannelSource.class, "gone", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SelectableChannel channel;
  private final WaitQueue queue;
  private final SpinLock guard = new SpinLock();

  /** One for each driver; changed under guard, read by anyone. */
  private final CopyOnWriteArrayList<Registration> registrations = new CopyOnWriteArrayList<>();

  /** Where the exclusive items are watched, all in one driver; guard: guard. */
  private @Nullable SelectorDriver exclusiveDriver;

  /** IN and OUT as reported and not used up since. Atomic bit operations: MO-BELIEF-1. */
  private volatile int believed;

  /** RDHUP, HUP and ERR as learned from input and output. Atomic bit operations. */
  private volatile int sticky;

  /** What the user holds ready; written by the user. */
  private volatile int userReady;

  /** The channel was found closed behind our back. CAS: told once. */
  private volatile boolean gone;

  private ChannelSource(SelectableChannel channel) {
    this.channel = channel;
    this.queue = (WaitQueue) Bridge.get().queueWithDemand(new Driving());
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
      used(Shares.IN, read >= 0 && room && to.hasRemaining());
      if (read < 0) {
        learned(Events.RDHUP);
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
      used(Shares.OUT, from.hasRemaining());
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
    used(Shares.IN, accepted == null);
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
      changedAll();
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
      used(Shares.OUT, !connected);
      return connected;
    } catch (IOException e) {
      throw broken(e);
    } finally {
      changedAll();
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
    used(Shares.IN, from == null);
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
    used(Shares.OUT, sent == 0 && some);
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
      queue.wake(bits);
    }
  }

  private void used(int directions, boolean wouldBlock) {
    if (wouldBlock) {
      BELIEVED.getAndBitwiseAnd(this, ~directions); // first: what is asked anew is believed anew
    }
    for (Registration registration : registrations) {
      if (registration.shares.used(directions, wouldBlock)) {
        registration.driver.changed(registration, true);
      }
    }
  }

  private IOException broken(IOException e) {
    learned(e instanceof ClosedChannelException ? 0 : Events.ERR | Events.HUP);
    return e;
  }

  private void learned(int bits) {
    if (bits != 0 && ((int) STICKY.getAndBitwiseOr(this, bits) & bits) != bits) {
      queue.wake(bits);
    }
  }

  private void changedAll() {
    for (Registration registration : registrations) {
      registration.driver.changed(registration, true);
    }
  }

  // ------------------------------------------------------------------------------ as a source

  @Override
  public int readiness() {
    int seen = believed;
    return ((seen & Events.IN) != 0 ? Events.IN | Events.RDNORM : 0)
        | ((seen & Events.OUT) != 0 ? Events.OUT | Events.WRNORM : 0)
        | sticky
        | userReady;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  /**
   * Closes the channel and ends all registrations. On return the descriptor and the port are free,
   * or the thread that sleeps in the selector was woken to free them.
   *
   * @throws IOException if closing the channel fails
   */
  @Override
  public void close() throws IOException {
    List<Registration> before = List.copyOf(registrations);
    queue.close();
    try {
      channel.close();
    } finally {
      for (Registration registration : before) {
        registration.driver.changed(registration, false);
        registration.driver.flushNow();
      }
    }
  }

  @Override
  public String toString() {
    return "ChannelSource[" + channel + "]";
  }

  // ------------------------------------------------------------------------------- by drivers

  /** The operations to select for directions, as the channel is now. */
  int ops(int directions) {
    int ops = 0;
    if ((directions & Shares.IN) != 0) {
      ops |= channel.validOps() & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT);
    }
    if ((directions & Shares.OUT) != 0) {
      ops |= channel.validOps() & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT);
    }
    if (channel instanceof SocketChannel socket && !socket.isConnected()) {
      // An unconnected socket would be reported without end; one that connects, when it is done.
      return socket.isConnectionPending() ? ops & SelectionKey.OP_CONNECT : 0;
    }
    return ops & ~SelectionKey.OP_CONNECT;
  }

  /** A pass of a driver has found the channel ready. No lock held. */
  void reported(Registration registration, int directions) {
    BELIEVED.getAndBitwiseOr(this, directions);
    registration.shares.report(directions);
    Bridge.get().report(queue, directions, registration.shares);
    registration.driver.changed(registration, false);
  }

  /** The driver may drop a registration that nobody uses; false if somebody does. */
  boolean retire(Registration registration) {
    guard.lock();
    try {
      if (!registration.shares.isEmpty()) {
        return false;
      }
      registrations.remove(registration);
      if (exclusiveDriver == registration.driver) {
        exclusiveDriver = null;
      }
      return true;
    } finally {
      guard.unlock();
    }
  }

  /** A driver has found that the channel was closed, and not through this source. Turn held. */
  void channelClosed(Registration by) {
    if (!GONE.compareAndSet(this, false, true)) {
      return;
    }
    learned(Events.ERR | Events.HUP); // each item ends with this event
    for (Registration registration : registrations) {
      if (registration != by) {
        registration.driver.changed(registration, false);
        registration.driver.flushNow(); // the descriptor is kept by every selector that has a key
      }
    }
  }

  /** The channel cannot be watched any more: it was put into blocking mode. */
  void failed() {
    learned(Events.ERR | Events.HUP);
  }

  private Registration registrationIn(SelectorDriver driver, Object item, int mask) {
    guard.lock();
    try {
      Registration found = null;
      for (Registration registration : registrations) {
        if (registration.driver == driver) {
          found = registration;
        }
      }
      if (found == null) {
        found = new Registration(this, driver);
        registrations.add(found);
      }
      found.shares.add(item, mask, item instanceof EpItem in ? in.poll() : item);
      return found;
    } finally {
      guard.unlock();
    }
  }

  private SelectorDriver driverFor(int mask, @Nullable Driver ofPoll) {
    SelectorDriver own =
        ofPoll instanceof SelectorDriver selectors
            ? selectors
            : new SelectorDriver(channel.provider());
    if ((mask & Events.EXCLUSIVE) == 0) {
      return own;
    }
    guard.lock();
    try {
      if (exclusiveDriver == null) {
        exclusiveDriver = own;
      }
      return exclusiveDriver;
    } finally {
      guard.unlock();
    }
  }

  /** The seam, apart from the public type. */
  private final class Driving implements Driven {
    @Override
    public @Nullable String refusal(int mask) {
      if ((mask & (Events.PRI | Events.RDBAND | Events.WRBAND)) != 0) {
        return "a selector does not tell urgent data";
      }
      return channel.isBlocking() ? "it is in blocking mode" : null;
    }

    @Override
    public Driver attach(Object item, int mask, @Nullable Driver ofPoll) {
      SelectorDriver driver = driverFor(mask, ofPoll);
      BELIEVED.getAndBitwiseAnd(ChannelSource.this, ~Shares.directions(mask)); // as in rearmed
      Registration registration = registrationIn(driver, item, mask);
      boolean added = false;
      try {
        driver.add(registration);
        added = true;
      } finally {
        if (!added) {
          registration.shares.remove(item);
          retire(registration);
        }
      }
      driver.changed(registration, true);
      return driver;
    }

    @Override
    public void rearmed(Object item, int mask) {
      // Asked for anew, so that what a selector says is believed and not what it once said.
      BELIEVED.getAndBitwiseAnd(ChannelSource.this, ~Shares.directions(mask));
      for (Registration registration : registrations) {
        tell(registration, registration.shares.rearmed(item, mask));
      }
    }

    @Override
    public void delivered(Object item, int bits) {
      for (Registration registration : registrations) {
        int spent = registration.shares.spent(item, bits);
        if (spent != 0) {
          BELIEVED.getAndBitwiseAnd(ChannelSource.this, ~spent);
        }
        tell(registration, registration.shares.delivered(item, bits));
      }
    }

    @Override
    public void dropped(Object item) {
      for (Registration registration : registrations) {
        tell(registration, registration.shares.dropped(item));
      }
    }

    @Override
    public void resumed(Object item) {
      for (Registration registration : registrations) {
        tell(registration, registration.shares.resumed(item));
      }
    }

    @Override
    public @Nullable Driver detach(Object item) {
      for (Registration registration : registrations) {
        if (registration.shares.remove(item)) {
          boolean unused = registration.shares.isEmpty();
          if (unused) {
            registration.driver.wantFlush(); // by the caller, who may hold locks now
          }
          registration.driver.changed(registration, !unused);
          return registration.driver;
        }
      }
      return null;
    }

    @Override
    public boolean ended() {
      return !channel.isOpen();
    }

    private void tell(Registration registration, boolean more) {
      if (more) {
        registration.driver.changed(registration, true);
      }
    }

    @Override
    public long nearestDeadline() {
      return Clock.NEVER;
    }

    @Override
    public void expire(long now) {}

    @Override
    public Clock clock() {
      return Clock.system();
    }
  }
}
