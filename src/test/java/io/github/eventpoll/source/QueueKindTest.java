package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues for one and for many producers and consumers, bounded and not, behave alike. */
class QueueKindTest {
  private static final long FAIL_SAFE_SECONDS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final EventPoll poll = EventPoll.create();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** A kind of queue and its bound, 0 for none. */
  record Make(QueueKind kind, int bound) {
    static Stream<Make> all() {
      return Stream.of(QueueKind.values())
          .flatMap(kind -> Stream.of(0, 1, 2, 3, 5, 64, 100).map(bound -> new Make(kind, bound)));
    }

    QueueSource<Integer> queue() {
      return bound == 0 ? QueueSource.unbounded(kind) : QueueSource.bounded(bound, kind);
    }

    int producers() {
      return kind == QueueKind.SPSC ? 1 : 3;
    }

    int consumers() {
      return kind == QueueKind.MPMC ? 3 : 1;
    }
  }

  static Stream<Make> makes() {
    return Make.all();
  }

  @ParameterizedTest
  @MethodSource("makes")
  void firstInFirstOutRoundAndRound(Make make) {
    QueueSource<Integer> queue = make.queue();
    int inside = make.bound == 0 ? 150 : make.bound;
    int in = 0;
    int out = 0;
    for (int round = 0; round < 20; round++) {
      while (in - out < inside) {
        assertThat(queue.offer(in++)).isTrue();
      }
      assertThat(queue.size()).isEqualTo(inside);
      for (int i = 0; i <= round % inside; i++) {
        assertThat(queue.poll()).isEqualTo(out++);
      }
    }
    if (queue.offer(in)) {
      in++;
    }
    List<Integer> rest = new ArrayList<>();
    assertThat(queue.drain(rest::add, Integer.MAX_VALUE)).isEqualTo(in - out);
    assertThat(rest).isEqualTo(IntStream.range(out, in).boxed().toList()).isNotEmpty();
    assertThat(queue.poll()).isNull();
  }

