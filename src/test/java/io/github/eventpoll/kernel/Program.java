package io.github.eventpoll.kernel;

/** What to do, written once and run in both worlds. */
@FunctionalInterface
interface Program {
  void run(Recorder r);
}
