package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Topology;
import io.github.eventpoll.source.EventFd;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Adding a source and removing it, in a poll that has so many already; with {@code -t 2} each
 * thread in a poll of its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RegistryBench {
  private static final EventPoll[] OUTER = new EventPoll[Topology.values().length];

  /** The locks of the whole process. */
  @Param({"GLOBAL_MUTEX", "SHARED", "STRIPED"})
  public Topology topology;

  /** Whether one outer poll watches the polls of all threads. */
  @Param({"false", "true"})
  public boolean watched;

  /** Items that stay. */
  @Param({"0", "1000", "100000"})
  public int items;

  private final EventFd source = EventFd.create();
  private EventPoll poll;

  /** Fills the poll. */
  @Setup
  public void fill() {
    poll = EventPoll.builder().topology(topology).build();
    if (watched) {
      outer(topology).add(poll, Events.IN);
    }
    for (int i = 0; i < items; i++) {
      poll.add(EventFd.create(), Events.IN);
    }
  }

  private static synchronized EventPoll outer(Topology kind) {
    if (OUTER[kind.ordinal()] == null) {
      OUTER[kind.ordinal()] = EventPoll.builder().topology(kind).build();
    }
    return OUTER[kind.ordinal()];
  }

  /** Both. */
  @Benchmark
  public void addRemove() {
    poll.add(source, Events.IN).remove();
  }

  /** What is not there. */
  @Benchmark
  public Object findNothing() {
    return poll.find(source);
  }
}
