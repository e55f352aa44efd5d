package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that block in a queue, and threads that wait for the same queue on a poll. */
@EveryPath
class BlockingQueueThreadsTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final int LAST = -1;

  private final EventPoll poll = Polls.create();
  private final BlockingQueueSource<Integer> one =
      BlockingQueueSource.of(new ArrayBlockingQueue<>(1));

  /** A thread is blocked in the queue inside, of which the engine knows nothing. */
  private static void awaitBlocked(Wait wait, Thread.State state) {
    Waiters.until(
        () -> wait.thread.getState() == state || wait.isDone(), () -> "should block: " + wait);
    assertThat(wait.isDone()).isFalse();
  }

  @Test
  void aPutWakesAConsumerOnAPoll() {
    poll.add(one, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait consumer = waiters.awaiting(poll, 1).get(0);
      Wait producer = waiters.start("producer", () -> putAll(one, 1));
      assertThat(consumer.source()).isSameAs(one);
      assertThat(producer.result()).isEqualTo(1);
      assertThat(one.poll()).isZero();
    }
  }

  /** What code does that was written for any blocking queue. */
  private static int putAll(BlockingQueue<Integer> queue, int elements)
      throws InterruptedException {
    for (int i = 0; i < elements; i++) {
      queue.put(i);
    }
    return elements;
  }

  @Test
  void aConsumerOnAPollLetsAProducerThatIsBlockedInPutGoOn() {
    poll.add(one, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait producer = waiters.start("producer", () -> putAll(one, 2));
      awaitBlocked(producer, Thread.State.WAITING);
      assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1);
      assertThat(one.poll()).isZero();
      assertThat(producer.result()).isEqualTo(2);
      assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1);
      assertThat(one.poll()).isEqualTo(1);
    }
  }

  @Test
  void aTakeWakesAProducerOnAPoll() {
    one.add(1);
    poll.add(one, Events.OUT);
    try (Waiters waiters = new Waiters()) {
      Wait producer = waiters.awaiting(poll, 1).get(0);
      waiters.start("consumer", one::take);
      assertThat(producer.source()).isSameAs(one);
    }
  }

  @Test
  void aThreadThatWaitsOnTheQueueAloneIsWokenByAPutAndByClose() {
    try (Waiters waiters = new Waiters()) {
      Wait first = waiters.awaitOne(one, Events.IN, null);
      Waiters.awaitAsleepOn(one, 1);
      assertThat(one.offer(1)).isTrue();
      assertThat(first.result()).isEqualTo(Events.IN);
      Wait second = waiters.awaitOne(one, Events.OUT, null);
      Waiters.awaitAsleepOn(one, 1);
      one.close();
      assertThat(second.result()).isEqualTo(Events.HUP);
    }
  }

  @Test
  void anInterruptedPutAndAnInterruptedTakeChangeNothing() {
    poll.add(one, Events.IN | Events.OUT | Events.ET);
    try (Waiters waiters = new Waiters()) {
      Wait taker = waiters.start("taker", one::take);
      awaitBlocked(taker, Thread.State.WAITING);
      taker.thread.interrupt();
      assertThat(taker.failure()).isInstanceOf(InterruptedException.class);
      one.add(7);
      poll.awaitNow(new ReadyEvents(1));
      Wait putter = waiters.start("putter", () -> putAll(one, 1));
      awaitBlocked(putter, Thread.State.WAITING);
      putter.thread.interrupt();
      assertThat(putter.failure()).isInstanceOf(InterruptedException.class);
      assertThat(poll.awaitNow(new ReadyEvents(1))).as("an edge for nothing").isZero();
      assertThat(one).containsExactly(7);
    }
  }

  @Test
  @DisplayName("I-104: a receive that timed out leaves nothing behind for the next one")
  void i104_timedReceives() throws InterruptedException {
    assertThat(one.poll(1, TimeUnit.NANOSECONDS)).isNull();
    assertThat(EventPoll.awaitOne(one, Events.IN, Duration.ofNanos(1))).isZero();
    try (Waiters waiters = new Waiters()) {
      for (int round = 0; round < 3; round++) {
        Wait receiver = waiters.start("receiver", () -> one.poll(1, TimeUnit.DAYS));
        awaitBlocked(receiver, Thread.State.TIMED_WAITING);
        poll.add(one, round, Events.IN, null); // somebody else begins to watch meanwhile
        one.put(round);
        assertThat(receiver.result()).isEqualTo(round);
        assertThat(one.poll(1, TimeUnit.NANOSECONDS)).isNull();
        assertThat(poll.awaitNow(new ReadyEvents(3))).isZero();
      }
      one.put(3);
      Wait sender = waiters.start("sender", () -> one.offer(4, 1, TimeUnit.DAYS) ? 1 : 0);
      awaitBlocked(sender, Thread.State.TIMED_WAITING);
      assertThat(one.take()).isEqualTo(3);
      assertThat(sender.result()).isEqualTo(1);
      assertThat(one.offer(5, 1, TimeUnit.NANOSECONDS)).isFalse();
    }
  }

  @Test
  @DisplayName("I-38: a select that then chooses something else steals no element from a receiver")
  void i38_aSelectThatChoosesAnotherBranch() {
    EventFd other = EventFd.create();
    poll.add(one, IN_ET);
    poll.add(other, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait receiver = waiters.start("receiver", one::take);
      awaitBlocked(receiver, Thread.State.WAITING);
      Wait select = waiters.awaiting(poll, 1).get(0);
      other.tryWrite(1);
      assertThat(select.source()).isSameAs(other);
      one.offer(1); // both are told; the one that selected has left
      assertThat(receiver.result()).isEqualTo(1);
      other.tryRead();

      // And the other way round: who was told and does not take leaves the element to others.
      Wait told = waiters.awaiting(poll, 1).get(0);
      one.offer(2);
      assertThat(told.source()).isSameAs(one);
      assertThat(waiters.start("receiver", one::take).result()).isEqualTo(2);
    }
  }

  // -------------------------------------------------------------------------- whole programs

  static Stream<ThreadFactory> kindsOfThreads() {
    ThreadFactory platform = Thread::new;
    return VirtualThreads.exist()
        ? Stream.of(platform, VirtualThreads.factory())
        : Stream.of(platform);
  }

  @ParameterizedTest
  @MethodSource("kindsOfThreads")
  @DisplayName("S202: takers and threads on a poll share a queue, each element is taken once")
  void s202_takersAndWaiters(ThreadFactory factory) {
    int each = Polls.rounds(4_000);
    int producers = 2;
    AtomicIntegerArray seen = new AtomicIntegerArray(producers * each);
    BlockingQueueSource<Integer> queue = BlockingQueueSource.of(new ArrayBlockingQueue<>(3));
    BlockingQueueSource<Integer> end = BlockingQueueSource.of(new LinkedBlockingQueue<>());
    poll.add(queue, Events.IN);
    poll.add(end, Events.IN);
    try (Waiters waiters = new Waiters(factory)) {
      for (int i = 0; i < 2; i++) {
        waiters.start("taker", () -> take(queue, seen));
        waiters.start("waiter", () -> awaitAndPoll(queue, end, seen));
      }
      try (Waiters putting = new Waiters(factory)) {
        for (int p = 0; p < producers; p++) {
          int first = p * each;
          putting.start("producer", () -> put(queue, first, each));
        }
        putting.join();
      }
      Waiters.until(queue::isEmpty, queue::toString);
      end.add(LAST);
      queue.add(LAST);
      waiters.join();
    }
    for (int i = 0; i < seen.length(); i++) {
      assertThat(seen.get(i)).as("element %d", i).isEqualTo(1);
    }
  }

  private static int put(BlockingQueue<Integer> queue, int first, int count)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      queue.put(first + i);
    }
    return count;
  }

  /** Hands the last element on to the next taker. */
  private static int take(BlockingQueue<Integer> queue, AtomicIntegerArray seen)
      throws InterruptedException {
    for (; ; ) {
      int element = queue.take();
      if (element == LAST) {
        queue.offer(LAST);
        return 1;
      }
      seen.getAndIncrement(element);
    }
  }

  private int awaitAndPoll(
      BlockingQueueSource<Integer> queue, BlockingQueueSource<Integer> end, AtomicIntegerArray seen)
      throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(1);
    while (end.isEmpty()) {
      poll.await(ready);
      Integer element = ready.source(0) == queue ? queue.poll() : null;
      if (element != null && element == LAST) {
        queue.offer(LAST); // the takers'
      } else if (element != null) {
        seen.getAndIncrement(element);
      }
    }
    return 1;
  }

  @Test
  void anEdgeTriggeredConsumerThatDrainsMissesNothing() {
    int elements = Polls.rounds(4_000);
    BlockingQueueSource<Integer> queue = BlockingQueueSource.of(new LinkedBlockingQueue<>(2));
    poll.add(queue, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait consumer = waiters.start("consumer", () -> drainOnEdges(queue, elements));
      assertThat(waiters.start("producer", () -> putAll(queue, elements)).result())
          .isEqualTo(elements);
      assertThat(consumer.result()).isEqualTo(elements);
    }
  }

  private int drainOnEdges(BlockingQueueSource<Integer> queue, int elements)
      throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(1);
    int taken = 0;
    while (taken < elements) {
      poll.await(ready);
      for (Integer element = queue.poll(); element != null; element = queue.poll()) {
        assertThat(element).isEqualTo(taken++);
      }
    }
    return taken;
  }
}
