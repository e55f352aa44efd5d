package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** A poll's figures as Micrometer sees them. */
class PollMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EventFd fd = EventFd.create();
  private final ReadyEvents ready = new ReadyEvents(4);

  private double gauge(String name) {
    return registry.get(name).tag("poll", "orders").gauge().value();
  }

  private double counter(String name) {
    return registry.get(name).tag("poll", "orders").functionCounter().count();
  }

  @Test
  void gaugesAndCountersFollowThePoll() {
    try (EventPoll poll = EventPoll.builder().countStats(true).build()) {
      new PollMetrics(poll, "orders").bindTo(registry);
      assertThat(gauge("eventpoll.items")).isZero();
      poll.add(fd, Events.IN);
      assertThat(poll.awaitNow(ready)).isZero();
      fd.tryWrite(1);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(gauge("eventpoll.items")).isEqualTo(1);
      assertThat(gauge("eventpoll.waiters")).isZero();
      assertThat(counter("eventpoll.waits")).isEqualTo(2);
      assertThat(counter("eventpoll.events")).isEqualTo(1);
      assertThat(counter("eventpoll.callbacks.queued")).isEqualTo(1);
      assertThat(counter("eventpoll.sleeps")).isZero();
    }
    assertThat(gauge("eventpoll.items")).as("closed").isZero();
    assertThat(counter("eventpoll.events")).as("counters stay").isEqualTo(1);
  }

  @Test
  void withoutCountingThereAreTheGauges() {
    try (EventPoll poll = EventPoll.create()) {
      new PollMetrics(poll, "orders").bindTo(registry);
      poll.add(fd, Events.IN);
      fd.tryWrite(1);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(gauge("eventpoll.items")).isEqualTo(1);
      assertThat(counter("eventpoll.events")).isZero();
    }
  }
}
