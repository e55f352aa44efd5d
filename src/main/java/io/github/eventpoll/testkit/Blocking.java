package io.github.eventpoll.testkit;

/** Threads that have the turn and wait for something that no turn is given for. */
final class Blocking {
  private Blocking() {}

  static boolean isBlocked(LogicalThread thread) {
    if (thread.waitsForTurn()) {
      return false;
    }
    Thread.State state = thread.getState();
    return state == Thread.State.BLOCKED || state == Thread.State.WAITING;
  }

  static String describe(Thread thread) {
    StringBuilder text = new StringBuilder();
    text.append(thread.getName()).append(" is ").append(thread.getState()).append(" in");
    StackTraceElement[] stack = thread.getStackTrace();
    for (int i = 0; i < Math.min(stack.length, 12); i++) {
      text.append("\n    at ").append(stack[i]);
    }
    return text.toString();
  }
}
