package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.QueueSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenario S202, and threads that sleep towards a queue. */
@EveryPath
class QueueThreadsTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final QueueSource<Integer> queue = QueueSource.unbounded();

  // ------------------------------------------------------------------------------- sleeping

  @Test
  void anOfferWakesAConsumer() {
    poll.add(queue, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      queue.offer(1);
      assertThat(wait.source()).isSameAs(queue);
    }
  }

  @Test
  void anElementTakenWakesAProducer() {
    QueueSource<Integer> one = QueueSource.bounded(1);
    one.offer(1);
    poll.add(one, Events.OUT);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      one.poll();
      assertThat(wait.source()).isSameAs(one);
    }
  }

  @Test
  void closingWakesAConsumerOfAnEmptyQueueWithHup() {
    poll.add(queue, Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      queue.close();
      assertThat(wait.source()).isSameAs(queue);
      assertThat(wait.events().events(0)).isEqualTo(Events.HUP);
    }
  }

  @Test
  void theLastElementOfAClosedQueueWakesWithHupWhoeverStillWaits() {
    QueueSource<Integer> one = QueueSource.bounded(1);
    one.offer(1);
    poll.add(one, Events.OUT);
    try (Waiters waiters = new Waiters()) {
      Wait inPoll = waiters.awaiting(poll, 1).get(0);
      Wait alone = waiters.awaitOne(one, Events.OUT, null);
      Waiters.awaitAsleepOn(one, 1);
      one.close();
      waiters.settle();
      assertThat(waiters.returned()).isZero(); // the element can still be taken
      one.poll();
      assertThat(inPoll.source()).isSameAs(one);
      assertThat(inPoll.events().events(0)).isEqualTo(Events.HUP);
      assertThat(alone.result()).isEqualTo(Events.HUP);
    }
  }

  @Test
  void disposingWakesAThreadThatWaitsOnTheQueueAlone() {
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaitOne(queue, Events.IN, null);
      Waiters.awaitAsleepOn(queue, 1);
      queue.dispose();
      assertThat(wait.result()).isEqualTo(Events.HUP);
    }
  }

  @Test
  void ofExclusivePollsOneIsWokenByAnOffer() {
    EventPoll other = Polls.create();
    poll.add(queue, IN_ET | Events.EXCLUSIVE);
    other.add(queue, IN_ET | Events.EXCLUSIVE);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 1);
      waiters.awaiting(other, 1);
      queue.offer(1);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      queue.offer(2);
      waiters.join();
    }
  }

  // ------------------------------------------------------------------------- whole programs

  @Test
  @DisplayName("MO-QUEUE-1: one by one, an edge-triggered consumer that drains misses none")
  void edgeTriggeredConsumerMissesNothing() {
    int elements = Polls.rounds(20_000);
    poll.add(queue, IN_ET);
    AtomicInteger taken = new AtomicInteger();
    try (Waiters waiters = new Waiters()) {
      Wait consumer =
          waiters.start(
              "consumer",
              () -> {
                ReadyEvents ready = new ReadyEvents(1);
                while (poll.await(ready) == 1 && ready.events(0) != Events.HUP) {
                  queue.drain(element -> taken.getAndIncrement(), Integer.MAX_VALUE);
                }
                return taken.get();
              });
      for (int i = 1; i <= elements; i++) {
        int all = i;
        queue.offer(i);
        if (i % 2 == 0) { // the consumer is about to sleep, or still at work
          Waiters.until(() -> taken.get() == all, () -> taken + " of " + all);
        }
      }
      queue.close();
      assertThat(consumer.result()).isEqualTo(elements);
    }
  }

  @Test
  void s202_eachElementOfEightQueuesIsTakenOnceByFourConsumers() {
    int each = Polls.rounds(125_000);
    AtomicIntegerArray seen = new AtomicIntegerArray(8 * each);
    List<QueueSource<Integer>> sources = new ArrayList<>();
    for (int q = 0; q < 8; q++) {
      sources.add(QueueSource.unbounded());
      poll.add(sources.get(q), q % 2 == 0 ? Events.IN : IN_ET, sources.get(q));
    }
    try (Waiters waiters = new Waiters()) {
      for (int c = 0; c < 4; c++) {
        waiters.start("consumer", () -> consume(seen));
      }
      for (int p = 0; p < 2; p++) {
        List<QueueSource<Integer>> own = sources.subList(p * 4, p * 4 + 4);
        int first = p * 4 * each;
        waiters.start("producer", () -> produce(own, first, 4 * each));
      }
      waiters.join();
    }
    int wrong = 0;
    for (int i = 0; i < seen.length(); i++) {
      wrong += seen.get(i) == 1 ? 0 : 1;
    }
    assertThat(wrong).as("elements not taken just once").isZero();
  }

  private static int produce(List<QueueSource<Integer>> to, int first, int count) {
    for (int i = 0; i < count; i++) {
      to.get(i % to.size()).offer(first + i);
    }
    to.forEach(QueueSource::close);
    return 1;
  }

  /** Takes what comes until every queue has reported its end and was removed, by whomever. */
  private int consume(AtomicIntegerArray seen) throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(4);
    while (poll.size() > 0) {
      int n = poll.await(ready);
      for (int i = 0; i < n; i++) {
        @SuppressWarnings("unchecked")
        QueueSource<Integer> from = (QueueSource<Integer>) ready.attachment(i);
        from.drain(seen::getAndIncrement, Integer.MAX_VALUE);
        if (ready.events(i) == Events.HUP) {
          remove(ready.item(i));
        }
      }
    }
    poll.wakeup(); // the next one ends, too
    return 1;
  }

  private void remove(EpItem ended) {
    try {
      ended.remove();
    } catch (EventPollStateException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOENT); // another consumer was quicker
    }
  }
}
