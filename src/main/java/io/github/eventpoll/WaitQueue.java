package io.github.eventpoll;

import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.Told;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The list of those who want to know when one source changes. A source owns exactly one and rings
 * it after each change; every method may be called by any thread, under any lock, at any time.
 *
 * <p>A wake visits the non-exclusive entries, newest first, then the exclusive ones in the order of
 * registration until one has used the wake up (Linux: kernel/sched/wait.c:__wake_up_common). It
 * takes no lock while it walks and costs one volatile read if nobody is registered. Registering and
 * removing cost time in proportion to the entries of this one source.
 *
 * <p>Memory consistency effects: what a thread did before {@link #wake} or {@link #wakeOrdered} is
 * visible to the thread that gets the event from an {@code await} (claim MO-PUB-1).
 *
 * @since 0.1
 */
public final class WaitQueue {
  /*
   * The whole state is one variable:
   *
   *   null        open, nobody registered
   *   WaitEntry   open, one entry (most sources have one watcher: no array for it)
   *   WaitEntry[] open, two or more: [non-exclusive, newest first][exclusive, oldest first]
   *   CLOSED      closed for ever
   *
   * Arrays are immutable; every change is one CAS of the variable (MO-REG-1), so that a walker needs
   * no lock, an entry registered before the walk read the variable is visited, and one that came
   * later has asked the source after it came (MO-ADD-1).
   */
  private static final Object CLOSED = new Object();

  private static final VarHandle ENTRIES;
  private static final AtomicLong IDS = new AtomicLong();

  static {
    try {
      ENTRIES = MethodHandles.lookup().findVarHandle(WaitQueue.class, "entries", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    Opening.open();
  }

  /** Unique and ascending: the order of a poll's items. Immutable. */
  final long id = IDS.getAndIncrement();

  /** See above. Written by CAS, read volatile: MO-REG-1, MO-ADD-1. */
  private volatile @Nullable Object entries;

  /** What the source needs from its waiters, null for nothing. Immutable. */
  final @Nullable Demand demand;

  /** Creates an open queue without entries. */
  public WaitQueue() {
    this(null);
  }

  WaitQueue(@Nullable Demand demand) {
    this.demand = demand;
  }

  /**
   * Announces a change of the source. Safe after any kind of store: what the caller has written
   * before is visible to whoever asks the source in consequence.
   *
   * @param key the event bits that happened, 0 if unknown: then every armed entry looks for itself
   */
  public void wake(int key) {
    VarHandle.fullFence(); // MO-WAKE-1: the source's stores come before the reads below
    wakeOrdered(key);
  }

  /**
   * The same without a fence, for sources with trait {@link Pollable#ORDERED_STATE} only: the state
   * was written by a volatile store or an atomic read-modify-write just before.
   *
   * @param key the event bits that happened, 0 if unknown
   */
  public void wakeOrdered(int key) {
    Object seen = entries; // MO-ADD-1: volatile read after the state was written
    if (seen instanceof WaitEntry entry) {
      entry.woken(key);
    } else if (seen instanceof WaitEntry[] all) {
      walk(all, 0, key);
    }
  }

  /**
   * Announces what everybody must hear, such as an end: exclusive entries do not use it up, all are
   * visited (Linux: wake_up_all). Safe after any kind of store, as {@link #wake}.
   *
   * @param key the event bits that happened, 0 if unknown
   */
  public void wakeAll(int key) {
    VarHandle.fullFence(); // MO-WAKE-1: as in wake
    Object seen = entries; // MO-ADD-1: volatile read after the state was written
    if (seen instanceof WaitEntry entry) {
      entry.woken(key);
    } else if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        entry.woken(key);
      }
    }
  }

  private static void walk(WaitEntry[] entries, int from, int key) {
    for (int i = from; i < entries.length; i++) {
      WaitEntry entry = entries[i];
      if (entry.woken(key) && entry.exclusive()) {
        return;
      }
    }
  }

  /** Wakes the entries that a driver's report is news to, in the order of every wake. */
  void report(int key, Told told) {
    Object seen = entries; // MO-ADD-1: volatile read after the report was believed
    if (seen instanceof WaitEntry entry) {
      if (told.tell(entry)) {
        entry.woken(key);
      }
    } else if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        if (told.tell(entry) && entry.woken(key) && entry.exclusive()) {
          return;
        }
      }
    }
  }

  /**
   * Passes on a wake that an exclusive entry had used up and could not serve (KR-18). Only
   * exclusive entries are asked: the others have had it.
   */
  void giveBack(int key) {
    Object seen = entries; // MO-ADD-1: volatile read after the source was asked, or its ring
    if (seen instanceof WaitEntry entry && entry.exclusive()) {
      entry.woken(key);
    } else if (seen instanceof WaitEntry[] all) {
      walk(all, firstExclusive(all), key);
    }
  }

  /**
   * Ends the queue, when its source ends. On return every item on this source is invalid and
   * counted by no poll; later registrations fail with {@link Errno#EBADF}; threads that wait on
   * this source alone are woken with {@link Events#HUP}. Waiters of polls are not woken. Waits for
   * nobody who runs user code. Closing twice does nothing.
   */
  public void close() {
    Object seen = ENTRIES.getAndSet(this, CLOSED); // MO-REG-1: single winner against register
    if (seen instanceof WaitEntry entry) {
      entry.queueClosed();
    } else if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        entry.queueClosed();
      }
    }
  }

  /**
   * Tells whether the queue was closed.
   *
   * @return true once {@link #close} was called
   */
  public boolean isClosed() {
    return entries == CLOSED;
  }

  /**
   * Tells whether anybody is registered, so that a source may save itself the work of finding a
   * key. For sources with trait {@link Pollable#ORDERED_STATE}: it has no fence, so that a plain
   * store just before is not ordered with it (claim MO-ADD-1).
   *
   * @return true if a wake would visit somebody; a registration that is not seen here asks the
   *     source afterwards
   */
  public boolean hasEntries() {
    Object seen = entries;
    return seen != null && seen != CLOSED;
  }

  /**
   * The union of what the entries wait for at present, without mode flags.
   *
   * @return event bits, 0 if nobody is armed
   */
  public int interest() {
    Object seen = entries;
    if (seen instanceof WaitEntry entry) {
      return entry.wanted();
    }
    int union = 0;
    if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        union |= entry.wanted();
      }
    }
    return union;
  }

  /** Adds an entry; false if the queue is closed. */
  boolean register(WaitEntry entry) {
    for (; ; ) {
      Object seen = entries;
      if (seen == CLOSED) {
        return false;
      }
      // MO-REG-1: closed is a value of the variable that the CAS replaces
      if (ENTRIES.compareAndSet(this, seen, with(seen, entry))) {
        return true;
      }
    }
  }

  /** Takes an entry out if it is there. */
  void unregister(WaitEntry entry) {
    for (; ; ) {
      Object seen = entries;
      Object next = without(seen, entry);
      if (next == seen || ENTRIES.compareAndSet(this, seen, next)) {
        return;
      }
    }
  }

  /** The entries at this moment; for looking, not for waking. */
  WaitEntry[] snapshot() {
    Object seen = entries;
    if (seen instanceof WaitEntry[] all) {
      return all.clone();
    }
    return seen instanceof WaitEntry entry ? new WaitEntry[] {entry} : new WaitEntry[0];
  }

  /** Whether some poll watches this source. */
  boolean watchedByPoll() {
    Object seen = entries; // MO-NEST-1
    if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        if (entry instanceof EpItem) {
          return true;
        }
      }
      return false;
    }
    return seen instanceof EpItem;
  }

  /** Whether this entry is the only one. */
  boolean holdsOnly(WaitEntry entry) {
    return entries == entry;
  }

  /** By number, which spreads better and costs less than what an object has by itself. */
  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  /** Tells every entry that the demand's nearest deadline has changed. */
  void demandChanged() {
    Object seen = entries; // MO-DEMAND-1: volatile read after the deadline was published
    if (seen instanceof WaitEntry entry) {
      entry.demandChanged();
    } else if (seen instanceof WaitEntry[] all) {
      for (WaitEntry entry : all) {
        entry.demandChanged();
      }
    }
  }

  private static Object with(@Nullable Object seen, WaitEntry entry) {
    if (seen == null) {
      return entry;
    }
    WaitEntry[] old =
        seen instanceof WaitEntry first ? new WaitEntry[] {first} : (WaitEntry[]) seen;
    WaitEntry[] grown = new WaitEntry[old.length + 1];
    int at = entry.exclusive() ? old.length : 0;
    System.arraycopy(old, 0, grown, 0, at);
    grown[at] = entry;
    System.arraycopy(old, at, grown, at + 1, old.length - at);
    return grown;
  }

  private static @Nullable Object without(@Nullable Object seen, WaitEntry entry) {
    if (seen == entry) {
      return null;
    }
    if (!(seen instanceof WaitEntry[] old)) {
      return seen;
    }
    int at = indexOf(old, entry);
    if (at < 0) {
      return seen;
    }
    if (old.length == 2) {
      return old[1 - at];
    }
    WaitEntry[] shrunk = new WaitEntry[old.length - 1];
    System.arraycopy(old, 0, shrunk, 0, at);
    System.arraycopy(old, at + 1, shrunk, at, shrunk.length - at);
    return shrunk;
  }

  private static int indexOf(WaitEntry[] entries, WaitEntry entry) {
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] == entry) {
        return i;
      }
    }
    return -1;
  }

  private static int firstExclusive(WaitEntry[] entries) {
    int i = 0;
    while (i < entries.length && !entries[i].exclusive()) {
      i++;
    }
    return i;
  }

  private static final class Opening extends Bridge {
    static void open() {
      open(new Opening());
    }

    @Override
    public Object queueWithDemand(Demand demand) {
      return new WaitQueue(demand);
    }

    @Override
    public void demandChanged(Object waitQueue) {
      ((WaitQueue) waitQueue).demandChanged();
    }

    @Override
    public void seams(Object builder, Clock clock, @Nullable Probe probe) {
      ((EventPollBuilder) builder).seams(clock, probe);
    }

    @Override
    public void watch(Object builder, Probe probe) {
      ((EventPollBuilder) builder).watch(probe);
    }

    @Override
    public Object newSeat(Driver driver) {
      return new Seat(driver);
    }

    @Override
    public void kickHolder(Object seat) {
      ((Seat) seat).kickHolder();
    }

    @Override
    public void flush(Object seat) {
      ((Seat) seat).flush();
    }

    @Override
    public void report(Object waitQueue, int bits, Told told) {
      ((WaitQueue) waitQueue).report(bits, told);
    }

    @Override
    public void driver(Object builder, Driver driver) {
      ((EventPollBuilder) builder).driver = driver;
    }
  }
}
