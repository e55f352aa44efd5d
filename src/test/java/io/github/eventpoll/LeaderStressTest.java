package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.testkit.ScriptedChannel;
import io.github.eventpoll.testkit.ScriptedDriver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Leaders, followers and helpers at random: two polls on two drivers and one around both, waiters
 * that time out and are interrupted, items that come, go and are re-armed. Every input that arrives
 * must be taken; a thread that sleeps beside one, or a driver that nobody watches, leaves it there
 * for ever.
 */
@EveryPath
class LeaderStressTest {
  private static final int ROUNDS = 400;
  private static final int[] MODES = {0, Events.ET, Events.ONESHOT, Events.EXCLUSIVE};

  private final EventPoll a = Polls.create();
  private final EventPoll b = Polls.create();
  private final EventPoll outer = Polls.create();
  private final ScriptedDriver first = ScriptedDriver.create();
  private final ScriptedDriver second = ScriptedDriver.create();
  private final List<ScriptedChannel> channels = new ArrayList<>();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();
  private volatile boolean over;

  /** Nobody's time-out helps out. */
  private boolean patient;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void everyInputIsTaken(int seed) {
    patient = seed % 2 == 0;
    for (int mode : MODES) {
      add(first, a, mode);
      add(second, b, mode);
    }
    ScriptedChannel shared = first.channel("shared");
    channels.add(shared);
    a.add(shared, Events.IN | Events.EXCLUSIVE);
    b.add(shared, Events.IN | Events.EXCLUSIVE);
    outer.add(a, Events.IN);
    outer.add(b, Events.IN);
    try (Waiters waiters = new Waiters()) {
      List<Thread> threads = new ArrayList<>();
      EventPoll[] polls = {a, b, outer, a, b};
      for (int i = 0; i < polls.length; i++) {
        EventPoll poll = polls[i];
        Random random = new Random(seed * 31L + i);
        threads.add(waiters.start("waiter", () -> waitAndTake(poll, random)).thread);
      }
      for (int round = 0; round < ROUNDS; round++) {
        disturb(new Random(seed * 1000L + round), threads);
        Waiters.until(() -> taken.get() == arrived.get(), this::state);
      }
      over = true;
      a.close();
      b.close();
      outer.close();
      waiters.join();
    }
    assertThat(first.overlaps() + second.overlaps()).isZero();
    for (ScriptedChannel channel : channels) {
      Waiters.until(() -> !channel.isRegistered(), this::state);
    }
  }

  private void add(ScriptedDriver driver, EventPoll poll, int mode) {
    ScriptedChannel channel = driver.channel(Events.toString(Events.IN | mode));
    channels.add(channel);
    poll.add(channel, Events.IN | mode);
  }

  private void disturb(Random random, List<Thread> threads) {
    for (int i = random.nextInt(4); i >= 0; i--) {
      ScriptedChannel channel = channels.get(random.nextInt(channels.size()));
      switch (random.nextInt(8)) {
        case 0 -> threads.get(random.nextInt(threads.size())).interrupt();
        case 1 -> outer.wakeup();
        case 2 -> first.release();
        case 3 -> reAdd(channel);
        default -> {
          int more = 1 + random.nextInt(3);
          arrived.addAndGet(more);
          channel.arrive(more);
        }
      }
    }
  }

  private void reAdd(ScriptedChannel channel) {
    for (EventPoll poll : List.of(a, b)) {
      EpItem item = poll.find(channel);
      if (item != null) {
        int mask = item.interest() | Events.IN; // of one-shot, the mode only may be left
        item.remove();
        poll.add(channel, mask);
      }
    }
  }

  private int waitAndTake(EventPoll poll, Random random) {
    ReadyEvents ready = new ReadyEvents(1 + random.nextInt(3));
    while (!over) {
      try {
        int n =
            switch (patient ? 2 : random.nextInt(4)) {
              case 0 -> poll.awaitNow(ready);
              case 1 -> poll.awaitNanos(ready, random.nextInt(3_000_000));
              default -> poll.await(ready);
            };
        for (int i = 0; i < n; i++) {
          serve(ready.item(i), ready.source(i));
        }
      } catch (InterruptedException e) {
        // goes on
      } catch (ClosedEventPollException e) {
        return 0;
      }
    }
    return 0;
  }

  private void serve(EpItem item, Pollable source) {
    if (source instanceof EventPoll inner) {
      ReadyEvents ready = new ReadyEvents(2);
      int n = inner.awaitNow(ready);
      for (int i = 0; i < n; i++) {
        serve(ready.item(i), ready.source(i));
      }
    } else if (source instanceof ScriptedChannel channel) {
      boolean untilEmpty = (item.interest() & (Events.ET | Events.ONESHOT)) != 0;
      boolean more = channel.take();
      while (more) {
        taken.getAndIncrement();
        more = untilEmpty && channel.take();
      }
      reArm(item);
    }
  }

  private void reArm(EpItem item) {
    if ((item.interest() & Events.ONESHOT) != 0) {
      try {
        item.modify(Events.IN | Events.ONESHOT);
      } catch (EventPollStateException e) {
        // removed meanwhile
      }
    }
  }

  private String state() {
    StringBuilder text = new StringBuilder();
    for (EventPoll poll : List.of(a, b, outer)) {
      text.append(poll.dump()).append(Arrays.toString(poll.drivers.seats())).append('\n');
    }
    for (ScriptedChannel channel : channels) {
      text.append(channel)
          .append(" asked ")
          .append(channel.asked())
          .append(" in force ")
          .append(channel.inForce())
          .append(" ready ")
          .append(channel.readiness())
          .append('\n');
    }
    return taken + " taken of " + arrived + "\n" + text;
  }
}
