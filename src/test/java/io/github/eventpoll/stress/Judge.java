package io.github.eventpoll.stress;

import io.github.eventpoll.EngineView;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * What must be true of a stress round while everybody rests: the engine's invariants, and that no
 * source is ready without somebody having been told.
 */
final class Judge {
  /** Of a harvest at the end. One in 64 looks at the channels if there is always something else. */
  private static final int TRIES = 400;

  private static final long LATE_NANOS = 5_000_000_000L;

  private final World world;
  private final List<String> wrong = new ArrayList<>();

  private Judge(World world) {
    this.world = world;
  }

  /** What is wrong at present. */
  static List<String> of(World world) {
    Judge judge = new Judge(world);
    for (EventPoll poll : world.polls) {
      judge.wrong.addAll(EngineView.wrongAtRest(poll));
      poll.items().forEach(judge::item);
    }
    world.all.forEach(judge::source);
    judge.untold();
    return judge.wrong;
  }

  /** What is wrong with the keeping of time at present, which may be over in a moment. */
  static List<String> ofTime(World world) {
    Judge judge = new Judge(world);
    for (EventPoll poll : world.polls) {
      judge.wrong.addAll(EngineView.wrongTime(poll));
      judge.time(poll);
    }
    return judge.wrong;
  }

  /** A ready item is listed, or was delivered after the last thing that happened to it. */
  private void item(EpItem item) {
    int mask = item.interest();
    boolean wanting = (mask & Events.IN) != 0;
    boolean shared = (mask & Events.EXCLUSIVE) != 0;
    Ledger ledger = (Ledger) item.attachment();
    boolean channel = ledger.source != null && ledger.source.isChannel();
    if (!wanting || shared || channel || item.isQueued() || !isReady(item)) {
      return;
    }
    boolean edge = (mask & Events.ET) != 0 && (mask & Events.ONESHOT) == 0;
    if (!edge) {
      wrong.add("ready, armed and not queued: " + item + " on " + ledger.source);
    } else if (ledger.source != null && ledger.lastDelivery() <= ledger.source.lastWrite()) {
      wrong.add("no edge after the last write: " + item + " on " + ledger.source);
    }
  }

  private static boolean isReady(EpItem item) {
    Ledger ledger = (Ledger) item.attachment();
    if (ledger.source != null) {
      return ledger.source.isReady();
    }
    return item.source() instanceof EventPoll inner && hasReady(inner);
  }

