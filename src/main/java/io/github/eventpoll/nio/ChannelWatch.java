package io.github.eventpoll.nio;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Events;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Shares;
import io.github.eventpoll.internal.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one channel, and where it is watched: the part of {@link ChannelSource} that the
 * engine and the drivers see.
 */
final class ChannelWatch implements Driven {
  private static final VarHandle BELIEVED;
  private static final VarHandle STICKY;
  private static final VarHandle GONE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BELIEVED = lookup.findVarHandle(ChannelWatch.class, "believed", int.class);
      STICKY = lookup.findVarHandle(ChannelWatch.class, "sticky", int.class);
      GONE = lookup.findVarHandle(ChannelWatch.class, "gone", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final SelectableChannel channel;
  final WaitQueue queue;
  private final SpinLock guard = new SpinLock();

  /** One for each driver; changed under guard, read by anyone. */
  private final CopyOnWriteArrayList<Registration> registrations = new CopyOnWriteArrayList<>();

  /** Where the exclusive items are watched, all in one driver; guard: guard. */
  private @Nullable SelectorDriver exclusiveDriver;

  /** IN and OUT as reported and not used up since. Atomic bit operations: MO-BELIEF-1. */
  private volatile int believed;

  /** RDHUP, HUP and ERR as learned from input and output. Atomic, then rung: MO-ADD-1, MO-MOD-1. */
  private volatile int sticky;

  /** The channel was found closed behind our back. CAS: told once. */
  @SuppressWarnings("unused") // read and written through GONE
  private volatile boolean gone;

  ChannelWatch(SelectableChannel channel) {
    this.channel = channel;
    this.queue = (WaitQueue) Bridge.get().queueWithDemand(this);
  }

  // --------------------------------------------------------------------------- by the source

  /** What the channel is ready for, as far as is known. */
  int readiness() {
    int seen = believed;
    return ((seen & Events.IN) != 0 ? Events.IN | Events.RDNORM : 0)
        | ((seen & Events.OUT) != 0 ? Events.OUT | Events.WRNORM : 0)
        | sticky;
  }

  /** Somebody has done input or output through the source. */
  void used(int directions, boolean wouldBlock) {
    if (wouldBlock && (believed & directions) != 0) {
      BELIEVED.getAndBitwiseAnd(this, ~directions); // first: what is asked anew is believed anew
    }
    for (Registration registration : registrations) {
      if (registration.shares.used(directions, wouldBlock)) {
        registration.driver.changed(registration, true);
      }
    }
  }

  /** Input or output has shown what a selector cannot tell. */
  void learned(int bits) {
    if (bits != 0 && ((int) STICKY.getAndBitwiseOr(this, bits) & bits) != bits) {
      queue.wake(bits);
    }
  }

  /** The channel has begun, or ended, to connect: other operations are to be selected. */
  void changed() {
    for (Registration registration : registrations) {
      registration.driver.changed(registration, true);
    }
  }

  /** Where the channel is watched at present. */
  Set<Registration> registrations() {
    return new LinkedHashSet<>(registrations);
  }

  /** The channel was closed: has its keys flushed, so that the descriptor is given back. */
  void flush(Set<Registration> before) {
    before.addAll(registrations);
    for (Registration registration : before) {
      registration.driver.changed(registration, false);
      registration.driver.flushNow();
    }
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

  // ---------------------------------------------------------------------------- by the engine

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
    BELIEVED.getAndBitwiseAnd(this, ~Shares.directions(mask)); // as in rearmed
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
    BELIEVED.getAndBitwiseAnd(this, ~Shares.directions(mask));
    for (Registration registration : registrations) {
      tell(registration, registration.shares.rearmed(item, mask));
    }
  }

  @Override
  public void delivered(Object item, int bits) {
    for (Registration registration : registrations) {
      int spent = registration.shares.spent(item, bits);
      if (spent != 0) {
        BELIEVED.getAndBitwiseAnd(this, ~spent);
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
        registration.driver.changed(registration, !unused);
        if (unused) {
          // By the caller, who may hold locks now; after it is listed, or a pass in between would
          // count as the one that is wanted.
          registration.driver.wantFlush();
        }
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

  @Override
  public String toString() {
    return "ChannelSource[" + channel + "]";
  }
}