  @ParameterizedTest
  @MethodSource("makes")
  void theBoundIsExactAndReadinessTellsIt(Make make) {
    QueueSource<Integer> queue = make.queue();
    int inside = make.bound == 0 ? 150 : make.bound;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < inside; i++) {
        assertThat(queue.readiness()).isEqualTo(Events.OUT | (i == 0 ? 0 : Events.IN));
        assertThat(queue.offer(i)).isTrue();
      }
      if (make.bound > 0) {
        assertThat(queue.readiness()).isEqualTo(Events.IN);
        assertThat(queue.offer(-1)).isFalse();
      }
      assertThat(queue.drain(element -> {}, inside)).isEqualTo(inside);
    }
  }

  @ParameterizedTest
  @MethodSource("makes")
  void everyChangeIsAnEdgeAndHupIsTheLast(Make make) {
    QueueSource<Integer> queue = make.queue();
    String out = make.bound == 1 ? "" : "|OUT";
    poll.add(queue, Events.IN | Events.OUT | Events.ET, "queue");
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
    queue.offer(1);
    assertThat(Taken.now(poll)).containsExactly("queue IN" + out);
    queue.poll();
    // Without a bound there always was room, and to take is no OUT edge.
    assertThat(Taken.now(poll)).isEqualTo(make.bound == 0 ? List.of() : List.of("queue OUT"));
    queue.offer(2);
    queue.close();
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    assertThatIllegalStateException().isThrownBy(() -> queue.offer(3));
    assertThat(queue.poll()).isEqualTo(2);
    assertThat(Taken.now(poll)).containsExactly("queue HUP");
    assertThat(queue.poll()).isNull();
    assertThat(Taken.now(poll)).isEmpty();
    queue.dispose();
    assertThat(poll.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void badInputIsRefusedAndNamed(QueueKind kind) {
    QueueSource<Integer> queue = QueueSource.bounded(1, kind);
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null)).withMessage("element");
    assertThat(queue.readiness()).isEqualTo(Events.OUT);
    for (int bound : new int[] {0, -1, (1 << 30) + 1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> QueueSource.bounded(bound, kind))
          .withMessageContaining("bound of " + bound);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.drain(element -> {}, -1))
        .withMessageContaining("-1");
  }

  // --------------------------------------------------------------------------- many threads

  @ParameterizedTest
  @MethodSource("makes")
  void asManyThreadsAsTheKindAllowsTakeEachElementOnceAndInOrder(Make make) throws Exception {
    int each = 2_000;
    QueueSource<Integer> queue = make.queue();
    List<Future<Integer>> producers = new ArrayList<>();
    for (int p = 0; p < make.producers(); p++) {
      int first = p * each;
      producers.add(threads.submit(() -> produce(queue, first, each)));
    }
    List<Future<List<Integer>>> consumers = new ArrayList<>();
    for (int c = 0; c < make.consumers(); c++) {
      consumers.add(threads.submit(() -> takeUntilHup(queue)));
    }
    int largest = 0;
    for (Future<Integer> producer : producers) {
      largest = Math.max(largest, get(producer));
    }
    queue.close();
    int[] seen = new int[producers.size() * each];
    for (Future<List<Integer>> consumer : consumers) {
      int[] last = new int[producers.size()];
      for (int element : get(consumer)) {
        seen[element]++;
        assertThat(element + 1).as("one producer's order").isGreaterThan(last[element / each]);
        last[element / each] = element + 1;
      }
    }
    assertThat(seen).containsOnly(1);
    assertThat(largest).isLessThanOrEqualTo(make.bound == 0 ? seen.length : make.bound);
  }

  /** Puts so many elements in; returns the largest size seen. */
  private static int produce(QueueSource<Integer> queue, int first, int count) {
    int largest = 0;
    for (int i = 0; i < count; ) {
      if (queue.offer(first + i)) {
        i++;
      } else {
        Thread.yield();
      }
      largest = Math.max(largest, queue.size());
    }
    return largest;
  }

  private static List<Integer> takeUntilHup(QueueSource<Integer> queue) {
    List<Integer> taken = new ArrayList<>();
    while (queue.readiness() != Events.HUP) {
      if (queue.drain(taken::add, 100) == 0) {
        Thread.yield();
      }
    }
    return taken;
  }

  // ------------------------------------------------------------------- in the middle of a call

  @Test
  void aProducerWaitsUntilAConsumerHasLeftThePlace() {
    int[] refusals = {1000};
    QueueSource<Integer> queue =
        new QueueSource<>(
            new MpscUnboundedAtomicArrayQueue<>(2) {
              @Override
              public boolean offer(Integer element) {
                return refusals[0]-- <= 0 && super.offer(element);
              }
            },
            1,
            false);
    poll.add(queue, Events.IN | Events.ET, "queue");
    assertThat(queue.offer(1)).isTrue();
    assertThat(refusals[0]).isNegative();
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    assertThat(queue.poll()).isEqualTo(1);
    assertThat(queue.isEmpty()).isTrue();
  }

  /** Its consumer stops when it has taken an element, before the queue counts it. */
  private static final class Held extends MpmcAtomicArrayQueue<Integer> {
    final CountDownLatch taken = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    Held() {
      super(2);
    }

    @Override
    public Integer relaxedPoll() {
      Integer element = super.relaxedPoll();
      if (element != null && element == 0) {
        taken.countDown();
        awaitRelease();
      }
      return element;
    }

    private void awaitRelease() {
      try {
        assertThat(released.await(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void noConsumerSeesTheEndBeforeTheOneThatHasTheLastElementHasCountedIt() throws Exception {
    Held held = new Held();
    QueueSource<Integer> queue = new QueueSource<>(held, 2, false);
    queue.offer(0);
    queue.close();
    Future<Integer> slow = threads.submit(queue::poll);
    assertThat(held.taken.await(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(queue.readiness()).isEqualTo(Events.IN); // not HUP: the element is on its way
    Future<Integer> other = threads.submit(queue::poll);
    assertThat(other.isDone()).isFalse();
    held.released.countDown();
    assertThat(get(slow)).isZero();
    assertThat(get(other)).isNull();
    assertThat(queue.readiness()).isEqualTo(Events.HUP);
  }

  @Test
  void theBoundHoldsWhileAConsumerHasNotCountedYet() throws Exception {
    Held held = new Held();
    QueueSource<Integer> queue = new QueueSource<>(held, 2, false);
    queue.offer(0);
    Future<Integer> slow = threads.submit(queue::poll);
    assertThat(held.taken.await(FAIL_SAFE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(queue.offer(1)).isTrue();
    assertThat(queue.offer(2)).isFalse(); // the place of element 0 is still counted
    assertThat(queue.poll()).isEqualTo(1); // it has overtaken
    held.released.countDown();
    assertThat(get(slow)).isZero();
    assertThat(queue.isEmpty()).isTrue();
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(FAIL_SAFE_SECONDS, TimeUnit.SECONDS);
  }
}
