package io.github.eventpoll;

/**
 * Event bits and mode flags of an interest mask, with the values of the Linux kernel
 * (epoll_ctl(2)).
 *
 * <p>{@link #ERR} and {@link #HUP} are always watched, whether asked for or not. The four flags
 * {@link #ET}, {@link #ONESHOT}, {@link #EXCLUSIVE} and {@link #WAKEUP} say how an item is watched;
 * they never appear in a delivered event.
 *
 * @since 0.1
 */
public final class Events {
  /** Something can be read. */
  public static final int IN = 0x1;

  /** Urgent data. */
  public static final int PRI = 0x2;

  /** Something can be written. */
  public static final int OUT = 0x4;

  /** An error; always watched. */
  public static final int ERR = 0x8;

  /** Hang-up; always watched. */
  public static final int HUP = 0x10;

  /** Normal data can be read. */
  public static final int RDNORM = 0x40;

  /** Priority-band data can be read. */
  public static final int RDBAND = 0x80;

  /** Normal data can be written. */
  public static final int WRNORM = 0x100;

  /** Priority-band data can be written. */
  public static final int WRBAND = 0x200;

  /** A message; known to the kernel and used by nobody. */
  public static final int MSG = 0x400;

  /** The peer has shut down its writing half. */
  public static final int RDHUP = 0x2000;

  /** Flag: of all exclusive items on one source, at least one waiter is woken, usually one only. */
  public static final int EXCLUSIVE = 1 << 28;

  /** Flag: stored and otherwise without effect (the kernel holds off system suspend). */
  public static final int WAKEUP = 1 << 29;

  /** Flag: after one delivery the item is disarmed until it is modified. */
  public static final int ONESHOT = 1 << 30;

  /** Flag: edge-triggered. */
  public static final int ET = 1 << 31;

  /** The mode flags; the rest of a mask is event bits. */
  static final int FLAGS = EXCLUSIVE | WAKEUP | ONESHOT | ET;

  /** Watched whether asked for or not. */
  static final int ALWAYS = ERR | HUP;

  private static final int BITS =
      IN | PRI | OUT | ERR | HUP | RDNORM | RDBAND | WRNORM | WRBAND | MSG | RDHUP;

  // Linux: fs/eventpoll.c:EPOLLEXCLUSIVE_OK_BITS
  private static final int EXCLUSIVE_MAY_HAVE = IN | OUT | ERR | HUP | WAKEUP | ET | EXCLUSIVE;

  private static final int[] NAMED = {
    IN, PRI, OUT, ERR, HUP, RDNORM, RDBAND, WRNORM, WRBAND, MSG, RDHUP, EXCLUSIVE, WAKEUP, ONESHOT,
    ET
  };

  private static final String[] NAMES = {
    "IN",
    "PRI",
    "OUT",
    "ERR",
    "HUP",
    "RDNORM",
    "RDBAND",
    "WRNORM",
    "WRBAND",
    "MSG",
    "RDHUP",
    "EXCLUSIVE",
    "WAKEUP",
    "ONESHOT",
    "ET"
  };

  private Events() {}

  /**
   * Names the bits of a mask, for people: {@code IN|OUT|ET}; {@code 0} for none. Bits without a
   * name are shown in hexadecimal.
   *
   * @param mask event bits and flags
   * @return the names, joined by {@code |}
   */
  public static String toString(int mask) {
    if (mask == 0) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    int left = mask;
    for (int i = 0; i < NAMED.length; i++) {
      if ((left & NAMED[i]) != 0) {
        text.append(text.length() == 0 ? "" : "|").append(NAMES[i]);
        left &= ~NAMED[i];
      }
    }
    if (left != 0) {
      text.append(text.length() == 0 ? "0x" : "|0x").append(Integer.toHexString(left));
    }
    return text.toString();
  }

  /** Refuses bits that no source can ever report and no mode has (the kernel stores them). */
  static void requireKnown(int mask) {
    int unknown = mask & ~(BITS | FLAGS);
    if (unknown != 0) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "unknown bits " + toString(unknown) + " in mask " + toString(mask));
    }
  }

  /** The bits that an exclusive item may have. */
  static void requireExclusiveAllowed(int mask) {
    int refused = mask & ~EXCLUSIVE_MAY_HAVE;
    if (refused != 0) {
      throw new EventPollArgumentException(
          Errno.EINVAL,
          "EXCLUSIVE does not go with " + toString(refused) + " in mask " + toString(mask));
    }
  }

  /** True if the mask can report anything at all: false for a one-shot item that has fired. */
  static boolean armed(int mask) {
    return (mask & ~FLAGS) != 0;
  }
}