  /** What a poll would answer if it were asked; asking it would change its list. */
  private static boolean hasReady(EventPoll poll) {
    for (EpItem item : poll.items()) {
      if (item.isQueued() && (item.interest() & Events.IN) != 0 && isReady(item)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Of the exclusive items on a ready source one is listed, or somebody got the event. One that is
   * listed where nobody has looked since must not keep the event from those who sleep elsewhere.
   */
  private void source(StressSource source) {
    if (source.isChannel()
        || !source.isReady()
        || source.exclusiveSeen.get() > source.lastWrite()) {
      return;
    }
    List<EpItem> shared = new ArrayList<>(EngineView.watchers(source.pollable()));
    int wanted = Events.IN | Events.EXCLUSIVE;
    shared.removeIf(item -> (item.interest() & wanted) != wanted);
    if (shared.isEmpty()) {
      return;
    }
    List<EpItem> queued = shared.stream().filter(EpItem::isQueued).toList();
    if (queued.isEmpty()) {
      wrong.add("ready, and no exclusive item is queued: " + source + ", " + shared);
    } else if (queued.stream().noneMatch(item -> served(item, source))
        && shared.stream().anyMatch(item -> EngineView.sleepers(item.poll()) > 0)) {
      wrong.add("queued where nobody waits, while others sleep: " + source + ", " + shared);
    }
  }

  private boolean served(EpItem item, StressSource source) {
    EventPoll poll = item.poll();
    return EngineView.sleepers(poll) > 0 || world.lastReturn(poll) > source.lastWrite();
  }

  /** Bytes in a channel reach those who sleep on a poll that depends on it. */
  private void untold() {
    for (EventPoll poll : world.polls) {
      if (EngineView.sleepers(poll) > 0) {
        untold(poll).forEach(item -> wrong.add("bytes, and nobody was told: " + item));
      }
    }
  }

  /** The items in and below a poll whose channels have bytes that a scan should deliver. */
  private static List<EpItem> untold(EventPoll poll) {
    List<EpItem> found = new ArrayList<>();
    for (EpItem item : poll.items()) {
      int mask = item.interest();
      if ((mask & Events.IN) == 0 || (mask & Events.EXCLUSIVE) != 0) {
        continue;
      }
      boolean edge = (mask & Events.ET) != 0;
      Ledger ledger = (Ledger) item.attachment();
      if (ledger.source instanceof StressChannel channel) {
        if (channel.hasUntold(edge && (mask & Events.ONESHOT) == 0, ledger.lastDelivery())) {
          found.add(item);
        }
      } else if (item.source() instanceof EventPoll inner && !edge) {
        found.addAll(untold(inner));
      }
    }
    return found;
  }

  private void time(EventPoll poll) {
    if (EngineView.sleepers(poll) > 0 && EngineView.overdueNanos(poll) > LATE_NANOS) {
      wrong.add("nobody keeps time: " + poll.dump());
    }
  }

  /** Takes what is listed, and misses what was ready and is not among it. */
  private void undelivered(EventPoll poll) {
    Set<EpItem> expected = new HashSet<>();
    for (EpItem item : poll.items()) {
      Ledger ledger = (Ledger) item.attachment();
      boolean in = item.isQueued() && (item.interest() & Events.IN) != 0;
      StressSource source = ledger.source;
      if (in && source != null && !source.isFlaky() && !source.isChannel() && source.isReady()) {
        expected.add(item);
      }
    }
    untold(poll).stream().filter(item -> item.poll() == poll).forEach(expected::add);
    ReadyEvents ready = new ReadyEvents(Math.max(1, poll.size()));
    long end = System.nanoTime() + LATE_NANOS;
    for (int i = 0; !expected.isEmpty(); i++) { // a source that breaks stops the scan
      if (i >= TRIES) {
        // Only a helper that still has the turn of a driver may be late: a wait of no time looks at
        // no channel then (KR-37), and the helper's thread has to run before it gives the turn up.
        if (System.nanoTime() - end > 0 || !expected.stream().allMatch(Judge::isOnChannel)) {
          break;
        }
        LockSupport.parkNanos(1_000_000);
      }
      try {
        int found = poll.awaitNow(ready);
        for (int k = 0; k < found; k++) {
          expected.remove(ready.item(k));
        }
      } catch (StressSource.Broke e) {
        world.requireExpected(e);
      }
    }
    expected.forEach(item -> wrong.add("listed, ready and not delivered: " + item));
  }

  private static boolean isOnChannel(EpItem item) {
    StressSource source = ((Ledger) item.attachment()).source;
    return source != null && source.isChannel();
  }

  /** When all have gone: sums, and everything that is listed is still delivered. */
  static List<String> atTheEnd(World world) {
    Judge judge = new Judge(world);
    List<String> wrong = judge.wrong;
    world.polls.forEach(judge::undelivered); // outer before inner
    world.all.stream().map(StressSource::wrongSum).filter(s -> !s.isEmpty()).forEach(wrong::add);
    world.polls.forEach(EventPoll::close);
    world.all.stream().filter(StressSource::isChannel).forEach(StressSource::close);
    for (EventPoll poll : world.polls) {
      if (poll.size() != 0 || !EngineView.watchers(poll).isEmpty()) {
        wrong.add("left behind in a closed poll: " + poll.dump());
      }
    }
    for (StressSource source : world.all) {
      if (!EngineView.watchers(source.pollable()).isEmpty()) {
        wrong.add("watched by a closed poll: " + source);
      }
    }
    return wrong;
  }
}
