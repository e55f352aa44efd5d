package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private final VirtualTime time = VirtualTime.create();

  @Test
  void threeGoOutAtOnce() {
    try (EventPoll poll = time.poll()) {
      Batch batch = new Batch(poll, time.timer());
      List.of("tea", "milk", "sugar", "salt").forEach(batch::order);
      assertEquals(List.of("tea", "milk", "sugar"), batch.nextNow());
      assertEquals(List.of(), batch.nextNow());
    }
  }

  @Test
  void fewerGoOutAfterOneSecond() {
    try (EventPoll poll = time.poll()) {
      Batch batch = new Batch(poll, time.timer());
      batch.order("tea");
      assertEquals(List.of(), batch.nextNow());
      time.advance(Duration.ofMillis(999));
      assertEquals(List.of(), batch.nextNow());
      time.advance(Duration.ofMillis(1));
      assertEquals(List.of("tea"), batch.nextNow());
      time.advance(Duration.ofSeconds(9));
      assertEquals(List.of(), batch.nextNow());
    }
  }
}
