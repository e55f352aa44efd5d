package io.github.eventpoll.stress;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.Timer;
import java.time.Duration;

/** Those who wait in a stress round. */
abstract class Waits extends Actor {
  final ReadyEvents ready;

  Waits(World world, String name, boolean virtual) {
    super(world, name, virtual);
    ready = new ReadyEvents(1 << random.nextInt(5));
  }

  /** Waits on a poll in one of all ways. */
  final int await(EventPoll poll) throws InterruptedException {
    int dice = random.nextInt(10);
    Duration timeout = Duration.ofNanos(random.nextInt(random.nextBoolean() ? 3_000_000 : 200_000));
    note("waits on (" + dice + ")", poll);
    int found;
    sleepsOn = poll;
    try {
      found =
          switch (dice) {
            case 0 -> poll.awaitNow(ready);
            case 1 -> poll.awaitNanos(ready, 0);
            case 2 -> poll.awaitUninterruptibly(ready, timeout);
            case 3, 4, 5 -> poll.await(ready, timeout);
            case 6 -> poll.awaitUntil(ready, System.nanoTime() + timeout.toNanos());
            default -> poll.await(ready);
          };
    } finally {
      sleepsOn = null;
      world.returned(poll);
    }
    long now = System.nanoTime();
    for (int i = 0; i < found; i++) {
      Ledger ledger = (Ledger) ready.attachment(i);
      ledger.delivered(now);
      if (ledger.source != null && (ready.item(i).interest() & Events.EXCLUSIVE) != 0) {
        ledger.source.exclusiveSeen.accumulateAndGet(now, Math::max);
      }
    }
    world.delivered.add(found);
    note("got " + found + " from", poll);
    return found;
  }

  /** Reads and arms again what was found, mostly. */
  final void handle(int found) {
    for (int i = 0; i < found; i++) {
      EpItem item = ready.item(i);
      note("handles " + Events.toString(ready.events(i)) + " of", item);
      Ledger ledger = (Ledger) ready.attachment(i);
      if (ledger.source != null && random.nextInt(8) > 0) {
        read(ledger.source);
      } else if (item.source() instanceof Timer timer && random.nextInt(8) > 0) {
        timer.tryRead();
      }
      if (!item.isArmed() && random.nextInt(4) > 0) {
        rearm(item);
      }
    }
  }

  private void read(StressSource source) {
    boolean all = random.nextBoolean();
    do {
      if (source.read() == 0) {
        return;
      }
    } while (all);
  }

  private void rearm(EpItem item) {
    try {
      item.modify(item.interest() | Events.IN);
    } catch (EventPollStateException | StressSource.Broken | StressSource.Broke e) {
      world.requireExpected(e);
    }
  }

  /** Waits on the polls of the round. */
  static final class Waiter extends Waits {
    Waiter(World world, int number, boolean virtual) {
      super(world, (virtual ? "virtual" : "waiter") + number, virtual);
    }

    @Override
    void act() throws InterruptedException {
      EventPoll poll = world.anyPoll(random);
      int found = await(poll);
      handle(found);
      for (int i = 0; i < found; i++) {
        if (ready.source(i) instanceof EventPoll inner && random.nextBoolean()) {
          handle(await(inner));
          return;
        }
      }
    }
  }

  /** Waits on sources alone, without a poll of its own. */
  static final class Poller extends Waits {
    Poller(World world, int number) {
      super(world, "poller" + number, false);
    }

    @Override
    void act() throws InterruptedException {
      StressSource source = world.anySource(random);
      Pollable on =
          switch (random.nextInt(3)) {
            case 0 -> world.anyPoll(random);
            case 1 -> world.timers.get(random.nextInt(world.timers.size()));
            default -> source.pollable();
          };
      note("polls", on);
      Duration limit = random.nextInt(4) == 0 ? null : Duration.ofNanos(random.nextInt(2_000_000));
      sleepsOn = on;
      int ready;
      try {
        ready = EventPoll.awaitOne(on, Events.IN, limit);
      } finally {
        sleepsOn = null;
      }
      if (ready != 0 && on == source.pollable()) {
        source.read();
      }
    }
  }

  /** Opens a poll of its own beside or below the others, waits on it for a while and closes it. */
  static final class Visitor extends Waits {
    Visitor(World world, int number) {
      super(world, "visitor" + number, false);
    }

    @Override
    void act() throws InterruptedException {
      EventPoll own = world.newPoll(random);
      note("opens", own + " with " + world.pathOf(own));
      try (own) {
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          StressSource source = world.anySource(random);
          if (own.find(source.pollable()) == null) {
            own.add(source.pollable(), world.anyModeFor(source, random), new Ledger(source));
          }
        }
        if (random.nextBoolean()) {
          int mode = random.nextBoolean() ? Events.IN : Events.IN | Events.ET;
          world.anyPoll(random).add(own, mode, new Ledger(null));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
          handle(await(own));
        }
      }
    }
  }
}
