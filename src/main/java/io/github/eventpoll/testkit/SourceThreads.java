package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.LockKind;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.ReadyEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The checks of {@link SourceContract} that need several threads. Each takes a moment. */
final class SourceThreads {
  private static final int ROUNDS = 100;
  private static final int FRESH_SOURCES = 10;
  private static final int CALLS = 300;

  private final Supplier<SourceFixture> fixtures;
  private final Duration limit;

  SourceThreads(Supplier<SourceFixture> fixtures, Duration limit) {
    this.fixtures = fixtures;
    this.limit = limit;
  }

  // -------------------------------------------------------------------------- no wake is lost

  void losesNoWake() {
    SourceFixture first = fixtures.get();
    int ways = first.ways().size();
    first.end();
    for (int way = 0; way < ways; way++) {
      for (LockKind kind : LockKind.values()) {
        for (int modes : new int[] {0, Events.ET}) {
          race(way, modes, kind);
        }
      }
    }
  }

  private void race(int way, int modes, LockKind kind) {
    boolean again = true;
    for (int i = 0; again && i < FRESH_SOURCES; i++) {
      SourceFixture fixture = fixtures.get();
      EventPollBuilder settings =
          EventPoll.builder().lock(kind).maskPreCheck(true).notifiedFastPath(true);
      try (SourceScene scene =
          new SourceScene(fixture, fixture.ways().get(way), modes, settings, null, limit)) {
        again = scene.way.off() == null;
        race(scene, again ? 1 : ROUNDS);
      }
    }
  }

  /**
   * One thread makes the source not ready and waits; the other one makes it ready, sooner or later
   * after the first has begun.
   */
  @SuppressWarnings("ThreadPriorityCheck") // the other one can run: nothing else to wait on
  private void race(SourceScene scene, int rounds) {
    AtomicInteger waiting = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    Crew crew = new Crew();
    crew.start(
        () -> {
          for (int round = 1; round <= rounds && !crew.isOver(); round++) {
            scene.off();
            waiting.set(round);
            do {
              scene.poll.await(scene.batch);
            } while ((scene.batch.size() == 0
                    || (scene.batch.events(0) & scene.way.bits()) != scene.way.bits())
                && !crew.isOver());
            taken.set(round);
          }
        });
    crew.start(
        () -> {
          for (int round = 1; round <= rounds; round++) {
            while (waiting.get() < round) {
              if (crew.isOver()) {
                return;
              }
              Thread.yield();
            }
            spin(round * 37 % 1000);
            scene.on();
          }
        });
    crew.join(
        taken::get,
        () ->
            "a thread that waits misses "
                + scene.name()
                + ((scene.item.interest() & Events.ET) != 0 ? " as an edge" : "")
                + ", of "
                + scene.fixture.source()
                + "; "
                + scene.poll.dump());
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  // ------------------------------------------------------------------------ many threads at once

  void standsManyThreads() {
    SourceFixture fixture = fixtures.get();
    Pollable source = fixture.source();
    SourceFixture.Way way = fixture.ways().get(0);
    AtomicInteger done = new AtomicInteger();
    Crew crew = new Crew();
    try (EventPoll poll = fixture.poll(EventPoll.builder())) {
      for (int i = 0; i < 2; i++) {
        crew.start(() -> repeat(done, () -> ask(source)));
      }
      crew.start(() -> repeat(done, () -> addAndRemove(fixture, way.bits())));
      crew.start(
          () -> {
            EpItem item = poll.add(source, way.bits());
            ReadyEvents batch = new ReadyEvents(1);
            repeat(done, () -> poll.awaitNow(batch));
            item.remove();
          });
      crew.start(() -> change(way, done));
      crew.join(done::get, () -> "threads that use the source at once do not come to an end");
    } finally {
      fixture.end();
    }
  }

  private static void change(SourceFixture.Way way, AtomicInteger done) throws Exception {
    SourceFixture.Action off = way.off();
    if (off == null) {
      way.on().run();
      return;
    }
    repeat(
        done,
        () -> {
          off.run();
          way.on().run();
        });
  }

  private static void ask(Pollable source) {
    int bits = SourceContract.answer(source);
    if ((bits & SourceContract.MODES) != 0) {
      throw new AssertionError("readiness() has mode flags: " + Events.toString(bits));
    }
    source.waitQueue();
    source.traits();
  }

  private static void addAndRemove(SourceFixture fixture, int bits) {
    try (EventPoll other = fixture.poll(EventPoll.builder())) {
      other.add(fixture.source(), bits).modify(bits | Events.ET);
    }
  }

  private static void repeat(AtomicInteger done, SourceFixture.Action action) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      action.run();
      done.incrementAndGet();
    }
  }

  // ------------------------------------------------------------------------------ the end wakes

  @SuppressWarnings("ThreadPriorityCheck") // as above
  void closeWakes() {
    SourceFixture fixture = fixtures.get();
    AtomicInteger begun = new AtomicInteger();
    Crew crew = new Crew();
    crew.start(
        () -> {
          begun.set(1);
          try {
            EventPoll.awaitOne(fixture.source(), Events.PRI, null);
          } catch (EventPollStateException e) {
            // It was closed before this thread came to wait.
          }
        });
    crew.start(
        () -> {
          while (begun.get() == 0) {
            Thread.yield();
          }
          spin(1000);
          fixture.end();
        });
    crew.join(begun::get, () -> "it was closed and who waits for it alone waits on");
  }

  // ----------------------------------------------------------------------------------- threads

  /** The threads of one check; what the first one that fails throws is thrown by join. */
  private final class Crew {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();
    private volatile boolean over;

    boolean isOver() {
      return over || thrown.get() != null;
    }

    void start(SourceFixture.Action body) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  body.run();
                } catch (Throwable e) {
                  thrown.compareAndSet(null, e);
                }
              },
              "source-contract-" + threads.size());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }

    /** Returns when all have ended; fails if nothing moves for too long. */
    void join(IntSupplier progress, Supplier<String> stuck) {
      int seen = progress.getAsInt();
      long since = System.nanoTime();
      while (isAnyoneLeft() && thrown.get() == null) {
        int now = progress.getAsInt();
        if (now != seen) {
          seen = now;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > limit.toNanos()) {
          thrown.compareAndSet(null, new AssertionError(stuck.get()));
        }
      }
      over = true;
      threads.forEach(Thread::interrupt);
      Throwable failure = thrown.get();
      if (failure instanceof AssertionError error) {
        throw error;
      }
      if (failure != null) {
        throw new AssertionError("a thread that uses the source fails: " + failure, failure);
      }
    }

    /** Waits a moment for the threads. */
    private boolean isAnyoneLeft() {
      try {
        for (Thread thread : threads) {
          thread.join(1);
          if (thread.isAlive()) {
            return true;
          }
        }
        return false;
      } catch (InterruptedException e) {
        throw new AssertionError("the check was interrupted", e);
      }
    }
  }
}
