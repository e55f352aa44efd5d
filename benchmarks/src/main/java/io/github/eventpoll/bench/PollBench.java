package io.github.eventpoll.bench;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.ReadyEvents;
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
 * Single operations under JMH, also for its profilers ({@code -prof gc}, {@code -prof perfnorm}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PollBench {
  /** The variant. */
  @Param({"SPIN", "RWLOCK", "LOCK_FREE"})
  public LockKind lock;

  /** Both filters, or none. */
  @Param({"true", "false"})
  public boolean filters;

  private final EventFd queued = EventFd.create(1);
  private final EventFd drained = EventFd.create();
  private final EventFd unwanted = EventFd.create();
  private final ReadyEvents ready = new ReadyEvents(16);
  private EventPoll poll;
  private EventPoll other;
  private EpItem item;

  /** Makes the polls and registers the counters. */
  @Setup
  public void register() {
    Strategy strategy = new Strategy(lock, filters, filters);
    poll = strategy.poll();
    other = strategy.poll();
    item = poll.add(queued, Events.IN);
    poll.add(unwanted, Events.PRI);
    other.add(drained, Events.IN);
  }

  /** A write to an item that is on the ready list already. */
  @Benchmark
  public boolean writeQueued() {
    return queued.tryWrite(1);
  }

  /** A write that nobody wants. */
  @Benchmark
  public boolean writeUnwanted() {
    return unwanted.tryWrite(1);
  }

  /** A wait that delivers one level-triggered event. */
  @Benchmark
  public int awaitOneEvent() {
    return poll.awaitNow(ready);
  }

  /** The cycle of a draining event loop. */
  @Benchmark
  public long writeAwaitReadAwait() {
    drained.tryWrite(1);
    int found = other.awaitNow(ready);
    return drained.tryRead() + found + other.awaitNow(ready);
  }

  /** A modification with the same mask. */
  @Benchmark
  public void modify() {
    item.modify(Events.IN);
  }
}
