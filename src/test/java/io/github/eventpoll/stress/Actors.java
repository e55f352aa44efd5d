package io.github.eventpoll.stress;

import io.github.eventpoll.EngineView;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Those who change things in a stress round: everybody but the waiters. */
final class Actors {
  private static final int BACKLOG = 40;

  private Actors() {}

  /** Writes to sources, also nothing at all, also in bursts. */
  static final class Writer extends Actor {
    Writer(World world, int number) {
      super(world, "writer" + number, false);
    }

    @Override
    void act() {
      StressSource source = world.anySource(random);
      if (source.count() > BACKLOG) {
        LockSupport.parkNanos(50_000);
        return;
      }
      note("writes", source);
      for (int i = random.nextInt(8) == 0 ? 5 : 1; i > 0; i--) {
        source.write(random.nextInt(4));
      }
      if (world.writerPause > 0) {
        LockSupport.parkNanos(random.nextInt(world.writerPause));
      }
    }
  }

  /** Modifies items, and so arms those that have fired. */
  static final class Modifier extends Actor {
    Modifier(World world) {
      super(world, "modifier", false);
    }

    @Override
    void act() {
      EpItem item = world.anyItem(world.anyPoll(random), random);
      if (item != null) {
        int mode = random.nextInt(3) == 0 ? Events.IN | Events.ONESHOT : world.anyMode(random);
        note("modifies to " + Events.toString(mode), item);
        item.modify(mode);
      }
    }
  }

  /** Removes items and adds others. */
  static final class Mover extends Actor {
    Mover(World world) {
      super(world, "mover", false);
    }

    @Override
    void act() {
      if (random.nextInt(4) == 0) {
        snatch();
        return;
      }
      EpItem item = random.nextBoolean() ? queued() : world.anyItem(world.anyPoll(random), random);
      boolean leaf = item != null && ((Ledger) item.attachment()).source != null;
      if (leaf && random.nextBoolean()) {
        note("removes", item);
        item.remove();
        if (random.nextBoolean()) {
          LockSupport.parkNanos(random.nextInt(2_000_000)); // an addition would hide what is lost
          return;
        }
        item.poll().add(item.source(), item.interest(), new Ledger(ledger(item)));
      }
      note("adds", this);
      world.addSomewhere(random);
    }

    /** Gives somebody an exclusive event and takes it away before he has seen it, perhaps. */
    private void snatch() {
      StressSource source = world.anySource(random);
      note("snatches", source);
      source.write(1);
      for (EpItem item : EngineView.watchers(source.pollable())) {
        if (item.isQueued() && (item.interest() & Events.EXCLUSIVE) != 0) {
          item.remove();
          LockSupport.parkNanos(random.nextInt(2_000_000));
          return;
        }
      }
    }

    /** An item whose event nobody has got yet, if there is one. */
    private @Nullable EpItem queued() {
      for (EpItem item : world.anyPoll(random).items()) {
        if (item.isQueued()) {
          return item;
        }
      }
      return null;
    }

    private static @Nullable StressSource ledger(EpItem item) {
      return ((Ledger) item.attachment()).source;
    }
  }

  /** Closes sources, puts new ones in their place and adds those. */
  static final class Closer extends Actor {
    Closer(World world) {
      super(world, "closer", false);
    }

    @Override
    void act() {
      LockSupport.parkNanos(random.nextInt(3_000_000));
      StressSource old = world.replaceSource(random.nextInt(world.sources.length()), random);
      note("closes", old);
      old.close();
      for (int i = 0; i < 3; i++) {
        world.addSomewhere(random);
      }
    }
  }

  /** Interrupts waiters and ends waits. */
  static final class Disturber extends Actor {
    Disturber(World world) {
      super(world, "disturber", false);
    }

    @Override
    void act() {
      LockSupport.parkNanos(random.nextInt(1_000_000));
      EventPoll poll = world.anyPoll(random);
      switch (random.nextInt(8)) {
        case 0 -> {
          note("wakes all", poll);
          poll.wakeupAll();
        }
        case 1, 2 -> {
          note("wakes", poll);
          poll.wakeup();
        }
        default -> {
          List<Actor> waiters = world.actors.stream().filter(Waits.class::isInstance).toList();
          Actor victim = waiters.get(random.nextInt(waiters.size()));
          note("interrupts", victim);
          victim.thread.interrupt();
        }
      }
    }
  }

  /** Sets, reads and disarms timers. */
  static final class TimeSetter extends Actor {
    TimeSetter(World world) {
      super(world, "timesetter", false);
    }

    @Override
    void act() {
      LockSupport.parkNanos(random.nextInt(500_000));
      Timer timer = world.timers.get(random.nextInt(world.timers.size()));
      int dice = random.nextInt(8);
      if (dice == 0) {
        note("disarms", timer);
        timer.disarm();
      } else if (dice < 3) {
        note("reads", timer);
        timer.tryRead();
      } else {
        Duration first = Duration.ofNanos(1 + random.nextInt(dice == 3 ? 50_000_000 : 2_000_000));
        Duration period = Duration.ofNanos(random.nextBoolean() ? 0 : random.nextInt(1_000_000));
        note("sets to " + first + ", " + period, timer);
        timer.set(first, period);
      }
    }
  }
}
