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
  /** Which of the polls may have sleepers when they are nested; the last. */
  private static final int TOP = 2;

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
        case 0, 1 -> add();
        case 2 -> modify();
        case 3 -> removeOrClose();
        case 4, 5, 6 -> r.write(any(counters), random.nextInt(3));
        case 7 -> r.read(any(counters));
        case 8 -> r.ask(random.nextBoolean() ? any(polls) : any(counters), IN | OUT);
        case 9, 10 -> waitOrSleep();
        default -> r.await(any(polls), 1 + random.nextInt(3));
      }
    }

    private void add() {
      Handle source = source();
      r.add(watcher(source), source, mask(true));
    }

    private void modify() {
      Handle source = source();
      r.modify(watcher(source), source, mask(false));
    }

    private void waitOrSleep() {
      if (waiters) {
        r.waiter("W" + names++, nested ? polls.get(TOP) : any(polls), 1);
      } else {
        r.await(any(polls));
      }
    }

    private void removeOrClose() {
      if (exclusive) {
        return;
      }
      if (random.nextInt(8) > 0) {
        Handle source = source();
        r.remove(watcher(source), source);
        return;
      }
      List<Handle> from = nested && random.nextBoolean() ? polls : counters;
      // The top poll may have sleepers; the first counter may have an alias
      int at = from == polls ? random.nextInt(TOP) : 1 + random.nextInt(2);
      Handle next = from == polls ? r.poll("e" + names++) : r.counter("c" + names++);
      r.close(from.set(at, next));
    }

    private Handle source() {
      if (!nested || random.nextInt(3) > 0) {
        return any(counters);
      }
      return tree() ? polls.get(random.nextInt(TOP)) : any(polls);
    }

    private Handle watcher(Handle source) {
      if (!tree()) {
        return any(polls);
      }
      int number = counters.indexOf(source);
      return polls.get(number >= 0 ? number : TOP);
    }

    private boolean tree() {
      return nested && waiters;
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
