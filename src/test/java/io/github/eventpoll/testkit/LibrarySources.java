package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.source.BlockingQueueSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;

/**
 * Fixtures for counters, queues, timers, polls and scripted sources. The other sources have theirs
 * in the package of sources; channels do not fit, as they learn what they are ready for from waits.
 */
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

  private static SourceFixture blockingQueue() {
    BlockingQueueSource<String> queue = BlockingQueueSource.of(new ArrayBlockingQueue<>(1));
    return SourceFixture.of(queue)
        .ready(Events.IN, () -> queue.offer("e"), queue::poll)
        .ready(Events.OUT, queue::poll, () -> queue.offer("e"))
        .closing(queue::close);
  }
}
