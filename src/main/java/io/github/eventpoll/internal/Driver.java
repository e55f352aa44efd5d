package io.github.eventpoll.internal;

/**
 * Seam: where channels are watched; a {@code Selector} in the library itself, a script in tests.
 * The engine gives the right to sleep in a driver, its <em>turn</em>, to one thread at a time;
 * {@link #sleep} and {@link #dispatch} are called by the holder only, with no lock of the library.
 */
public abstract class Driver {
  /** For {@link #sleep}: only looks. Before every instant. */
  public static final long AT_ONCE = -1;

  /** The engine's record of this driver: who has the turn and who could take it. */
  private final Object seat;

  /** A driver without channels. */
  protected Driver() {
    seat = Bridge.get().newSeat(this);
  }

  /** For the engine. */
  public final Object seat() {
    return seat;
  }

  /**
   * One pass: puts into force what has changed, then sleeps until a channel is ready for what is
   * asked, or {@link #wake}, or the time is over; collects what is reported and tells nobody yet.
   * May return for no reason.
   *
   * @param until the instant at which the sleep ends at the latest, by the clock of the sources;
   *     may end earlier, to the unit that the driver can sleep. {@link #AT_ONCE} does not sleep at
   *     all
   */
  public abstract void sleep(long until);

  /** Tells the sources what the last sleep has collected, all of it. Never throws. */
  public abstract void dispatch();

  /** Ends the present or the next {@link #sleep}. Any thread. */
  public abstract void wake();

  /** True if somebody waits for a pass that flushes what was given up. Any thread. */
  public abstract boolean flushRequested();

  /**
   * What people who look at a running poll may want to know of this driver, in a few words; waits
   * for nobody.
   */
  public String detail() {
    return "";
  }

  /** More is asked of the driver than before: a thread that sleeps in it must make a new pass. */
  protected final void askedForMore() {
    Bridge.get().kickHolder(seat);
  }

  /** Something was given up: makes a pass now, or has the holder of the turn make one. */
  protected final void flush() {
    Bridge.get().flush(seat);
  }
}
