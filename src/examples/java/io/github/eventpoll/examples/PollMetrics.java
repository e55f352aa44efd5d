package io.github.eventpoll.examples;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Stats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * Shows a poll in Micrometer: gauges for what it has, counters for what it does. Nothing is copied
 * and no thread is needed: the registry reads the live {@link Stats} when it is scraped. The
 * counters move only if the poll was built with {@code countStats(true)}.
 */
public final class PollMetrics implements MeterBinder {
  private final Stats stats;
  private final Tags tags;

  /**
   * Makes the binder of one poll.
   *
   * @param poll the poll
   * @param name tells it from other polls: the value of the tag {@code poll}
   */
  public PollMetrics(EventPoll poll, String name) {
    stats = poll.stats();
    tags = Tags.of("poll", name);
  }

  // snippet: metrics
  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "eventpoll.items", Stats::items);
    gauge(registry, "eventpoll.waiters", Stats::waiters);
    counter(registry, "eventpoll.waits", Stats::waits);
    counter(registry, "eventpoll.events", Stats::events);
    counter(registry, "eventpoll.timeouts", Stats::timeouts);
    counter(registry, "eventpoll.sleeps", Stats::sleeps);
    counter(registry, "eventpoll.passes", Stats::passes);
    counter(registry, "eventpoll.helpers.started", Stats::helpersStarted);
    counter(registry, "eventpoll.callbacks.queued", Stats::queued);
    counter(registry, "eventpoll.callbacks.overflowed", Stats::overflowed);
    counter(registry, "eventpoll.waiters.woken", Stats::waitersWoken);
  }

  private void gauge(MeterRegistry registry, String name, ToDoubleFunction<Stats> value) {
    Gauge.builder(name, stats, value).tags(tags).register(registry);
  }

  private void counter(MeterRegistry registry, String name, ToDoubleFunction<Stats> value) {
    FunctionCounter.builder(name, stats, value).tags(tags).register(registry);
  }
  // end snippet
}
