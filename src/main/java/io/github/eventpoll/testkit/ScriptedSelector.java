package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Driver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The seam behind {@link ScriptedDriver}: what a level-triggered selector does, with its state in
 * plain sight. Changes come into force at the start of a pass; what is asked and ready is reported
 * in order of attachment; a wake is kept until a pass uses it up.
 */
final class ScriptedSelector extends Driver {
  final Clock clock;

  /** Channels that have, or are to get, a key. */
  private final List<ScriptedChannel> channels = new CopyOnWriteArrayList<>();

  /** Who makes a pass: at most one thread, or the engine is wrong (KR-25). */
  private final AtomicReference<Thread> inside = new AtomicReference<>();

  /** Who sleeps; stored before the last look, as those who wake read it after their store. */
  private volatile @Nullable Thread sleeper;

  private final AtomicBoolean wakePending = new AtomicBoolean();
  private final AtomicLong flushesWanted = new AtomicLong();
  private volatile long flushesDone;
  volatile int mostReports = Integer.MAX_VALUE;

  /** What the pass has collected and not dispatched; the turn. */
  private final List<ScriptedChannel> collected = new ArrayList<>();

  final AtomicLong passes = new AtomicLong();
  final AtomicLong sleeps = new AtomicLong();
  final AtomicLong wakeups = new AtomicLong();
  final AtomicLong maskChanges = new AtomicLong();
  final AtomicLong flushes = new AtomicLong();
  final AtomicLong overlaps = new AtomicLong();
  final AtomicLong reports = new AtomicLong();

  ScriptedSelector(Clock clock) {
    this.clock = clock;
  }

  // ------------------------------------------------------------------------------ the turn

  @Override
  public void sleep(long until) {
    Thread self = Thread.currentThread();
    if (!inside.compareAndSet(null, self)) {
      overlaps.getAndIncrement();
      throw new IllegalStateException("in the selector is " + inside.get() + " and comes " + self);
    }
    try {
      passes.getAndIncrement();
      long wanted = flushesWanted.get();
      applyChanges();
      waitFor(until, self);
      channels.forEach(this::flushIfClosed);
      flushesDone = wanted;
    } finally {
      sleeper = null;
      inside.set(null);
    }
  }

  private void waitFor(long until, Thread self) {
    if (isOver() || until < 0) {
      return;
    }
    sleeps.getAndIncrement();
    sleeper = self;
    while (!isOver() && !self.isInterrupted() && (until == Clock.NEVER || clock.now() < until)) {
      clock.sleeper().park(this, until);
    }
  }

  /** Collects, and uses a wake up; true if there was anything. */
  private boolean isOver() {
    for (ScriptedChannel channel : channels) {
      if (collected.size() < mostReports && !collected.contains(channel) && channel.collect()) {
        collected.add(channel);
      }
    }
    return wakePending.getAndSet(false) || !collected.isEmpty();
  }

  private void applyChanges() {
    for (ScriptedChannel channel : channels) {
      if (channel.shares.isEmpty()) {
        forget(channel);
        if (!channel.shares.isEmpty()) {
          attach(channel); // came back meanwhile
        }
      } else if (!flushIfClosed(channel) && channel.putInForce()) {
        maskChanges.getAndIncrement();
      }
    }
  }

  private boolean flushIfClosed(ScriptedChannel channel) {
    if (channel.isClosed()) {
      forget(channel);
      channel.closedUnnoticed();
      return true;
    }
    return false;
  }

  private void forget(ScriptedChannel channel) {
    if (channels.remove(channel) && channel.dropKey()) {
      flushes.getAndIncrement();
    }
  }

  @Override
  public void dispatch() {
    for (ScriptedChannel channel : collected) {
      reports.getAndIncrement();
      channel.dispatch();
    }
    collected.clear();
  }

  // ---------------------------------------------------------------------------- any thread

  void attach(ScriptedChannel channel) {
    ((CopyOnWriteArrayList<ScriptedChannel>) channels).addIfAbsent(channel);
  }

  /** More is asked than before. */
  void more() {
    askedForMore();
  }

  void wantFlush() {
    flushesWanted.getAndIncrement();
  }

  void flushNow() {
    wantFlush();
    flush();
  }

  @Override
  public boolean flushRequested() {
    return flushesDone < flushesWanted.get();
  }

  @Override
  public void wake() {
    wakeups.getAndIncrement();
    wakePending.set(true);
    stir();
  }

  /** Makes a sleeper return though nothing has happened. */
  boolean release() {
    if (sleeper == null) {
      return false;
    }
    wakePending.set(true);
    stir();
    return true;
  }

  /** Makes a sleeper look whether its sleep is over. */
  void stir() {
    Thread present = sleeper;
    if (present != null) {
      clock.sleeper().unpark(present);
    }
  }

  @Nullable Thread sleeper() {
    return sleeper;
  }

  @Override
  public String toString() {
    return "ScriptedDriver" + channels;
  }
}
