package io.github.eventpoll.scenarios;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.ReadyEvents;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One thread that waits on a poll without limit and was seen asleep before the test goes on. */
public final class SleepingWaiter {
  private static final long LIMIT_SECONDS = 30;

  private final CompletableFuture<List<String>> result = new CompletableFuture<>();

  private SleepingWaiter() {}

  /** Starts one; on return it sleeps. */
  public static SleepingWaiter on(EventPoll poll) {
    SleepingWaiter waiter = new SleepingWaiter();
    Thread thread = new Thread(() -> waiter.run(poll), "sleeping-waiter");
    thread.setDaemon(true);
    thread.start();
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!poll.dump().contains("sleeping-waiter parked")) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("does not fall asleep: " + poll.dump());
      }
      Thread.yield();
    }
    return waiter;
  }

  private void run(EventPoll poll) {
    try {
      ReadyEvents ready = new ReadyEvents(8);
      poll.await(ready);
      result.complete(Taken.in(ready));
    } catch (Throwable t) {
      result.completeExceptionally(t);
    }
  }

  /** What the waiter returned with. */
  public List<String> events() throws Exception {
    return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
