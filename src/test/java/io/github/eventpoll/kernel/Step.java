package io.github.eventpoll.kernel;

/**
 * One line of a transcript.
 *
 * @param kind which operation, the same for all of its kind
 * @param operation the whole operation, as the program wrote it
 * @param mask the mask that was passed, 0 if there is none
 * @param result what came of it: a value, a list of events or the name of an error
 */
record Step(Kind kind, String operation, int mask, String result) {
  /** What a step does. */
  enum Kind {
    MAKE,
    ADD,
    MODIFY,
    REMOVE,
    INTERESTS,
    WRITE,
    READ,
    PUT,
    TAKE,
    TIMER,
    AWAIT,
    ASK,
    CLOSE,
    WAITER,
    SETTLE,
    NOTE
  }

  @Override
  public String toString() {
    return operation + " = " + result;
  }
}
