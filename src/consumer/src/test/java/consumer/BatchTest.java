package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.Interleavings;
import io.github.eventpoll.testkit.VirtualTime;
import io.github.eventpoll.testkit.WakeLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BatchTest {
  @Test
  void threeGoOutAtOnce() {
    VirtualTime time = VirtualTime.create();
    try (EventPoll poll = time.poll()) {
      Batch batch = new Batch(poll, time.timer());
      List.of("tea", "milk", "sugar", "salt").forEach(batch::order);
      assertEquals(List.of("tea", "milk", "sugar"), batch.nextNow());
      assertEquals(List.of(), batch.nextNow());
    }
  }

  @Test
  void fewerGoOutAfterOneSecond() throws InterruptedException {
    VirtualTime time = VirtualTime.singleThreaded();
    try (EventPoll poll = time.poll()) {
      Batch batch = new Batch(poll, time.timer());
      time.at(Duration.ofMillis(500), () -> batch.order("tea"));
      time.at(Duration.ofMillis(1499), () -> batch.order("milk"));
      assertEquals(List.of("tea", "milk"), batch.next());
      assertEquals(Duration.ofMillis(1500), time.elapsed());
    }
  }

  @Test
  void whoeverWaitsHearsOfOrders() throws Exception {
    WakeLog log = WakeLog.create();
    VirtualTime time = VirtualTime.create();
    try (EventPoll poll = time.poll(log.watch(EventPoll.builder()))) {
      Batch batch = new Batch(poll, time.timer());
      FutureTask<List<String>> next = new FutureTask<>(batch::next);
      new Thread(next, "waiter").start();
      List.of("tea", "milk", "sugar").forEach(batch::order);
      assertEquals(List.of("tea", "milk", "sugar"), next.get(30, TimeUnit.SECONDS));
      log.assertNoLostWakeUp();
    }
  }

  @Test
  void whoeverWaitsHearsOfOrdersInEveryOrderOfTheirSteps() {
    Interleavings.of(stage -> halfFull(stage.poll(), stage.timer()))
        .thread("waiter", b -> assertEquals(List.of("tea", "milk", "sugar"), b.next()))
        .thread("guest", b -> b.order("sugar"))
        .explore()
        .requireExhaustive();
  }

  private static Batch halfFull(EventPoll poll, Timer deadline) {
    Batch batch = new Batch(poll, deadline);
    batch.order("tea");
    batch.order("milk");
    return batch;
  }
}
