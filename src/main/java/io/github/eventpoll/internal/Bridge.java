package io.github.eventpoll.internal;

import org.jspecify.annotations.Nullable;

/**
 * The door through which the library's own sources and its test kit reach seams that its users
 * cannot. The engine puts the one instance here; types of the engine pass as {@code Object}, so
 * that this package stays below it.
 */
public abstract class Bridge {
  /** Set once; what it refers to does not change. */
  private static volatile @Nullable Bridge instance;

  /** For the engine. */
  protected Bridge() {}

  /** The engine's side; loads the engine if need be. */
  public static Bridge get() {
    Bridge present = instance;
    if (present == null) {
      try {
        Class.forName("io.github.eventpoll.WaitQueue");
      } catch (ClassNotFoundException e) {
        throw new LinkageError("the engine is missing", e);
      }
      present = instance;
      if (present == null) {
        throw new LinkageError("the engine did not open the bridge");
      }
    }
    return present;
  }

  /** Called once by the engine. */
  protected static void open(Bridge bridge) {
    instance = bridge;
  }

  /** A new {@code WaitQueue} whose waiters serve a demand. */
  public abstract Object queueWithDemand(Demand demand);

  /** Tells the pollers of a {@code WaitQueue} that its demand's nearest deadline has changed. */
  public abstract void demandChanged(Object waitQueue);

  /** Gives an {@code EventPollBuilder} a clock and, if not null, a further probe. */
  public abstract void seams(Object builder, Clock clock, @Nullable Probe probe);

  /** Gives an {@code EventPollBuilder} a probe that sees every point before all it has now. */
  public abstract void watch(Object builder, Probe probe);

  /** The engine's record for a new driver. */
  public abstract Object newSeat(Driver driver);

  /** Makes the thread that sleeps in a driver, if there is one, look again. */
  public abstract void kickHolder(Object seat);

  /** Makes a pass now, or has the holder of the turn make one. */
  public abstract void flush(Object seat);

  /** Wakes the entries of a queue that a driver's report is news to. */
  public abstract void report(Object waitQueue, int bits, Told told);

  /** Gives an {@code EventPollBuilder} the driver that its poll shall use for channels. */
  public abstract void driver(Object builder, Driver driver);
}
