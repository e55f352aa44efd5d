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
 * Single operations on a counter and its item, one thread; also for the profilers of JMH ({@code
 * -prof gc}, {@code -prof perfnorm}).
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

  /** Whether the mask is tested first. */
  @Param("true")
  public boolean mask;

  /** Whether queued items are skipped. */
  @Param("true")
  public boolean notified;

  private final EventFd unwatched = EventFd.create();
  private final EventFd unwanted = EventFd.create();
  private final EventFd queued = EventFd.create(1);
  private final EventFd level = EventFd.create();
  private final EventFd edge = EventFd.create();
  private final EventFd once = EventFd.create();
  private final ReadyEvents ready = new ReadyEvents(16);
  private EventPoll idle;
  private EventPoll ofQueued;
  private EventPoll ofLevel;
  private EventPoll ofEdge;
  private EventPoll ofOnce;
  private EpItem item;
  private EpItem shot;

  /** Makes the polls and registers the counters. */
  @Setup
  public void register() {
    Strategy strategy = new Strategy(lock, mask, notified);
    idle = strategy.poll();
    ofQueued = strategy.poll();
    ofLevel = strategy.poll();
    ofEdge = strategy.poll();
    ofOnce = strategy.poll();
    idle.add(unwanted, Events.PRI);
    item = ofQueued.add(queued, Events.IN);
    ofLevel.add(level, Events.IN);
    ofEdge.add(edge, Events.IN | Events.ET);
    shot = ofOnce.add(once, Events.IN | Events.ONESHOT);
  }

  /** A write that nobody watches. */
  @Benchmark
  public boolean writeUnwatched() {
    return unwatched.tryWrite(1);
  }

  /** A write that nobody wants. */
  @Benchmark
  public boolean writeUnwanted() {
    return unwanted.tryWrite(1);
  }

  /** A write to an item that is on the ready list already. */
  @Benchmark
  public boolean writeQueued() {
    return queued.tryWrite(1);
  }

  /** A wait that finds nothing. */
  @Benchmark
  public int awaitNothing() {
    return idle.awaitNow(ready);
  }

  /** A wait that delivers one level-triggered event. */
  @Benchmark
  public int awaitOneEvent() {
    return ofQueued.awaitNow(ready);
  }

  /** Signal, wait and read, level-triggered: the item stays on the ready list. */
  @Benchmark
  public long writeAwaitRead() {
    level.tryWrite(1);
    return ofLevel.awaitNow(ready) + level.tryRead();
  }

  /** The cycle of a draining event loop: the wait after it finds nothing. */
  @Benchmark
  public long writeAwaitReadAwait() {
    level.tryWrite(1);
    int found = ofLevel.awaitNow(ready);
    return level.tryRead() + found + ofLevel.awaitNow(ready);
  }

  /** Signal, wait and read, edge-triggered. */
  @Benchmark
  public long edgeWriteAwaitRead() {
    edge.tryWrite(1);
    return ofEdge.awaitNow(ready) + edge.tryRead();
  }

  /** Signal, wait, read and re-arm. */
  @Benchmark
  public long onceWriteAwaitReadModify() {
    once.tryWrite(1);
    int found = ofOnce.awaitNow(ready);
    long value = once.tryRead();
    shot.modify(Events.IN | Events.ONESHOT);
    return value + found;
  }

  /** A modification with the same mask. */
  @Benchmark
  public void modify() {
    item.modify(Events.IN);
  }
}
