package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.Events.RDNORM;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program of operations drawn by lot; the same ones for the same seed.
 *
 * @param nested polls watch polls
 * @param exclusive additions may be EXCLUSIVE; then nothing is removed or closed, because the
 *     library gives the wakes of such items back and the kernel does not
 * @param waiters threads sleep in the polls; then polls are not nested, because who comes first to
 *     an inner poll, its own waiter or the outer's, is a race
 */
record RandomProgram(long seed, int length, boolean nested, boolean exclusive, boolean waiters)
    implements Program {
  private static final int[] BITS = {IN, IN, IN, IN | OUT, OUT, PRI, 0, IN | RDNORM};
  private static final int[] MODES = {0, 0, ET, ET, ONESHOT, ET | ONESHOT};

  @Override
  public void run(Recorder r) {
    new Run(r).run();
  }

  private final class Run {
    private final Random random = new Random(seed);
    private final Recorder r;
    private final List<Handle> polls = new ArrayList<>();
    private final List<Handle> counters = new ArrayList<>();
    private int names;

    Run(Recorder r) {
      this.r = r;
      for (int i = 0; i < 3; i++) {
        polls.add(r.poll("e" + i));
      }
      for (int i = 0; i < 3; i++) {
        counters.add(i == 2 ? r.semaphore("s", 0) : r.counter("c" + i));
      }
      if (!waiters) {
        counters.add(r.alias("alias", counters.get(0)));
      }
    }

    void run() {
      for (int i = 0; i < length; i++) {
        step();
        if (waiters) {
          r.settle();
        }
      }
      polls.forEach(r::interests);
      polls.forEach(r::await);
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0, 1 -> r.add(any(polls), source(), mask(true));
        case 2 -> r.modify(any(polls), source(), mask(false));
        case 3 -> removeOrClose();
        case 4, 5, 6 -> r.write(any(counters), random.nextInt(3));
        case 7 -> r.read(any(counters));
        case 8 -> r.ask(random.nextBoolean() ? any(polls) : any(counters), IN | OUT);
        case 9, 10 -> waitOrSleep();
        default -> r.await(any(polls), 1 + random.nextInt(3));
      }
    }

    private void waitOrSleep() {
      if (waiters) {
        r.waiter("W" + names++, any(polls), 1);
      } else {
        r.await(any(polls));
      }
    }

    private void removeOrClose() {
      if (exclusive) {
        return;
      }
      if (random.nextInt(8) > 0) {
        r.remove(any(polls), source());
        return;
      }
      List<Handle> from = nested && random.nextBoolean() ? polls : counters;
      int at = from == polls ? random.nextInt(3) : 1 + random.nextInt(2); // the alias lives on
      Handle next = from == polls ? r.poll("e" + names++) : r.counter("c" + names++);
      r.close(from.set(at, next));
    }

    private Handle source() {
      return nested && random.nextInt(3) == 0 ? any(polls) : any(counters);
    }

    private int mask(boolean add) {
      int mask = BITS[random.nextInt(BITS.length)] | MODES[random.nextInt(MODES.length)];
      return add && exclusive && random.nextBoolean() ? mask & (IN | OUT | ET) | EXCLUSIVE : mask;
    }

    private Handle any(List<Handle> from) {
      return from.get(random.nextInt(from.size()));
    }
  }
}
