package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.source.EventFd;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S181: masks change at random under writes and waits; at rest the poll agrees with a model. */
@EveryPath
class RandomModifiesTest {
  private static final int[] MASKS = {
    0,
    Events.IN,
    Events.OUT,
    Events.PRI,
    Events.IN | Events.OUT,
    Events.IN | Events.ET,
    Events.IN | Events.OUT | Events.ET,
    Events.IN | Events.ONESHOT,
    Events.OUT | Events.ONESHOT,
    Events.IN | Events.ET | Events.ONESHOT
  };
  private static final int SOURCES = 300;
  private static final int CHANGES = 20_000;

  private final EventPoll poll = Polls.create();
  private final EventFd end = EventFd.create();
  private final AtomicLong steps = new AtomicLong();
  private final List<Watched> watched =
      IntStream.range(0, SOURCES).mapToObj(i -> new Watched()).toList();

  /** One source, changed by one thread; what the model knows of it. */
  private final class Watched {
    final EventFd source = EventFd.create();
    final EpItem item = poll.add(source, 0, this);

    /** The step at which the last change that makes an edge began; by the changing thread. */
    volatile long lastEdge;

    /** The step at which the last delivery was seen; by any waiter, only ever growing. */
    final AtomicLong lastDelivery = new AtomicLong(-1);

    void change(Random random) {
      switch (random.nextInt(4)) {
        case 0 -> source.tryRead();
        case 1 -> source.tryWrite(1);
        default -> modify(MASKS[random.nextInt(MASKS.length)]);
      }
    }

    void modify(int mask) {
      lastEdge = steps.incrementAndGet();
      item.modify(mask);
    }

    /** Ends with an edge, if the source is ready for what is wanted. */
    void finish(Random random) {
      source.tryWrite(random.nextInt(2));
      modify(MASKS[random.nextInt(MASKS.length)]);
    }

    void delivered() {
      long now = steps.incrementAndGet();
      lastDelivery.accumulateAndGet(now, Math::max);
    }

    /** What a zero-timeout await must report at rest; -1 if either is right. */
    int expected() {
      int mask = item.interest();
      int ready = source.readiness() & mask;
      boolean once = (mask & (Events.ET | Events.ONESHOT)) != 0;
      if (once && ready != 0 && lastDelivery.get() > lastEdge) {
        return -1;
      }
      return ready;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  @DisplayName("S181: random modifies against waits")
  void s181_randomModifies(long seed) {
    poll.add(end, Events.IN);
    try (Waiters waiters = new Waiters()) {
      for (int w = 0; w < 2; w++) {
        waiters.start("waiter", this::takeUntilTheEnd);
      }
      for (int c = 0; c < 2; c++) {
        List<Watched> own = watched.subList(c * SOURCES / 2, (c + 1) * SOURCES / 2);
        Random random = new Random(seed * 2 + c);
        waiters.start("changer", () -> change(own, random));
      }
      Waiters.until(() -> waiters.returned() == 2, waiters::toString);
      end.tryWrite(1);
      waiters.join();
    }
    poll.find(end).remove();
    agreesWithTheModel();
  }

  private int change(List<Watched> own, Random random) {
    for (int i = 0; i < CHANGES; i++) {
      own.get(random.nextInt(own.size())).change(random);
    }
    own.forEach(each -> each.finish(random));
    return CHANGES;
  }

  private int takeUntilTheEnd() throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(16);
    for (; ; ) {
      int taken = poll.await(batch);
      for (int i = 0; i < taken; i++) {
        if (batch.source(i) == end) {
          return 1;
        }
        ((Watched) batch.attachment(i)).delivered();
      }
    }
  }

  private void agreesWithTheModel() {
    List<Integer> expected = watched.stream().map(Watched::expected).toList();
    int[] reported = new int[SOURCES];
    ReadyEvents batch = new ReadyEvents(SOURCES);
    int taken = poll.awaitNow(batch);
    for (int i = 0; i < taken; i++) {
      reported[watched.indexOf((Watched) batch.attachment(i))] = batch.events(i);
    }
    for (int i = 0; i < SOURCES; i++) {
      if (expected.get(i) >= 0) {
        assertThat(reported[i]).as("%s", watched.get(i).item).isEqualTo(expected.get(i));
      }
    }
    assertThat(watched).noneMatch(each -> each.item.isQueued() && each.expected() == 0);
  }
}
