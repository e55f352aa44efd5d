package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.internal.Probe;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One poll of a {@link WakeLog}: who waits, who sleeps, and whose callback runs where. */
final class WatchedPoll implements Probe {
  private static final int MODES = Events.ET | Events.ONESHOT | Events.EXCLUSIVE | Events.WAKEUP;

  /** A thread that waits, from before it enlists until it has left. */
  private static final class Waiting {
    final Thread thread;
    boolean asleep;
    boolean chosen;
    boolean forEvent;

    Waiting(Thread thread) {
      this.thread = thread;
    }
  }

  /** A callback that has not ended. */
  private static final class Running {
    final EpItem item;
    boolean woke;

    Running(EpItem item) {
      this.item = item;
    }
  }

  // Guarded by the log's guard, all of them.
  private final WakeLog log;
  private final IdentityHashMap<Object, Waiting> waiters = new IdentityHashMap<>();
  private final Map<Thread, Deque<Running>> callbacks = new HashMap<>();

  /** Threads that were woken for an event and have taken none yet, with the line of the wake. */
  private final Map<Thread, Long> owing = new HashMap<>();

  private @Nullable EventPoll poll;

  /** The first waiter that was woken in vain, as a sentence. */
  @Nullable String vainWake;

  /** The first event that two were woken for, as a sentence. */
  @Nullable String secondWake;

  WatchedPoll(WakeLog log) {
    this.log = log;
  }

  @Override
  public void at(Step step, Object who) {
    at(step, who, 0);
  }

  @Override
  public void at(Step step, Object who, int bits) {
    log.guard().lock();
    try {
      if (log.isLooking()) {
        return;
      }
      if (who instanceof EpItem item) {
        poll = item.poll();
        about(step, item, bits);
      } else if (who instanceof EventPoll self) {
        poll = self;
        aboutPoll(step, self, bits);
      } else {
        aboutWaiter(step, who, bits);
      }
    } finally {
      log.guard().unlock();
    }
  }

  private void say(String text) {
    log.append(log.hasSeveralPolls() && poll != null ? poll + ": " + text : text);
  }

  // -------------------------------------------------------------------------------------- items

  private void about(Step step, EpItem item, int bits) {
    WakeLog.ItemRecord record = log.recordOf(item);
    String name = record.name;
    switch (step) {
      case ADD_REGISTERED -> say(name + " is added for " + Events.toString(item.interest()));
      case MODIFY_STORED -> {
        record.deliveredSinceArmed = false;
        say(name + " is modified to " + Events.toString(item.interest()));
      }
      case REMOVE_DEAD -> say(name + " is removed");
      case CALLBACK -> {
        record.callbacks++;
        callbacks
            .computeIfAbsent(Thread.currentThread(), t -> new ArrayDeque<>())
            .push(new Running(item));
        say(name + " rings" + (bits == 0 ? "" : " with " + Events.toString(bits)));
      }
      case SKIPPED -> ended("skipped: " + name + " is listed, and a scan will ask it", false);
      case UNWANTED -> ended("dropped by the mask: " + name + " does not want it", false);
      case REFUSED -> ended("refused: " + name + " does not want it, or is disarmed", false);
      case CALLBACK_DONE ->
          ended("the ring ends" + (isUsedUp(item, bits) ? ", used up" : ""), true);
      case QUEUED -> {
        record.wokenIn = 0;
        say(name + " is put on the ready list");
      }
      case OVERFLOWED -> {
        record.wokenIn = 0;
        say(name + " is put on the overflow list, as a scan runs");
      }
      case QUEUED_LATE -> say(name + " is put aside for the next scan");
      case FOUND_LISTED -> say(name + " is on the ready list already");
      case DUE -> say("a deadline of " + name + " has come");
      default -> inScan(step, record, bits);
    }
  }

  private static boolean isUsedUp(EpItem item, int bits) {
    return bits != 0 && (item.interest() & Events.EXCLUSIVE) != 0;
  }

  private void inScan(Step step, WakeLog.ItemRecord record, int bits) {
    String name = record.name;
    switch (step) {
      case SCAN_ASKED ->
          say("asks " + name + ": " + (bits == 0 ? "not ready" : Events.toString(bits)));
      case DELIVERED -> {
        record.deliveries++;
        record.deliveredSinceArmed = true;
        record.wokenIn = 0;
        owing.remove(Thread.currentThread());
        say("takes " + Events.toString(bits) + " of " + name);
      }
      case REQUEUED -> say(name + " stays on the ready list");
      case UNLISTED -> {
        record.wokenIn = 0;
        say(name + " leaves the ready list");
      }
      default -> {}
    }
  }

  private void ended(String text, boolean accepted) {
    Thread self = Thread.currentThread();
    Deque<Running> stack = callbacks.get(self);
    Running running = stack == null ? null : stack.poll();
    if (stack != null && stack.isEmpty()) {
      callbacks.remove(self);
    }
    say(accepted && running != null && !running.woke ? text + ": no waiter to wake" : text);
  }

