package io.github.eventpoll.kernel;

import java.util.Locale;

/**
 * One operation of a program that is data: it can be drawn by lot, left out, written to a file and
 * printed as Java. Things are known by numbers; which number means what, the operations that make
 * things say.
 *
 * @param a the thing that the operation is about; of an addition the poll
 * @param b the other thing, 0 if there is none
 * @param mask event bits and flags, 0 if there is none
 * @param value a count, a batch size or the number that events carry; what the code says
 */
record Op(Code code, int a, int b, int mask, long value) {
  /** What an operation does, and the name of what it makes, if it makes something. */
  enum Code {
    /** Makes poll a. */
    POLL("e"),
    /** Makes counter a, which begins at value. */
    COUNTER("c"),
    /** Makes semaphore a, which begins at value. */
    SEMAPHORE("s"),
    /** Makes timer a. */
    TIMER("t"),
    /** Makes the ends of a pipe, a to read from and b to write to. */
    PIPE("p"),
    /** Makes a, which cannot be watched. */
    UNWATCHABLE("u"),
    /** Makes a, another name of counter b. */
    ALIAS("alias"),
    ADD,
    ADD_UNKNOWN,
    MODIFY,
    REMOVE,
    INTERESTS,
    WRITE,
    READ,
    PUT,
    TAKE,
    /** Sets timer a to a time that does not come; with a period if value is not 0. */
    SET,
    EXPIRE,
    SETTING,
    AWAIT,
    ASK,
    CLOSE,
    /** A thread waits in poll a for one batch of value. */
    WAITER,
    /** A thread waits for poll a as poll(2) does, and then takes a batch of value. */
    ASKER,
    SETTLE,
    /** The same where it is a race who gets what, but not what all get. */
    SETTLE_TOGETHER,
    /** The same where only the number of those who get something is no race. */
    SETTLE_COUNT;

    final String prefix;

    Code() {
      this("");
    }

    Code(String prefix) {
      this.prefix = prefix;
    }

    boolean makes() {
      return !prefix.isEmpty();
    }
  }

  static Op of(Code code, int a) {
    return new Op(code, a, 0, 0, 0);
  }

  static Op of(Code code, int a, long value) {
    return new Op(code, a, 0, 0, value);
  }

  static Op of(Code code, int a, int b, int mask) {
    return new Op(code, a, b, mask, 0);
  }

  Op withMask(int other) {
    return new Op(code, a, b, other, value);
  }

  Op withValue(long other) {
    return new Op(code, a, b, mask, other);
  }

  /** Whether the operation is about a thing. */
  boolean names(int thing) {
    return a == thing || b == thing;
  }

  /** The form in files: code, a, b, mask in hexadecimal, value. */
  String text() {
    return code.name().toLowerCase(Locale.ROOT)
        + " "
        + a
        + " "
        + b
        + " "
        + Integer.toHexString(mask)
        + " "
        + value;
  }

  static Op parse(String text) {
    String[] words = text.trim().split(" +");
    return new Op(
        Code.valueOf(words[0].toUpperCase(Locale.ROOT)),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseUnsignedInt(words[3], 16),
        Long.parseLong(words[4]));
  }
}
