package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.BytePipe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.source.UserSource;
import java.nio.ByteBuffer;
import java.time.Duration;
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

/** What one event costs with each kind of source: make it ready, wait, make it unready. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SourceBench {
  /** The variant. */
  @Param({"SPIN", "RWLOCK", "LOCK_FREE"})
  public LockKind lock;

  /** Whether the mask is tested first. */
  @Param("true")
  public boolean mask;

  /** Whether queued items are skipped. */
  @Param("true")
  public boolean notified;

  private static final Duration LATER = Duration.ofHours(1);
  private static final Duration AT_ONCE = Duration.ofNanos(1);

  private final ReadyEvents ready = new ReadyEvents(16);
  private final EventFd semaphore = EventFd.semaphore(0);
  private final QueueSource<Object> queue = QueueSource.unbounded();
  private final QueueSource<Object> bounded = QueueSource.bounded(1024);
  private final Timer timer = Timer.create();
  private final Timer idleTimer = Timer.create();
  private final UserSource user = UserSource.create();
  private final BytePipe pipe = BytePipe.create();
  private final ByteBuffer bytes = ByteBuffer.allocate(64);
  private EventPoll ofSemaphore;
  private EventPoll ofQueue;
  private EventPoll ofBounded;
  private EventPoll ofTimer;
  private EventPoll ofUser;
  private EventPoll ofPipe;

  /** Makes a poll for each source. */
  @Setup
  public void register() {
    ofSemaphore = watching(semaphore);
    ofQueue = watching(queue);
    ofBounded = watching(bounded);
    ofTimer = watching(timer);
    ofUser = watching(user);
    ofPipe = watching(pipe.readEnd());
    watching(idleTimer);
  }

  private EventPoll watching(Pollable source) {
    EventPoll poll = new Strategy(lock, mask, notified).poll();
    poll.add(source, Events.IN);
    return poll;
  }

  /** A counter that gives one at a time. */
  @Benchmark
  public long semaphore() {
    semaphore.tryWrite(1);
    return ofSemaphore.awaitNow(ready) + semaphore.tryRead();
  }

  /** An unbounded queue. */
  @Benchmark
  public Object queue() {
    queue.offer(this);
    ofQueue.awaitNow(ready);
    return queue.poll();
  }

  /** A bounded queue. */
  @Benchmark
  public Object boundedQueue() {
    bounded.offer(this);
    ofBounded.awaitNow(ready);
    return bounded.poll();
  }

  /** A timer that is due at once; reads the clock several times. */
  @Benchmark
  public long timer() {
    timer.set(AT_ONCE);
    return ofTimer.awaitNow(ready) + timer.tryRead();
  }

  /** A time-out that is put off again, as most are. */
  @Benchmark
  public void timerPutOff() {
    idleTimer.set(LATER);
  }

  /** Bits that the user sets. */
  @Benchmark
  public int user() {
    user.set(Events.IN);
    return ofUser.awaitNow(ready) + user.take(Events.IN);
  }

  /** 64 bytes through a pipe in memory. */
  @Benchmark
  public int pipe() throws Exception {
    bytes.clear();
    pipe.writeEnd().tryWrite(bytes);
    bytes.clear();
    return ofPipe.awaitNow(ready) + pipe.readEnd().tryRead(bytes);
  }
}
