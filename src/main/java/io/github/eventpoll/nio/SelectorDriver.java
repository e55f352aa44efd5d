package io.github.eventpoll.nio;

import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.internal.Shares;
import io.github.eventpoll.internal.SpinLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver over one {@link Selector}. Keys are made, changed and cancelled by the holder of the
 * turn only, at the start of a pass, from a list of changes: so no thread meets a key in another's
 * hands, and an interest that is back to its old value by then costs nothing. The selector is open
 * while there are channels.
 */
final class SelectorDriver extends Driver {
  private static final Logger LOG = LoggerFactory.getLogger(SelectorDriver.class);
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final SelectorProvider provider;
  private final SpinLock guard = new SpinLock();

  /** Channels that are or are to be in the selector; guard: guard. */
  private final Set<Registration> registrations = new HashSet<>();

  /** Registrations whose key may not fit any more; guard: guard. */
  private List<Registration> changes = new ArrayList<>();

  /** The list of the last pass, empty again; the turn. */
  private List<Registration> spareChanges = new ArrayList<>();

  /** Registrations were forgotten, so that there may be none; the turn. */
  private boolean forgotten;

  /** Null while there are no channels; written under guard, read volatile. */
  private volatile @Nullable OpenSelector open;

  /** A wake met no selector: one that was opened since must not be slept in. See {@link #wake}. */
  private volatile boolean wokenUnopened;

  /** Passes that were requested, and how far they have been made: MO-FLUSH-1. */
  private final AtomicLong flushesWanted = new AtomicLong();

  private volatile long flushesDone;

  /** What the pass going on has collected; the turn. */
  private final List<Registration> collected = new ArrayList<>();

  /** Whose channels the pass going on has found closed; the turn. */
  private final List<Registration> closed = new ArrayList<>(0);

  /** How many passes there were; the turn. */
  private volatile long passes;

  /** How many selectors were given up because they kept returning nothing; the turn. */
  private volatile long replaced;

  /** A count, for looking. */
  private final AtomicLong wakes = new AtomicLong();

  private final EmptyReturns emptyReturns = new EmptyReturns();

  SelectorDriver(SelectorProvider provider) {
    this.provider = provider;
  }

  // --------------------------------------------------------------------------- by sources

  /** Begins to watch a channel, without asking for anything yet. */
  void add(Registration registration) {
    guard.lock();
    try {
      if (open == null) {
        open = OpenSelector.of(provider, this::collect);
      }
      registrations.add(registration);
    } catch (IOException e) {
      throw new UncheckedIOException("no selector for " + registration.source, e);
    } finally {
      guard.unlock();
    }
  }

  /** What a registration asks may have changed. */
  void changed(Registration registration, boolean more) {
    // MO-ASK-1: volatile read after the change. Most often the last report has listed it already.
    if (!registration.dirty.get() && registration.dirty.compareAndSet(false, true)) {
      guard.lock();
      try {
        changes.add(registration);
      } finally {
        guard.unlock();
      }
    }
    if (more) {
      askedForMore(); // KR-33: the change was published before the leader's word is looked at
    }
  }

  /** Has keys of closed channels flushed: returns after that, or after the leader was told. */
  void flushNow() {
    wantFlush();
    flush();
  }

  /** Asks for a flush by whoever has the turn next, or has it and gives it up. */
  void wantFlush() {
    flushesWanted.getAndIncrement(); // MO-FLUSH-1: published, then the turn is tried
  }

  // ------------------------------------------------------------------------------ the turn

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // the holder of the turn is the only writer
  public void sleep(long until) {
    long wanted = flushesWanted.get();
    OpenSelector present = open;
    if (present != null) {
      passes++;
      pass(present, until);
    }
    closeIfEmpty();
    flushesDone = wanted; // MO-FLUSH-1: after the pass; who gives up the turn looks again
  }

  private void pass(OpenSelector present, long until) {
    try {
      present.beginPass();
      applyChanges(present);
      boolean found = !collected.isEmpty() || !closed.isEmpty();
      long millis = found || wasWokenUnopened() ? 0 : OpenSelector.millisUntil(until);
      boolean woken = present.select(millis);
      dropClosed(present);
      if (woken || !collected.isEmpty() || !closed.isEmpty()) {
        emptyReturns.reset();
      } else if (millis != 0 && emptyReturns.tooMany(present)) {
        recover(present);
      }
    } catch (ClosedSelectorException e) {
      // a foreign hand closed it; the next pass opens another
      reopen(present);
    } catch (IOException e) {
      LOG.warn("{}: select failed", this, e);
      reopen(present);
    }
  }

  private boolean wasWokenUnopened() {
    if (!wokenUnopened) { // MO-KICK-1: volatile read after "open" was read
      return false;
    }
    wokenUnopened = false;
    return true;
  }

  private void collect(SelectionKey key) {
    if (!(key.attachment() instanceof Registration registration)) {
      return;
    }
    try {
      int ready = key.readyOps();
      int directions =
          ((ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0 ? Shares.IN : 0)
              | ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0 ? Shares.OUT : 0);
      if (registration.collect(directions)) {
        collected.add(registration);
      }
    } catch (CancelledKeyException e) {
      changed(registration, false); // closed by another thread: the next pass finds out
    }
  }

  @Override
  public void dispatch() {
    for (int i = 0; i < collected.size(); i++) {
      try {
        collected.get(i).dispatch();
      } catch (RuntimeException e) {
        LOG.error(
            "{}: a report was not told to everybody", this, e); // the others' still is (KR-30)
      }
    }
    collected.clear();
    if (!closed.isEmpty()) {
      List<Registration> gone = List.copyOf(closed);
      closed.clear(); // first: what follows may make a pass of another driver
      gone.forEach(registration -> registration.source.channelClosed(registration));
    }
  }

