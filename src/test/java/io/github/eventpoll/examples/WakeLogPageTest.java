package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.testkit.WakeLog;
import org.junit.jupiter.api.Test;

/** The log that the page on testing shows. */
class WakeLogPageTest {
  // snippet: log
  @Test
  void oneOfferIsOneDelivery() throws InterruptedException {
    WakeLog log = WakeLog.create();
    QueueSource<String> orders = QueueSource.unbounded();
    try (EventPoll poll = log.poll()) {
      EpItem item = poll.add(orders, Events.IN);
      log.name(item, "orders");
      orders.offer("tea");
      ReadyEvents ready = new ReadyEvents(1);
      poll.await(ready);
      orders.poll();
      assertThat(poll.awaitNow(ready)).isZero();

      log.assertDeliveredOnce(item);
      log.assertNoLostWakeUp();
      assertThat(log.steps())
          .containsSubsequence("takes IN of orders", "asks orders: not ready", "await returns 0");
    }
  }
  // end snippet
}
