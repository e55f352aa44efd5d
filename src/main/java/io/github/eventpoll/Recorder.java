package io.github.eventpoll;

import org.jspecify.annotations.Nullable;

/**
 * What the engine tells a flight recorder. This class tells nobody; {@link JfrRecorder} takes its
 * place where there is a module {@code jdk.jfr}, and tells what is switched on there. Any thread
 * may call everything, also under locks of the library; nothing is allocated for what is off.
 *
 * <p>What takes time is a pair of calls: the first gives a record to hand to the second, null if
 * nobody wants it.
 */
class Recorder {
  /** The one of this process; immutable, so that compiled code knows which it is. */
  static final Recorder IT = choose();

  private static Recorder choose() {
    try {
      return new JfrRecorder();
    } catch (LinkageError e) {
      return new Recorder(); // no jdk.jfr in this runtime, or none that our module may read
    }
  }

  /** A waiter of a poll is about to sleep. Before its word is tested for the last time (KR-2). */
  @Nullable Object beginWait() {
    return null;
  }

  /** The sleep is over, or did not come about. */
  void endWait(@Nullable Object begun, EventPoll poll, Waiter waiter, @Nullable Seat led) {}

  /** A thread is about to be woken from its sleep. */
  void wake(Waiter waiter, @Nullable Seat from) {}

  /** True if somebody wants to know how much came while a scan ran. */
  boolean wantsOverflow() {
    return false;
  }

  /** Items were listed while a scan of the poll ran. */
  void overflow(EventPoll poll, int items) {}

  /** A pass of a driver is about to begin. */
  @Nullable Object beginPass() {
    return null;
  }

  /** The pass has ended and was dispatched. */
  void endPass(@Nullable Object begun, Seat seat, boolean slept) {}

  /** A helper thread was started for a driver. */
  void helperStarted(Seat seat) {}

  /** The graph of polls is about to be walked. */
  @Nullable Object beginLoopCheck() {
    return null;
  }

  /** It was walked. */
  void endLoopCheck(
      @Nullable Object begun, EventPoll outer, EventPoll inner, int polls, boolean refused) {}
}
