package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.source.QueueKind;
import io.github.eventpoll.source.QueueSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scenario S202 with each kind of queue: four threads on one poll of eight bounded queues. */
@EveryPath
class QueueKindThreadsTest {
  private static final int QUEUES = 8;
  private static final int CONSUMERS = 4;
  private static final int PRODUCERS = 2;
  private static final int BOUND = 10;
  private static final int AT_ONCE = 7;

  private final EventPoll poll = Polls.create();
  private final List<QueueSource<Integer>> queues = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  @DisplayName("S202: one-shot items hand a queue from consumer to consumer")
  void s202_handedOverByOneShot(QueueKind kind) {
    exactlyOnce(kind, Events.IN | Events.ONESHOT);
  }

  @ParameterizedTest
  @EnumSource(names = "MPMC")
  @DisplayName("S202: several consumers take from one queue at the same time")
  void s202_sharedByLevel(QueueKind kind) {
    exactlyOnce(kind, Events.IN);
  }

  private void exactlyOnce(QueueKind kind, int mask) {
    int each = Polls.rounds(2_000);
    AtomicIntegerArray seen = new AtomicIntegerArray(QUEUES * each);
    for (int q = 0; q < QUEUES; q++) {
      QueueSource<Integer> queue = QueueSource.bounded(BOUND, kind);
      queues.add(queue);
      poll.add(queue, mask, queue);
    }
    try (Waiters waiters = new Waiters()) {
      for (int c = 0; c < CONSUMERS; c++) {
        waiters.start("consumer", () -> consume(seen));
      }
      for (int p = 0; p < PRODUCERS; p++) {
        int from = p * QUEUES / PRODUCERS;
        waiters.start("producer", () -> produce(from, from + QUEUES / PRODUCERS, each));
      }
      waiters.join();
    }
    for (int i = 0; i < seen.length(); i++) {
      assertThat(seen.get(i)).as("element %d", i).isEqualTo(1);
    }
  }

  /** Fills queues of its own in turn; waits on the one that is full. */
  private int produce(int from, int to, int each) throws InterruptedException {
    for (int i = 0; i < each; i++) {
      for (int q = from; q < to; q++) {
        while (!queues.get(q).offer(q * each + i)) {
          EventPoll.awaitOne(queues.get(q), Events.OUT, null);
        }
      }
    }
    queues.subList(from, to).forEach(QueueSource::close);
    return 1;
  }

  private int consume(AtomicIntegerArray seen) throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(2);
    while (poll.size() > 0) {
      int n = poll.await(ready);
      for (int i = 0; i < n; i++) {
        @SuppressWarnings("unchecked")
        QueueSource<Integer> queue = (QueueSource<Integer>) ready.attachment(i);
        EpItem item = ready.item(i);
        if (ready.events(i) == Events.HUP) {
          remove(item);
        } else {
          queue.drain(seen::getAndIncrement, AT_ONCE);
          if (!item.isArmed()) {
            item.modify(Events.IN | Events.ONESHOT);
          }
        }
      }
    }
    poll.wakeup(); // the next one ends, too
    return 1;
  }

  private static void remove(EpItem ended) {
    try {
      ended.remove();
    } catch (EventPollStateException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOENT); // another consumer was quicker
    }
  }
}