  // ------------------------------------------------------------------------------ poll, waiters

  private void aboutPoll(Step step, EventPoll self, int bits) {
    switch (step) {
      case SCAN_STARTED -> say("a scan begins");
      case SCAN_ENDED -> say("the scan ends");
      case CLOSE_MARKED -> {
        owing.clear();
        say(self + " closes");
      }
      case WAKEUP_KEPT -> say("a wakeup() is kept for the next who would sleep");
      case RETURNED -> {
        say("await returns " + bits);
        settle(Thread.currentThread(), "returned with nothing");
      }
      default -> {}
    }
  }

  private void aboutWaiter(Step step, Object who, int bits) {
    Thread self = Thread.currentThread();
    Waiting waiting = waiters.get(who);
    switch (step) {
      case ENLISTING -> {
        settle(self, "found nothing and waits again");
        waiters.put(who, new Waiting(self));
      }
      case ENLISTED -> say("begins to wait");
      case LOOKED -> {
        if (waiting != null) {
          waiting.asleep = true;
        }
        say("sleeps");
      }
      case AWAKE -> {
        if (waiting != null) {
          waiting.asleep = false;
        }
        say("sleeps no more");
      }
      case CHOSEN -> chosen(waiting, bits);
      case WAKEUP_USED -> {
        waiters.remove(who);
        say("a wakeup() was kept for it");
      }
      case LEFT -> {
        waiters.remove(who);
        if (waiting != null && waiting.forEvent) {
          owing.put(self, log.count());
        }
      }
      default -> {}
    }
  }

  private void chosen(@Nullable Waiting waiting, int bits) {
    String whom = waiting == null ? "a waiter" : waiting.thread.getName();
    say("wakes " + whom + (bits == 0 ? "" : " by wakeup()"));
    Deque<Running> stack = callbacks.get(Thread.currentThread());
    Running running = stack == null ? null : stack.peek();
    if (waiting != null) {
      waiting.chosen = true;
      waiting.forEvent = bits == 0 && (poll == null || !poll.isClosed());
    }
    if (running != null && bits == 0) {
      running.woke = true;
      WakeLog.ItemRecord record = log.recordOf(running.item);
      if (record.wokenIn != 0 && secondWake == null) {
        secondWake =
            "two waiters were woken for one event of "
                + record.name
                + ", in line "
                + record.wokenIn
                + " and in line "
                + log.count();
      }
      record.wokenIn = log.count();
    }
  }

  /** A thread has come to the end of what a wake was for. */
  private void settle(Thread thread, String how) {
    Long line = owing.remove(thread);
    if (line != null && vainWake == null && (poll == null || !poll.isClosed())) {
      vainWake = thread.getName() + " was woken for an event before line " + line + " and " + how;
    }
  }

  // ---------------------------------------------------------------------------- lost wake-ups

  /** Why a wake-up seems lost just now; null if none does. The calling thread holds no lock. */
  @Nullable String lostWakeUp() {
    long seen;
    List<EpItem> items;
    String sleepers;
    log.guard().lock();
    try {
      if (!allSleep()) {
        return null;
      }
      seen = log.count();
      items = log.livingItems();
      sleepers = sleepers();
      log.look(true);
    } finally {
      log.guard().unlock();
    }
    EpItem lost = forgotten(items);
    log.guard().lock();
    try {
      log.look(false);
      return lost == null || log.count() != seen || !allSleep()
          ? null
          : log.nameOf(lost) + " is ready, and all who wait sleep: " + sleepers;
    } finally {
      log.guard().unlock();
    }
  }

  private @Nullable EpItem forgotten(List<EpItem> items) {
    for (EpItem item : items) {
      if (item.poll() == poll && isForgotten(item)) {
        return item;
      }
    }
    return null;
  }

  private boolean allSleep() {
    return callbacks.isEmpty()
        && !waiters.isEmpty()
        && waiters.values().stream().allMatch(each -> each.asleep && !each.chosen);
  }

  private String sleepers() {
    return String.join(
        ", ", waiters.values().stream().map(each -> each.thread.getName()).sorted().toList());
  }

  /** Ready, and owed to somebody: an edge that was delivered is nobody's. */
  private boolean isForgotten(EpItem item) {
    int mask = item.interest();
    int wanted = mask & ~MODES;
    if (!item.isValid() || wanted == 0) {
      return false;
    }
    boolean edge = (mask & Events.ET) != 0 && (mask & Events.ONESHOT) == 0;
    if (edge && wasDelivered(item) && !item.isQueued()) {
      return false;
    }
    try {
      return (item.source().readiness() & wanted) != 0;
    } catch (RuntimeException e) {
      return false; // a harvest would report it as ERR, but only one that is asked to
    }
  }

  private boolean wasDelivered(EpItem item) {
    log.guard().lock();
    try {
      return log.recordOf(item).deliveredSinceArmed;
    } finally {
      log.guard().unlock();
    }
  }
}
