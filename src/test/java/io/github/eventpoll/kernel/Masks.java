package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ERR;
import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
import static io.github.eventpoll.Events.HUP;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.MSG;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.Events.RDBAND;
import static io.github.eventpoll.Events.RDHUP;
import static io.github.eventpoll.Events.RDNORM;
import static io.github.eventpoll.Events.WAKEUP;
import static io.github.eventpoll.Events.WRBAND;
import static io.github.eventpoll.Events.WRNORM;

import java.util.Random;

/** Masks drawn by lot: those that programs use more often, every other one now and then. */
final class Masks {
  private static final int[] USUAL = {IN, IN, IN, IN, IN | OUT, OUT, 0, IN | RDNORM, PRI, RDNORM};
  private static final int[] MODES = {0, 0, ET, ET, ONESHOT, ET | ONESHOT};
  private static final int[] BITS = {
    IN, PRI, OUT, ERR, HUP, RDNORM, RDBAND, WRNORM, WRBAND, MSG, RDHUP
  };
  private static final int[] FLAGS = {ET, ONESHOT, WAKEUP, EXCLUSIVE};

  /** What no event and no flag is. */
  private static final int[] UNKNOWN = {0x20, 0x800, 0x1000, 0x4000, 0x8000, 1 << 20, 1 << 27};

  private Masks() {}

  /**
   * @param exclusive whether EXCLUSIVE is what the program is about
   */
  static int forAdd(Random random, boolean exclusive) {
    if (random.nextInt(4) == 0) {
      return any(random);
    }
    int mask = USUAL[random.nextInt(USUAL.length)] | MODES[random.nextInt(MODES.length)];
    return exclusive && random.nextBoolean() ? mask & (IN | OUT | ET) | EXCLUSIVE : mask;
  }

  static int forModify(Random random) {
    return random.nextInt(4) == 0 ? any(random) : forAdd(random, false);
  }

  /** Every bit for itself; EXCLUSIVE, which is mostly an error, less often. */
  private static int any(Random random) {
    int mask = 0;
    for (int bit : BITS) {
      mask |= random.nextInt(3) == 0 ? bit : 0;
    }
    for (int flag : FLAGS) {
      mask |= random.nextInt(flag == EXCLUSIVE ? 8 : 3) == 0 ? flag : 0;
    }
    return mask;
  }

  static int forAsk(Random random) {
    return random.nextBoolean() ? IN | OUT : any(random) & ~(ET | ONESHOT | WAKEUP | EXCLUSIVE);
  }

  /** Bits that mean nothing, with flags or without, and nothing that can happen. */
  static int unknown(Random random) {
    int mask = UNKNOWN[random.nextInt(UNKNOWN.length)] | MODES[random.nextInt(MODES.length)];
    return random.nextBoolean() ? mask : mask | UNKNOWN[random.nextInt(UNKNOWN.length)];
  }
}
