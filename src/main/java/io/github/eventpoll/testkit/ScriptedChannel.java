package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driven;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Shares;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a {@link ScriptedDriver}: a number of inputs to take and room for a number of
 * outputs. The test is the peer ({@link #arrive}, {@link #makeRoom}); the program under test takes
 * and puts.
 *
 * <p>Any thread may call everything.
 *
 * @since 0.1
 */
public final class ScriptedChannel implements Pollable, AutoCloseable {
  private final ScriptedSelector selector;
  private final String name;
  private final WaitQueue queue;
  private final AtomicInteger inputs = new AtomicInteger();
  private final AtomicInteger room = new AtomicInteger();

  /** IN and OUT as reported and not used up since: MO-BELIEF-1. */
  private final AtomicInteger believed = new AtomicInteger();

  final Shares shares = new Shares();
  private volatile boolean closed;
  private volatile int inForce;
  private volatile boolean registered;

  /** What the pass has found; the turn. */
  private int collected;

  ScriptedChannel(ScriptedSelector selector, String name) {
    this.selector = selector;
    this.name = name;
    this.queue = (WaitQueue) Bridge.get().queueWithDemand(new Driving());
  }

  // -------------------------------------------------------------------------------- the peer

  /**
   * Lets inputs arrive: the channel is ready for {@link Events#IN} while there are any.
   *
   * @param more how many
   */
  public void arrive(int more) {
    inputs.addAndGet(more);
    selector.stir();
  }

  /**
   * Makes room for outputs: the channel is ready for {@link Events#OUT} while there is any.
   *
   * @param more for how many
   */
  public void makeRoom(int more) {
    room.addAndGet(more);
    selector.stir();
  }

  // --------------------------------------------------------------------- the program under test

  /**
   * Takes an input, through this source.
   *
   * @return false for would-block
   */
  public boolean take() {
    boolean taken = takeUnnoticed();
    used(Shares.IN, !taken);
    return taken;
  }

  /**
   * Puts an output, through this source.
   *
   * @return false for would-block
   */
  public boolean put() {
    boolean done = room.getAndUpdate(old -> Math.max(0, old - 1)) > 0;
    used(Shares.OUT, !done);
    return done;
  }

  /**
   * Takes an input as a program does that reads from the channel itself and not through the source.
   *
   * @return false for would-block
   */
  public boolean takeUnnoticed() {
    return inputs.getAndUpdate(old -> Math.max(0, old - 1)) > 0;
  }

  private void used(int directions, boolean wouldBlock) {
    if (wouldBlock) {
      believed.getAndUpdate(old -> old & ~directions); // first: what is asked anew is believed anew
    }
    if (shares.used(directions, wouldBlock)) {
      selector.more();
    }
  }

  /** Closes the channel through this source: registrations end, and the selector gives it up. */
  @Override
  public void close() {
    closed = true;
    queue.close();
    selector.flushNow();
  }

  /** Closes the channel itself and not through the source: the next pass finds out. */
  public void closeUnnoticed() {
    closed = true;
  }

  // --------------------------------------------------------------------------------- looking

  /**
   * The directions that some item wants to hear of and has not been told.
   *
   * @return {@link Events#IN} and {@link Events#OUT} or 0
   */
  public int asked() {
    return shares.asked();
  }

  /**
   * What the selector watches the channel for, since the last pass began.
   *
   * @return {@link Events#IN} and {@link Events#OUT} or 0
   */
  public int inForce() {
    return inForce;
  }

  /**
   * Whether the selector has the channel, so that a closed one would keep its descriptor.
   *
   * @return true from the first pass after it was added to the first pass after it has gone
   */
  public boolean isRegistered() {
    return registered;
  }

  // ------------------------------------------------------------------------------ as a source

  @Override
  public int readiness() {
    int seen = believed.get();
    return ((seen & Events.IN) != 0 ? Events.IN | Events.RDNORM : 0)
        | ((seen & Events.OUT) != 0 ? Events.OUT | Events.WRNORM : 0);
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public String toString() {
    return name;
  }

  // ------------------------------------------------------------------------- for the selector

  boolean isClosed() {
    return closed;
  }

  /** The holder of the turn has met the closed channel. */
  void closedUnnoticed() {
    queue.close();
  }

  /** A pass begins; true if the mask changes. */
  boolean putInForce() {
    registered = true;
    int now = shares.asked();
    boolean changed = now != inForce;
    inForce = now;
    return changed;
  }

  /** The selector gives the channel up; true if it had it. */
  boolean dropKey() {
    boolean had = registered;
    registered = false;
    inForce = 0;
    return had;
  }

  /** A pass looks; true if the channel is ready for what it is watched for. */
  boolean collect() {
    int ready = (inputs.get() > 0 ? Shares.IN : 0) | (room.get() > 0 ? Shares.OUT : 0);
    collected = ready & inForce;
    return collected != 0 && !closed;
  }

  void dispatch() {
    int directions = collected;
    believed.getAndUpdate(old -> old | directions);
    shares.report(directions);
    Bridge.get().report(queue, directions, shares);
  }

  /** The seam, apart from the public type. */
  private final class Driving implements Driven {
    @Override
    public @Nullable String refusal(int mask) {
      return (mask & Events.PRI) != 0 ? "a selector does not tell urgent data" : null;
    }

    @Override
    public Driver attach(Object item, int mask, @Nullable Driver ofPoll) {
      shares.add(item, mask, item instanceof EpItem in ? in.poll() : item);
      selector.attach(ScriptedChannel.this);
      selector.more();
      return selector;
    }

    @Override
    public void rearmed(Object item, int mask) {
      believed.getAndUpdate(old -> old & ~Shares.directions(mask));
      tell(shares.rearmed(item, mask));
    }

    @Override
    public void delivered(Object item, int bits) {
      int spent = shares.spent(item, bits);
      believed.getAndUpdate(old -> old & ~spent);
      tell(shares.delivered(item, bits));
    }

    @Override
    public void dropped(Object item) {
      tell(shares.dropped(item));
    }

    @Override
    public void resumed(Object item) {
      tell(shares.resumed(item));
    }

    @Override
    public @Nullable Driver detach(Object item) {
      if (!shares.remove(item)) {
        return null;
      }
      if (shares.isEmpty()) {
        selector.wantFlush(); // which the caller sees to
      } else {
        selector.more();
      }
      return selector;
    }

    private void tell(boolean more) {
      if (more) {
        selector.more();
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
      return selector.clock;
    }
  }
}
