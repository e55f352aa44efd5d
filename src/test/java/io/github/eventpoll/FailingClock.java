package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Sleeper;
import org.jspecify.annotations.Nullable;

/** The system's time, but a thread can choose to meet an error when it shall park. */
final class FailingClock extends Clock {
  static final Error FAILURE = new Error("scripted: no sleep");

  private volatile @Nullable Thread victim;

  FailingClock() {
    super(System.nanoTime());
  }

  /** The calling thread meets the error instead of its next sleep. */
  void failMe() {
    victim = Thread.currentThread();
  }

  @Override
  public long raw() {
    return System.nanoTime();
  }

  @Override
  public Sleeper sleeper() {
    return new Sleeper() {
      @Override
      public void park(Object blocker, long deadline) {
        if (victim == Thread.currentThread()) {
          victim = null;
          throw FAILURE;
        }
        Clock.system().sleeper().park(blocker, deadline);
      }

      @Override
      public void unpark(Thread thread) {
        Clock.system().sleeper().unpark(thread);
      }
    };
  }
}
