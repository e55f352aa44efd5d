package io.github.eventpoll;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what does not go on in one poll ({@link EventPoll#checkStalls()}). What a look sees may
 * be over the next moment: so a finding is what looks have seen for a whole period, in a state that
 * nothing has touched meanwhile: the same item and the same sleep of the same thread, with no
 * harvest, no turn, no ring in between.
 */
final class StallCheck {
  /** From one warning about a poll to the next, in nanoseconds. */
  static final long BETWEEN_WARNINGS = 60_000_000_000L;

  /** Without other choice, how long something must last, in nanoseconds. */
  static final long PERIOD = 1_000_000_000L;

  /** So many harvests in a period are a poll that goes round and round. */
  static final long BUSY = 1_000;

  /** How many items are spied on at a time. */
  private static final int MOST_SPIES = 16;

  private static final Logger LOG = LoggerFactory.getLogger(EventPoll.class);

  /** Something seen, and what it must not change to be the same; the last two by identity. */
  private record Sighting(
      Stall.Kind kind, Object subject, Object witness, long count, long since, Stall stall) {
    boolean same(Sighting other) {
      return kind == other.kind
          && subject == other.subject
          && witness == other.witness
          && count == other.count;
    }
  }

  private final EventPoll poll;
  private final long period;

  /** One look at a time; no lock of the engine is waited for under it. */
  private final ReentrantLock looking = new ReentrantLock();

  // All below: guard: looking.
  private List<Sighting> seen = List.of();
  private final IdentityHashMap<EpItem, Spy> spies = new IdentityHashMap<>(0);
  private long takesBefore;
  private long spiedAt = -1;
  private long warnedAt = -1;
  private int unwarned;

  StallCheck(EventPoll poll, long period) {
    this.poll = poll;
    this.period = period;
  }

  /** Looks once. Returns what has lasted for a period by now, and warns of it. */
  List<Stall> look() {
    List<Stall> found = new ArrayList<>();
    int before = 0;
    boolean warn;
    looking.lock();
    try {
      long now = poll.clock.now();
      for (Sighting sighting : see(now)) {
        if (now - sighting.since >= period) {
          found.add(sighting.stall);
        }
      }
      warn = !found.isEmpty() && (warnedAt < 0 || now - warnedAt >= BETWEEN_WARNINGS);
      if (warn) {
        before = unwarned;
        unwarned = 0;
        warnedAt = now;
      } else if (!found.isEmpty()) {
        unwarned++;
      }
    } finally {
      looking.unlock();
      endIfClosed();
    }
    if (warn) {
      LOG.warn("{}", text(found, before));
    }
    return List.copyOf(found);
  }

  /** What was seen so far does not count: the looks were not where they should have been. */
  void forget() {
    looking.lock();
    try {
      seen = List.of();
      endSpies();
      spiedAt = -1;
    } finally {
      looking.unlock();
    }
  }

  /**
   * The poll is closed, or was looked at meanwhile: nothing of this may stay in sources' queues.
   * Waits for nobody: who looks does the same afterwards.
   */
  void endIfClosed() {
    if (poll.isClosed() && looking.tryLock()) {
      try {
        endSpies();
      } finally {
        looking.unlock();
      }
    }
  }

  private void endSpies() {
    spies.values().forEach(Spy::end);
    spies.clear();
  }

  private String text(List<Stall> found, int before) {
    StringBuilder text = new StringBuilder(poll + " may be stalled:");
    for (Stall stall : found) {
      text.append("\n  ").append(stall.text());
    }
    if (before > 0) {
      text.append("\n  (").append(before).append(" looks found something since the last warning)");
    }
    return text.append('\n').append(Dump.of(poll, Dump.SOME)).toString();
  }

  /** What is there now, each with the instant since which it has been there unchanged. */
  private List<Sighting> see(long now) {
    if (poll.isClosed()) {
      return List.of();
    }
    List<Sighting> present = new ArrayList<>();
    seeListed(present, now);
    for (Seat seat : poll.drivers.seats()) {
      seeUnled(present, seat, now);
    }
    seeUnchanged(present, now);
    for (int i = 0; i < present.size(); i++) {
      Sighting old = before(present.get(i));
      if (old != null) {
        present.set(i, old);
      }
    }
    seen = present;
    return present;
  }

  private @Nullable Sighting before(Sighting sighting) {
    for (Sighting old : seen) {
      if (old.same(sighting)) {
        return old;
      }
    }
    return null;
  }

  private void seeListed(List<Sighting> present, long now) {
    if (!poll.path.available()) {
      return;
    }
    long takes = poll.harvest.takes();
    Waiter chosen = poll.sleepers.lastChosen();
    Waiter asleep = chosen == null ? longestAsleep() : null;
    if (chosen == null && asleep == null) {
      return;
    }
    EpItem item = firstQueued();
    if (item == null) {
      return;
    }
    String listed = Dump.name(item.source) + " is on the ready list";
    Stall stall =
        chosen != null
            ? new Stall(
                Stall.Kind.NOT_HARVESTED,
                poll,
                item,
                listed + ", and the thread chosen for it has not come to look: " + chosen)
            : new Stall(
                Stall.Kind.NOT_WOKEN, poll, item, listed + ", and nobody was woken: " + asleep);
    Waiter witness = chosen != null ? chosen : asleep;
    present.add(new Sighting(stall.kind(), item, witness, takes, now, stall));
  }

  private @Nullable Waiter longestAsleep() {
    Waiter longest = null;
    for (Waiter waiter : poll.sleepers.snapshot()) {
      longest = waiter.isAsleep() ? waiter : longest;
    }
    return longest;
  }

  private @Nullable EpItem firstQueued() {
    for (EpItem item : poll.registry.interest.anyOrder()) {
      if (item.isQueued()) {
        return item;
      }
    }
    return null;
  }

  private void seeUnled(List<Sighting> present, Seat seat, long now) {
    long turns = seat.turns();
    Waiter waiter = seat.isFree() ? seat.candidateAsleep() : null;
    if (waiter != null) {
      String text =
          "nobody sleeps in " + seat.driver + ", and this thread depends on it: " + waiter;
      Stall stall = new Stall(Stall.Kind.NOT_LED, poll, null, text);
      present.add(new Sighting(stall.kind(), seat, waiter, turns, now, stall));
    }
  }

  /** Once in a period: whether harvests go round and round, and which items they deliver. */
  private void seeUnchanged(List<Sighting> present, long now) {
    if (spiedAt >= 0 && now - spiedAt < period) {
      for (Sighting old : seen) {
        if (old.kind == Stall.Kind.NOT_CHANGED) {
          present.add(old);
        }
      }
      return;
    }
    long takes = poll.harvest.takes();
    long harvests = spiedAt < 0 ? 0 : takes - takesBefore;
    takesBefore = takes;
    spiedAt = now;
    List<EpItem> suspects = suspects(harvests);
    spies.values().removeIf(spy -> ended(spy, suspects));
    for (Spy spy : spies.values()) {
      present.add(unchanged(spy, harvests, now));
    }
    for (EpItem item : suspects) {
      if (spies.size() < MOST_SPIES && !spies.containsKey(item)) {
        spies.put(item, Spy.on(item));
      }
    }
  }

  private static boolean ended(Spy spy, List<EpItem> suspects) {
    if (suspects.contains(spy.item) && spy.sawNothing()) {
      return false;
    }
    spy.end();
    return true;
  }

  private Sighting unchanged(Spy spy, long harvests, long now) {
    String text =
        Dump.name(spy.item.source)
            + " is delivered again and again and does not change: "
            + harvests
            + " harvests since the last look";
    Stall stall = new Stall(Stall.Kind.NOT_CHANGED, poll, spy.item, text);
    return new Sighting(stall.kind(), spy.item, spy, 0, now, stall);
  }

  /**
   * Level-triggered items that every round of these harvests must have delivered if they were ready
   * all the time. Not channels, whose input and output need not be done through their source.
   */
  private List<EpItem> suspects(long harvests) {
    List<EpItem> suspects = new ArrayList<>();
    if (harvests < BUSY) {
      return suspects;
    }
    int queued = 0;
    for (EpItem item : poll.registry.interest.anyOrder()) {
      if (item.isQueued()) {
        queued++;
        if (item.isLevel() && item.isArmed() && DrivenItems.of(item.queue) == null) {
          suspects.add(item);
        }
      }
    }
    return harvests >= 2L * queued ? suspects : List.of();
  }
}
