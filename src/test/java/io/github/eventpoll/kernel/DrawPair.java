package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;

import io.github.eventpoll.kernel.Op.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws a program in which two threads sleep and two things happen before anybody looks. Who gets
 * what is a race; compared are all events together or, if something is level-triggered and so may
 * be had twice, how many of the two got something.
 */
final class DrawPair {
  private static final int[] MODES = {0, ET, ONESHOT, ET | ONESHOT};

  private final Random random;
  private final List<Op> ops = new ArrayList<>();
  private boolean level;

  DrawPair(Random random) {
    this.random = random;
  }

  List<Op> ops() {
    int poll = 1;
    int other = 2;
    ops.add(Op.of(Code.POLL, poll));
    ops.add(Op.of(Code.POLL, other));
    int[] sources = {3, 4};
    for (int source : sources) {
      ops.add(Op.of(random.nextBoolean() ? Code.COUNTER : Code.SEMAPHORE, source));
      add(poll, source);
    }
    boolean apart = random.nextInt(3) == 0;
    if (apart) {
      add(other, sources[random.nextInt(2)]);
    }
    history(poll, sources);
    boolean both = random.nextInt(4) > 0;
    sleep(poll, both);
    sleep(apart ? other : poll, both);
    ops.add(Op.of(Code.WRITE, sources[0], 1 + random.nextInt(2)));
    if (both) {
      ops.add(Op.of(Code.WRITE, sources[1], 1));
    }
    ops.add(Op.of(level ? Code.SETTLE_COUNT : Code.SETTLE_TOGETHER, 0));
    if (!level) {
      ops.add(Op.of(Code.AWAIT, poll, 64));
      ops.add(Op.of(Code.AWAIT, other, 64));
    }
    return ops;
  }

  private void add(int poll, int source) {
    int mode = MODES[random.nextInt(MODES.length)];
    level |= mode == 0;
    ops.add(Op.of(Code.ADD, poll, source, IN | mode));
  }

  /** Something that leaves nothing ready, but perhaps a stale item or a disarmed one. */
  private void history(int poll, int[] sources) {
    for (int source : sources) {
      if (random.nextInt(3) == 0) {
        ops.add(Op.of(Code.WRITE, source, 1));
        if (random.nextBoolean()) {
          ops.add(Op.of(Code.AWAIT, poll, 64));
        }
        ops.add(Op.of(Code.READ, source));
      }
    }
  }

  /** Who asks looks once: whether before or after the second event would be a race. */
  private void sleep(int poll, boolean both) {
    boolean asks = random.nextInt(3) == 0 && !both;
    ops.add(Op.of(asks ? Code.ASKER : Code.WAITER, poll, 1));
  }
}
