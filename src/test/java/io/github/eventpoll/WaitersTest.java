package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several threads that wait on one poll: how many wake, which, and what each gets. */
class WaitersTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = EventPoll.create();
  private final EventFd source = EventFd.create();
  private final EventFd second = EventFd.create();

  @Test
  void s100_edge_oneWriteWakesOneOfThree() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 3);
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      assertThat(waiters.served()).isEqualTo(1);
    }
  }

  @Test
  void s101_edge_twoWritesWakeTwoOfThree() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 3);
      source.tryWrite(1);
      waiters.settle();
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(2);
      assertThat(waiters.returned()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("I-74: a level event nobody consumes wakes all, one after the other")
  void levelCascadeWakesAllOfThem() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 6);
      source.tryWrite(1);
      waiters.join();
      assertThat(waiters.served()).isEqualTo(6);
    }
  }

  @Test
  void lastComeFirstWoken() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> inOrderOfArrival = waiters.awaiting(poll, 5);
      List<Wait> woken = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        source.tryWrite(1);
        waiters.settle();
        inOrderOfArrival.stream()
            .filter(wait -> wait.isDone() && !woken.contains(wait))
            .forEach(woken::add);
      }
      Collections.reverse(woken);
      assertThat(woken).isEqualTo(inOrderOfArrival);
      assertThat(waiters.served()).isEqualTo(5);
    }
  }

  @Test
  void s109_twoSourcesTwoWaitersOneEventEach() {
    poll.add(source, IN_ET);
    poll.add(second, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 2);
      source.tryWrite(1);
      second.tryWrite(1);
      assertThat(Stream.of(waits.get(0).source(), waits.get(1).source()))
          .containsExactlyInAnyOrder(source, second);
    }
  }
}
