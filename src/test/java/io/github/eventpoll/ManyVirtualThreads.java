package io.github.eventpoll;

import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A program for a Java whose virtual threads share one carrier thread: ten thousand of them wait,
 * and it ends with status 0 only if each of them gets on. Started by {@link
 * ManyVirtualThreadsTest}; says after each part that it is done.
 */
final class ManyVirtualThreads {
  static final int THREADS = 10_000;

  private ManyVirtualThreads() {}

  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> {
          e.printStackTrace();
          System.exit(1);
        });
    for (LockKind lock : LockKind.values()) {
      Polls.use(new Polls.Combination(lock, false, false));
      run(lock + ", polls of their own", ManyVirtualThreads::pollsOfTheirOwn);
      run(lock + ", a hundred to a poll", waiters -> shared(waiters, 100));
      run(lock + ", all on one poll", waiters -> shared(waiters, 1));
    }
    run("half in a queue, half on its poll", ManyVirtualThreads::queue);
    System.exit(0);
  }

  private interface Part {
    void run(Waiters waiters);
  }

  private static void run(String name, Part part) {
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      part.run(waiters);
      waiters.join();
    }
    System.out.println(name + ": done");
  }

  /** Each waits on its own poll for its own counter, and when that is written writes the next. */
  private static void pollsOfTheirOwn(Waiters waiters) {
    int rounds = 2;
    List<EventFd> sources = Stream.generate(EventFd::create).limit(THREADS + 1L).toList();
    List<EventPoll> polls = Stream.generate(Polls::create).limit(THREADS).toList();
    for (int i = 0; i < THREADS; i++) {
      EventPoll own = polls.get(i);
      EventFd from = sources.get(i);
      EventFd to = sources.get(i + 1);
      own.add(from, Events.IN);
      waiters.start("own", () -> passOn(own, from, to, rounds));
    }
    polls.forEach(poll -> Waiters.awaitAsleep(poll, 1)); // all ten thousand at once
    EventFd end = sources.get(THREADS);
    for (int round = 1; round <= rounds; round++) {
      sources.get(0).tryWrite(1);
      int passed = round;
      Waiters.until(() -> end.count() == passed, () -> "round " + passed);
    }
  }

  private static int passOn(EventPoll poll, EventFd from, EventFd to, int rounds)
      throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(1);
    for (int i = 0; i < rounds; i++) {
      require(poll.await(batch) == 1);
      require(from.tryRead() == 1);
      require(to.tryWrite(1));
    }
    return rounds;
  }

  /** All of a poll wait for one counter; half of what they need is written by virtual threads. */
  private static void shared(Waiters waiters, int polls) {
    int each = THREADS / polls;
    List<EventFd> sources = Stream.generate(() -> EventFd.semaphore(0)).limit(polls).toList();
    List<EventPoll> shared = new ArrayList<>();
    for (EventFd source : sources) {
      EventPoll poll = Polls.create();
      shared.add(poll);
      poll.add(source, Events.IN | Events.ET);
      for (int i = 0; i < each; i++) {
        waiters.start("shared", () -> takeOne(poll, source));
      }
    }
    shared.forEach(poll -> Waiters.awaitAsleep(poll, each));
    sources.forEach(source -> writeOneByOne(source, each / 2));
    try (Waiters writers = new Waiters(VirtualThreads.factory())) {
      sources.forEach(source -> writers.start("writer", () -> writeOneByOne(source, each / 2)));
      writers.join();
    }
  }

  private static int writeOneByOne(EventFd source, int times) {
    for (int i = 0; i < times; i++) {
      require(source.tryWrite(1));
    }
    return times;
  }

  /** Takes 1; two writes in a row may be one edge, so that who comes first looks for more. */
  private static int takeOne(EventPoll poll, EventFd source) throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(1);
    while (source.tryRead() == 0) {
      poll.await(batch);
    }
    if (source.count() > 0) {
      poll.wakeup(); // what is left is for the next
    }
    return 1;
  }

  /** Of a bounded queue half of the threads take, the other half wait on polls and look. */
  private static void queue(Waiters waiters) {
    BlockingQueueSource<Integer> queue = BlockingQueueSource.of(new ArrayBlockingQueue<>(10));
    EventPoll poll = Polls.create();
    poll.add(queue, Events.IN);
    AtomicInteger taken = new AtomicInteger();
    for (int i = 0; i < THREADS / 2; i++) {
      waiters.start("taker", () -> queue.take() + taken.getAndIncrement());
      waiters.start("waiter", () -> pollOne(poll, queue) + taken.getAndIncrement());
    }
    Waiters.awaitAsleep(poll, THREADS / 2);
    try (Waiters producers = new Waiters(VirtualThreads.factory())) {
      for (int i = 0; i < 10; i++) {
        producers.start("producer", () -> putAll(queue, THREADS / 10));
      }
      producers.join();
    }
    Waiters.until(() -> taken.get() == THREADS, () -> taken + " taken");
    require(queue.isEmpty());
  }

  private static int pollOne(EventPoll poll, BlockingQueueSource<Integer> queue)
      throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(1);
    Integer element;
    do {
      poll.await(batch);
      element = queue.poll();
    } while (element == null);
    return element;
  }

  private static int putAll(BlockingQueueSource<Integer> queue, int count)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      queue.put(1);
    }
    return count;
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }
}
