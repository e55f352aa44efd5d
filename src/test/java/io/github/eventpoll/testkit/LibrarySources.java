package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.source.BytePipe;
import io.github.eventpoll.source.CompletionSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.FlowSource;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.source.UserSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** A fixture for every source of the library that is no channel. */
final class LibrarySources {
  static final Map<String, Callable<SourceFixture>> ALL = new TreeMap<>();

  static {
    ALL.put("EventFd", LibrarySources::counter);
    ALL.put("semaphore", LibrarySources::semaphore);
    ALL.put("QueueSource", LibrarySources::queue);
    ALL.put("bounded QueueSource", LibrarySources::boundedQueue);
    ALL.put("Timer", LibrarySources::timer);
    ALL.put("EventPoll", LibrarySources::poll);
    ALL.put("asynchronous ScriptedSource", LibrarySources::asynchronous);
    ALL.put("UserSource", LibrarySources::user);
    ALL.put("BytePipe.ReadEnd", LibrarySources::readEnd);
    ALL.put("BytePipe.WriteEnd", LibrarySources::writeEnd);
    ALL.put("CompletionSource", LibrarySources::completion);
    ALL.put("failed CompletionSource", LibrarySources::failure);
    ALL.put("FlowSource", LibrarySources::flow);
    ALL.put("BlockingQueueSource", LibrarySources::blockingQueue);
    ALL.put("ScriptedSource", () -> scripted(ScriptedSource.create()));
    ALL.put(
        "ordered ScriptedSource",
        () -> scripted(ScriptedSource.named("o", Pollable.ORDERED_STATE)));
  }

  private LibrarySources() {}

  static SourceFixture counter() {
    EventFd counter = EventFd.create();
    return SourceFixture.of(counter)
        .ready(Events.IN, () -> counter.tryWrite(1), counter::tryRead)
        .ready(Events.OUT, counter::tryRead, () -> counter.tryWrite(-2))
        .closing(counter::close);
  }

  private static SourceFixture semaphore() {
    EventFd semaphore = EventFd.semaphore(0);
    return SourceFixture.of(semaphore)
        .ready(Events.IN, () -> semaphore.tryWrite(1), semaphore::tryRead)
        .closing(semaphore::close);
  }

  private static SourceFixture queue() {
    QueueSource<String> queue = QueueSource.unbounded();
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .readyForGood(Events.HUP, queue::close)
        .closing(queue::dispose);
  }

  private static SourceFixture boundedQueue() {
    QueueSource<String> queue = QueueSource.bounded(1);
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .ready(Events.OUT, queue::poll, () -> queue.offer("e"))
        .closing(queue::dispose);
  }

  private static SourceFixture timer() {
    VirtualTime time = VirtualTime.create();
    Timer timer = time.timer();
    return SourceFixture.of(timer)
        .polls(time::poll)
        .ready(
            Events.IN,
            () -> {
              timer.set(Duration.ofNanos(1));
              time.advanceNanos(1);
            },
            timer::disarm)
        .closing(timer::close);
  }

  private static SourceFixture poll() {
    EventPoll poll = EventPoll.create();
    EventFd counter = EventFd.create();
    poll.add(counter, Events.IN);
    return SourceFixture.of(poll)
        .ready(Events.IN, () -> counter.tryWrite(1), counter::tryRead)
        .closing(poll::close);
  }

  private static SourceFixture scripted(ScriptedSource source) {
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.ready(Events.IN), source::notReady)
        .ready(Events.PRI, () -> source.ready(Events.PRI), source::notReady)
        .readyForGood(Events.ERR, () -> source.ready(Events.ERR))
        .closing(source::close);
  }

  private static SourceFixture asynchronous() {
    ScriptedSource source = ScriptedSource.create();
    return SourceFixture.of(source)
        .asynchronous()
        .ready(Events.IN, () -> new Thread(() -> source.ready(Events.IN)).start(), source::notReady)
        .closing(source::close);
  }

  private static SourceFixture user() {
    UserSource source = UserSource.create();
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.set(Events.IN), () -> source.take(Events.IN))
        .ready(Events.PRI, () -> source.set(Events.PRI), () -> source.clear(Events.PRI))
        .closing(source::close);
  }

  private static SourceFixture readEnd() {
    BytePipe pipe = BytePipe.create(BytePipe.PAGE);
    ByteBuffer read = ByteBuffer.allocate(BytePipe.PAGE);
    return SourceFixture.of(pipe.readEnd())
        .ready(
            Events.IN,
            () -> pipe.writeEnd().tryWrite(ByteBuffer.allocate(1)),
            () -> pipe.readEnd().tryRead(read.clear()))
        .readyForGood(Events.HUP, () -> pipe.writeEnd().close())
        .closing(() -> pipe.readEnd().close());
  }

  private static SourceFixture writeEnd() {
    BytePipe pipe = BytePipe.create(BytePipe.PAGE);
    ByteBuffer read = ByteBuffer.allocate(BytePipe.PAGE);
    return SourceFixture.of(pipe.writeEnd())
        .ready(
            Events.OUT,
            () -> pipe.readEnd().tryRead(read.clear()),
            () -> pipe.writeEnd().tryWrite(ByteBuffer.allocate(BytePipe.PAGE)))
        .readyForGood(Events.ERR, () -> pipe.readEnd().close())
        .closing(() -> pipe.writeEnd().close());
  }

  private static SourceFixture completion() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletionSource<String> source = CompletionSource.of(stage);
    return SourceFixture.of(source)
        .readyForGood(Events.IN, () -> stage.complete("done"))
        .closing(source::close);
  }

  private static SourceFixture failure() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletionSource<String> source = CompletionSource.of(stage);
    return SourceFixture.of(source)
        .readyForGood(
            Events.IN | Events.ERR,
            () -> stage.completeExceptionally(new IllegalStateException("as scripted")))
        .closing(source::close);
  }

  private static SourceFixture flow() {
    FlowSource<String> source = FlowSource.create(1 << 20);
    source.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {}
        });
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.onNext("e"), source::poll)
        .readyForGood(Events.HUP, source::onComplete)
        .closing(source::close);
  }

  private static SourceFixture blockingQueue() {
    BlockingQueueSource<String> queue = BlockingQueueSource.of(new ArrayBlockingQueue<>(1));
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .ready(Events.OUT, queue::poll, () -> queue.offer("e"))
        .closing(queue::close);
  }
}
