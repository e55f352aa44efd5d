package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Probe;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A fixture, one way in which it becomes ready, and a poll that watches it for that. */
final class SourceScene implements AutoCloseable {
  final SourceFixture fixture;
  final SourceFixture.Way way;
  final EventPoll poll;
  final EpItem item;
  final ReadyEvents batch = new ReadyEvents(1);
  private final Duration limit;

  SourceScene(
      SourceFixture fixture,
      SourceFixture.Way way,
      int modes,
      EventPollBuilder settings,
      @Nullable Probe probe,
      Duration limit) {
    this.fixture = fixture;
    this.way = way;
    this.limit = limit;
    if (probe != null) {
      Bridge.get().watch(settings, probe);
    }
    poll = fixture.poll(settings);
    item = poll.add(fixture.source(), way.bits() | modes);
  }

  String name() {
    return Events.toString(way.bits());
  }

  void on() {
    SourceContract.act(way.on(), "making it ready for " + name());
  }

  /** Not ready, and nothing of before on the poll's list. */
  void off() {
    SourceFixture.Action off = way.off();
    if (off != null) {
      SourceContract.act(off, "making it not ready for " + name());
    }
    if (!settles(() -> !isReady()) && off != null) {
      throw new AssertionError(
          "is still ready for " + name() + " after it was made not ready: " + fixture.source());
    }
    poll.awaitNow(batch);
  }

  /** Whether the source itself says that it is ready. */
  boolean isReady() {
    return (SourceContract.answer(fixture.source()) & way.bits()) != 0;
  }

  /** Whether a wait that does not sleep takes an event of this way. */
  boolean takes() {
    return poll.awaitNow(batch) != 0 && (batch.events(0) & way.bits()) == way.bits();
  }

  /** Whether something is so: now, or a little later if the fixture takes its time. */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread can run: nothing else to wait on
  boolean settles(BooleanSupplier what) {
    long started = System.nanoTime();
    do {
      if (what.getAsBoolean()) {
        return true;
      }
      Thread.yield();
    } while (fixture.isAsynchronous() && System.nanoTime() - started < limit.toNanos());
    return false;
  }

  @Override
  public void close() {
    poll.close();
    fixture.end();
  }
}
