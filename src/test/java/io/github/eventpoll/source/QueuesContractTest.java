package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.testkit.SourceContract;
import io.github.eventpoll.testkit.SourceFixture;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Queues of every kind, and blocking queues, keep the contract of sources. */
class QueuesContractTest {
  private static final int ALL = Integer.MAX_VALUE;

  @TestFactory
  Stream<DynamicTest> contract() {
    Map<String, Callable<SourceFixture>> queues = new LinkedHashMap<>();
    for (QueueKind kind : QueueKind.values()) {
      queues.put("unbounded " + kind, () -> elements(QueueSource.unbounded(kind)));
      queues.put("bounded " + kind, () -> elements(QueueSource.bounded(1, kind)));
      queues.put("room in " + kind, () -> room(QueueSource.bounded(1, kind)));
    }
    queues.put("ArrayBlockingQueue", () -> blocking(new ArrayBlockingQueue<>(1)));
    queues.put("LinkedBlockingQueue", () -> blocking(new LinkedBlockingQueue<>(1)));
    return queues.entrySet().stream().flatMap(QueuesContractTest::checks);
  }

  private static Stream<DynamicTest> checks(Map.Entry<String, Callable<SourceFixture>> queue) {
    return SourceContract.of(queue.getValue()).checks().entrySet().stream()
        .map(
            check ->
                DynamicTest.dynamicTest(
                    queue.getKey() + " " + check.getKey(), check.getValue()::run));
  }

  private static SourceFixture elements(QueueSource<Integer> queue) {
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer(1), () -> queue.drain(element -> {}, ALL))
        .readyForGood(
            Events.HUP,
            () -> {
              queue.close();
              queue.drain(element -> {}, ALL);
            })
        .closing(queue::dispose);
  }

  private static SourceFixture room(QueueSource<Integer> queue) {
    return SourceFixture.of(queue)
        .ready(Events.OUT, queue::poll, () -> queue.offer(1))
        .closing(queue::dispose);
  }

  private static SourceFixture blocking(BlockingQueue<Integer> inside) {
    BlockingQueueSource<Integer> queue = BlockingQueueSource.of(inside);
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.put(1), queue::clear)
        .ready(Events.OUT, queue::take, () -> queue.offer(1))
        .closing(queue::close);
  }
}
