package io.github.eventpoll;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tests in other packages may see of the engine's inside. */
public final class EngineView {
  private static final VarHandle TOKEN;

  static {
    try {
      MethodHandles.Lookup here = MethodHandles.lookup();
      TOKEN =
          MethodHandles.privateLookupIn(Sleepers.class, here)
              .findVarHandle(Sleepers.class, "token", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private EngineView() {}

  /**
   * The record under which a thread sleeps in a wait on a poll, or on one source: parked or in a
   * driver, not chosen, not kicked; null if it does not.
   */
  public static @Nullable Object sleepOf(Thread thread, Pollable source) {
    if (source instanceof EventPoll poll) {
      for (Waiter waiter : poll.sleepers.snapshot()) {
        if (waiter.thread == thread && waiter.isAsleep()) {
          return waiter;
        }
      }
    }
    WaitQueue queue = source.waitQueue();
    for (WaitEntry entry : queue == null ? new WaitEntry[0] : queue.snapshot()) {
      if (entry instanceof OneWaiter one && one.waiter.thread == thread && one.waiter.isAsleep()) {
        return one;
      }
    }
    return null;
  }

  /**
   * What is wrong with a poll while every thread that may touch it is asleep in the engine or
   * outside of it.
   */
  public static List<String> wrongAtRest(EventPoll poll) {
    List<String> wrong = new ArrayList<>();
    collect(wrong, () -> EngineInvariants.listedOnceAndAlive(poll, false));
    collect(wrong, () -> EngineInvariants.notifiedIsListed(poll, false));
    collect(wrong, () -> EngineInvariants.noEventBesideSleepers(poll));
    if ((boolean) TOKEN.get(poll.sleepers) && !poll.sleepers.snapshot().isEmpty()) {
      wrong.add("a wakeup() is kept while threads sleep: " + poll.dump());
    }
    Collection<EpItem> items = poll.items();
    if (poll.size() != items.size()) {
      wrong.add("size() is " + poll.size() + " but there are " + items.size() + " items: " + poll);
    }
    for (EpItem item : items) {
      if (!watchers(item.source()).contains(item)) {
        wrong.add("registered and not in the queue of its source: " + item);
      }
    }
    return wrong;
  }

  /** The same of the keeping of time; to be asked several times, because time goes on. */
  public static List<String> wrongTime(EventPoll poll) {
    List<String> wrong = new ArrayList<>();
    collect(wrong, () -> EngineInvariants.somebodyKeepsTime(poll));
    return wrong;
  }

  private static void collect(List<String> wrong, Runnable check) {
    try {
      check.run();
    } catch (AssertionError e) {
      wrong.add(e.getMessage());
    }
  }

  /** The items that a source's queue would tell. */
  public static List<EpItem> watchers(Pollable source) {
    List<EpItem> items = new ArrayList<>();
    WaitQueue queue = source.waitQueue();
    for (WaitEntry entry : queue == null ? new WaitEntry[0] : queue.snapshot()) {
      if (entry instanceof EpItem item) {
        items.add(item);
      }
    }
    return items;
  }

  /** How many threads have enlisted to sleep on a poll. */
  public static int sleepers(EventPoll poll) {
    return poll.sleepers.snapshot().size();
  }

  /** By how many nanoseconds the nearest deadline of a poll has passed; negative if it has not. */
  public static long overdueNanos(EventPoll poll) {
    return poll.clock.now() - poll.deadlines.nearest();
  }
}