  private void applyChanges(OpenSelector present) throws IOException {
    List<Registration> listed;
    guard.lock();
    try {
      listed = changes;
      changes = spareChanges;
    } finally {
      guard.unlock();
    }
    spareChanges = listed;
    int done = 0;
    try {
      while (done < listed.size()) {
        Registration next = listed.get(done++);
        next.dirty.set(false); // MO-ASK-1: volatile store, then it is read what is asked
        apply(present, next);
      }
    } finally {
      while (done < listed.size()) { // an exception has left it over: the next pass does it
        Registration left = listed.get(done++);
        left.dirty.set(false);
        changed(left, false);
      }
      listed.clear();
    }
  }

  private void apply(OpenSelector present, Registration registration) throws IOException {
    int asked = registration.shares.askedOrNone();
    if (asked < 0 && registration.source.retire(registration)) {
      retire(present, registration);
      return;
    }
    SelectionKey key = registration.key();
    try {
      int ops =
          registration.source.ops(Math.max(0, asked)); // items that came since have it listed again
      if (key == null) {
        registration.key(present.register(registration, ops));
      } else if (key.interestOps() != ops) {
        key.interestOps(ops);
      }
    } catch (CancelledKeyException | ClosedChannelException e) {
      closedBehindOurBack(present, registration);
    } catch (IllegalBlockingModeException | IllegalSelectorException e) {
      LOG.warn("{}: cannot watch {}", this, registration.source, e);
      registration.source.failed();
    }
  }

  /**
   * Nobody wants the channel here any more: its key is cancelled; the select that follows flushes.
   */
  private void retire(OpenSelector present, Registration registration) {
    SelectionKey key = registration.key();
    forget(registration);
    registration.key(null);
    if (key != null) {
      key.cancel();
      present.keyGone();
    }
  }

  /** The registration stays while there are items: they depend on this driver. */
  private void closedBehindOurBack(OpenSelector present, Registration registration) {
    if (registration.key() != null) {
      registration.key(null);
      present.keyGone();
    }
    closed.add(registration);
  }

  private void forget(Registration registration) {
    forgotten = true;
    guard.lock();
    try {
      registrations.remove(registration);
    } finally {
      guard.unlock();
    }
  }

  /** A channel that was closed behind our back leaves no report, only a key fewer than before. */
  private void dropClosed(OpenSelector present) {
    if (present.expectedKeys() == present.actualKeys()) {
      return;
    }
    for (Registration registration : all()) {
      SelectionKey key = registration.key();
      if (key != null && !key.isValid()) {
        closedBehindOurBack(present, registration);
      }
    }
  }

  private List<Registration> all() {
    guard.lock();
    try {
      return new ArrayList<>(registrations);
    } finally {
      guard.unlock();
    }
  }

  private void closeIfEmpty() {
    if (!forgotten && open != null) {
      return;
    }
    forgotten = false;
    OpenSelector unused = null;
    guard.lock();
    try {
      if (registrations.isEmpty()) {
        unused = open;
        open = null;
        changes.forEach(done -> done.dirty.set(false)); // retired, or about to be added and listed
        changes.clear();
      }
    } finally {
      guard.unlock();
    }
    if (unused != null) {
      unused.close();
    }
  }

  // ------------------------------------------------------------------------------- recovery

  /** The selector keeps returning nothing: first the interests are put anew, then the selector. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the holder of the turn is the only writer
  private void recover(OpenSelector present) {
    if (emptyReturns.worthRebuilding()) {
      emptyReturns.reset();
      if (reopen(present) && ++replaced == 1) {
        LOG.warn("{}: the selector kept returning nothing and was replaced", this);
      }
    }
    for (Registration registration : all()) {
      changed(registration, false);
    }
  }

  /**
   * Replaces the selector; the new one is there before the old one is closed (KR-42).
   *
   * @return false if there is no new one: then the old one stays
   */
  private boolean reopen(OpenSelector old) {
    OpenSelector fresh;
    try {
      fresh = OpenSelector.of(provider, this::collect);
    } catch (IOException e) {
      LOG.warn("{}: no new selector", this, e);
      return false;
    }
    for (Registration registration : all()) {
      SelectionKey key = registration.key();
      if (key != null) {
        key.cancel();
      }
      registration.key(null);
      changed(registration, false);
    }
    guard.lock();
    try {
      open = fresh;
    } finally {
      guard.unlock();
    }
    old.close();
    return true;
  }

  // ------------------------------------------------------------------------------ any thread

  @Override
  public void wake() {
    OpenSelector present = open;
    if (present == null) {
      // The sleeper may find one that is opened right now, and nobody would wake it a second time.
      wokenUnopened = true; // MO-KICK-1: volatile store, then "open" is read again
      present = open;
    }
    if (present != null) {
      wakes.getAndIncrement();
      present.wake();
    }
  }

  @Override
  public boolean flushRequested() {
    return flushesDone
        < flushesWanted.get(); // MO-FLUSH-1: volatile reads after the turn was given up
  }

  long passes() {
    return passes;
  }

  long wakes() {
    return wakes.get();
  }

  long emptyReturns() {
    return emptyReturns.all();
  }

  long replaced() {
    return replaced;
  }

  @Override
  public String detail() {
    String channels = "channels change just now";
    if (guard.tryLock()) {
      try {
        channels = registrations.size() + " channels";
      } finally {
        guard.unlock();
      }
    }
    return (open == null ? "no selector, " : "selector open, ")
        + channels
        + ", "
        + passes
        + " passes, "
        + wakes
        + " wakes";
  }

  @Override
  public String toString() {
    return "SelectorDriver#" + number;
  }
}
