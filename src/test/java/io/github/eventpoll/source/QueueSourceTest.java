package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import org.junit.jupiter.api.Test;

/** A queue by itself. */
class QueueSourceTest {
  @Test
  void boundIsExactAndHupComesWhenDrained() {
    QueueSource<String> queue = QueueSource.bounded(3);
    assertThat(queue.readiness()).isEqualTo(Events.OUT);
    assertThat(queue.offer("a") && queue.offer("b") && queue.offer("c")).isTrue();
    assertThat(queue.offer("d")).isFalse();
    assertThat(queue.readiness()).isEqualTo(Events.IN);
    queue.close();
    assertThat(queue.poll()).isEqualTo("a");
    assertThat(queue.readiness()).isEqualTo(Events.IN);
    assertThat(queue.poll()).isEqualTo("b");
    assertThat(queue.poll()).isEqualTo("c");
    assertThat(queue.readiness()).isEqualTo(Events.HUP);
    assertThat(queue.poll()).isNull();
  }
}
