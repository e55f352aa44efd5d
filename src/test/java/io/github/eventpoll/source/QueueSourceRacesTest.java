package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Producers, consumers and close of one queue against each other. */
@EveryPath
class QueueSourceRacesTest {
  private static final long FAIL_SAFE_SECONDS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** An underlying queue whose producer stops inside, before its element can be seen. */
  private static final class Held extends MpscUnboundedAtomicArrayQueue<Integer> {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    Held() {
      super(4);
    }

    @Override
    public boolean offer(Integer element) {
      if (element == 0) {
        entered.countDown();
        boolean interrupted = false;
        while (released.getCount() > 0) {
          try {
            released.await();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      return super.offer(element);
    }
  }

  @Test
  void anElementOnItsWayCountsAndIsWaitedFor() throws Exception {
    Held held = new Held();
    QueueSource<Integer> queue = new QueueSource<>(held, Long.MAX_VALUE);
    try {
      Future<Boolean> offer = threads.submit(() -> queue.offer(0));
      await(held.entered);
      assertThat(queue.size()).isEqualTo(1);
      assertThat(queue.readiness() & Events.IN).isNotZero();
      queue.close(); // comes after the offer, which has its place
      assertThat(queue.readiness()).isEqualTo(Events.IN);
      Future<Integer> poll = threads.submit(queue::poll);
      assertThat(poll.isDone()).isFalse(); // null would be wrong, and nothing else is there
      held.released.countDown();
      assertThat(get(poll)).isZero();
      assertThat(get(offer)).isTrue();
      assertThat(queue.readiness()).isEqualTo(Events.HUP);
    } finally {
      held.released.countDown();
    }
  }

  @Test
  void aProducerThatIsHeldUpHindersNoOtherProducerAndNoReadiness() throws Exception {
    Held held = new Held();
    QueueSource<Integer> queue = new QueueSource<>(held, 2);
    try {
      Future<Boolean> slow = threads.submit(() -> queue.offer(0));
      await(held.entered);
      assertThat(queue.offer(1)).isTrue();
      assertThat(queue.offer(2)).isFalse(); // the place of the slow one is taken
      assertThat(queue.poll()).isEqualTo(1); // it has overtaken
      Future<Integer> poll = threads.submit(queue::poll); // holds the consumers' lock now, or soon
      assertThat(queue.readiness()).isEqualTo(Events.IN | Events.OUT);
      assertThat(queue.offer(3)).isTrue();
      assertThat(get(poll)).isEqualTo(3);
      held.released.countDown();
      assertThat(get(slow)).isTrue();
      assertThat(queue.poll()).isZero();
    } finally {
      held.released.countDown();
    }
  }

  @Test
  void theBoundHoldsAndEachElementIsTakenOnce() throws Exception {
    int bound = 5;
    int producers = 3;
    int each = Polls.rounds(50_000);
    QueueSource<Integer> queue = QueueSource.bounded(bound);
    AtomicInteger largest = new AtomicInteger();
    List<Future<?>> work = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int first = p * each;
      work.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each; ) {
                  if (queue.offer(first + i)) {
                    i++;
                  } else {
                    Thread.yield();
                  }
                  largest.accumulateAndGet(queue.size(), Math::max);
                }
              }));
    }
    List<Future<List<Integer>>> taken = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      taken.add(threads.submit(() -> takeUntilHup(queue)));
    }
    for (Future<?> producer : work) {
      get(producer);
    }
    queue.close();
    int[] seen = new int[producers * each];
    for (Future<List<Integer>> consumer : taken) {
      int[] last = new int[producers];
      for (int element : get(consumer)) {
        seen[element]++;
        int p = element / each;
        assertThat(element + 1).as("order of one producer").isGreaterThan(last[p]);
        last[p] = element + 1;
      }
    }
    assertThat(seen).containsOnly(1);
    assertThat(largest.get()).isLessThanOrEqualTo(bound);
  }

  @Test
  void afterHupNothingComesAndWhatWasAcceptedWasTaken() throws Exception {
    for (int round = 0; round < 500; round++) {
      QueueSource<Integer> queue = QueueSource.unbounded();
      int before = round % 50;
      CountDownLatch start = new CountDownLatch(1);
      Future<Integer> other = threads.submit(() -> offerUntilClosed(queue, start));
      Future<List<Integer>> consumer = threads.submit(() -> takeUntilHup(queue));
      start.countDown();
      for (int i = 0; i < before; i++) {
        queue.offer(i);
      }
      queue.close();
      assertThat(get(consumer)).hasSize(before + get(other));
      assertThat(queue.poll()).isNull();
      assertThat(queue.readiness()).isEqualTo(Events.HUP);
    }
  }

  private static int offerUntilClosed(QueueSource<Integer> queue, CountDownLatch start)
      throws InterruptedException {
    start.await();
    int accepted = 0;
    try {
      while (accepted < 1000) {
        queue.offer(accepted);
        accepted++;
      }
    } catch (IllegalStateException closed) {
      // as it should
    }
    return accepted;
  }

  private static List<Integer> takeUntilHup(QueueSource<Integer> queue) {
    List<Integer> taken = new ArrayList<>();
    while ((queue.readiness() & Events.HUP) == 0) {
      if (queue.drain(taken::add, 100) == 0) {
        Thread.yield();
      }
    }
    return taken;
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private static <T> T get(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(FAIL_SAFE_SECONDS, TimeUnit.SECONDS);
  }
}
