package io.github.eventpoll;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program for a Java whose virtual threads share one carrier thread: it ends with status 0 only
 * if no wait keeps the carrier from the others. Started by {@link OneCarrierTest}, with the name of
 * a callback path.
 */
final class OneCarrier {
  private final EventPoll poll = Polls.create();
  private final EventFd there = EventFd.create();
  private final EventFd back = EventFd.create();

  private OneCarrier() {}

  /** Runs all parts and says so after each. */
  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> {
          e.printStackTrace();
          System.exit(1);
        });
    Polls.use(Polls.Combination.named(args[0]));
    run("hand over", OneCarrier::handOver);
    run("wait beside work", OneCarrier::waitBesideWork);
    run("blocking reads", OneCarrier::blockingReads);
    run("one control lock", OneCarrier::oneControlLock);
    run("close", OneCarrier::close);
    System.exit(0);
  }

  private interface Part {
    void run(OneCarrier program, Waiters waiters);
  }

  private static void run(String name, Part part) {
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      part.run(new OneCarrier(), waiters);
      waiters.join();
    }
    System.out.println(name + ": done");
  }

  /** Two virtual threads, each with a poll, hand a count to and fro. */
  private void handOver(Waiters waiters) {
    waiters.start("there", () -> passOn(there, back, 2000));
    waiters.start("back", () -> passOn(back, there, 2000));
    there.tryWrite(1);
  }

  private static int passOn(EventFd from, EventFd to, int rounds) throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(1);
    try (EventPoll own = Polls.create()) {
      own.add(from, Events.IN);
      for (int i = 0; i < rounds; i++) {
        own.await(batch);
        from.tryRead();
        to.tryWrite(1);
      }
    }
    return rounds;
  }

  /** Waits without limit, for a time and for a timer, while another virtual thread computes. */
  private void waitBesideWork(Waiters waiters) {
    Timer timer = Timer.create();
    timer.set(Duration.ofMillis(5));
    EventPoll timed = Polls.create();
    timed.add(timer, Events.IN);
    poll.add(there, Events.IN);
    List<Wait> waits =
        List.of(
            waiters.await(poll),
            waiters.await(poll, Duration.ofHours(1)),
            waiters.awaitOne(there, Events.IN, null),
            waiters.await(timed));
    Wait worker =
        waiters.start(
            "worker",
            () -> {
              Waiters.awaitAsleep(poll, 2); // sees them asleep: so it runs although they wait
              there.tryWrite(1);
              return 1;
            });
    require(worker.result() == 1);
    require(waits.stream().allMatch(wait -> wait.result() > 0));
  }

  /** Many virtual threads block in reads of one counter. */
  private void blockingReads(Waiters waiters) {
    EventFd semaphore = EventFd.semaphore(0);
    for (int i = 0; i < 50; i++) {
      waiters.start("reader", () -> (int) semaphore.read());
    }
    Waiters.awaitAsleepOn(semaphore, 50);
    waiters.start("writer", () -> semaphore.tryWrite(50) ? 1 : 0);
  }

  /** Many virtual threads and a platform thread meet at one poll's control lock. */
  private void oneControlLock(Waiters waiters) {
    poll.add(there, Events.IN);
    there.tryWrite(1);
    for (int i = 0; i < 20; i++) {
      waiters.start("asker", () -> changeAndAsk(500));
    }
    try (Waiters platform = new Waiters()) {
      require(platform.start("platform", () -> changeAndAsk(500)).result() == 500);
    }
  }

  private int changeAndAsk(int rounds) throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(1);
    EventFd own = EventFd.create();
    for (int i = 0; i < rounds; i++) {
      EpItem item = poll.add(own, Events.IN);
      require(poll.await(batch) == 1);
      item.remove();
    }
    return rounds;
  }

  /** A poll closes under a hundred virtual threads. */
  private void close(Waiters waiters) {
    List<Wait> waits =
        Stream.generate(
                () ->
                    waiters.start(
                        "waiter",
                        () -> {
                          try {
                            return poll.await(new ReadyEvents(1));
                          } catch (ClosedEventPollException e) {
                            return -1;
                          }
                        }))
            .limit(100)
            .toList();
    Waiters.awaitAsleep(poll, 100);
    poll.close();
    require(waits.stream().allMatch(wait -> wait.result() == -1));
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }
}
