package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Additions, removals and closes of sources and polls in many threads, with each topology. */
class TopologyThreadsTest {
  private static final int IN = Events.IN;
  private static final int EXCLUSIVE = IN | Events.EXCLUSIVE;
  private static final int ROUNDS = 1000;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static EventPoll poll(Topology kind, int paths) {
    return EventPoll.builder().topology(kind).pathLimits(paths, 100, 50, 10).build();
  }

  /** Runs all at the same time, and returns their results in order. */
  private List<Errno> together(List<Callable<Object>> actions) throws Exception {
    CyclicBarrier start = new CyclicBarrier(actions.size());
    List<Future<Errno>> running = new ArrayList<>();
    for (Callable<Object> action : actions) {
      running.add(threads.submit(() -> errnoOf(start, action)));
    }
    List<Errno> results = new ArrayList<>();
    for (Future<Errno> one : running) {
      results.add(one.get(60, TimeUnit.SECONDS));
    }
    return results;
  }

  /** Null for success. */
  private static Errno errnoOf(CyclicBarrier start, Callable<Object> action) throws Exception {
    start.await(60, TimeUnit.SECONDS);
    try {
      action.call();
      return null;
    } catch (EventPollArgumentException e) {
      return e.errno();
    } catch (EventPollStateException e) {
      return e.errno();
    }
  }

  // ------------------------------------------------------------------------- opposite additions

  @ParameterizedTest
  @CsvSource({
    "GLOBAL_MUTEX, GLOBAL_MUTEX", "SHARED, SHARED", "STRIPED, STRIPED",
    "GLOBAL_MUTEX, SHARED", "SHARED, STRIPED", "STRIPED, GLOBAL_MUTEX"
  })
  void s097_ofTwoOppositeAdditionsExactlyOneSucceeds(Topology kind, Topology otherKind)
      throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      EventPoll one = poll(kind, 500);
      EventPoll other = poll(otherKind, 500);
      assertThat(together(List.of(() -> one.add(other, IN), () -> other.add(one, IN))))
          .as("round %d", round)
          .containsExactlyInAnyOrder(null, Errno.ELOOP);
      assertThat(one.size() + other.size()).isEqualTo(1);
    }
  }

  /** Three in a circle: two succeed. Each poll has a source, which takes part in the checks. */
  @ParameterizedTest
  @EnumSource
  void s095_aCircleOfThreeIsNotClosed(Topology kind) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      EventPoll a = poll(kind, 500);
      EventPoll b = poll(kind, 500);
      EventPoll c = poll(kind, 500);
      EventFd source = EventFd.create();
      assertThat(
              together(
                  List.of(
                      () -> a.add(b, IN),
                      () -> b.add(c, IN),
                      () -> c.add(a, IN),
                      () -> a.add(source, IN) == b.add(source, IN))))
          .as("round %d", round)
          .containsExactlyInAnyOrder(null, null, Errno.ELOOP, null);
      assertThat(a.size() + b.size() + c.size()).isEqualTo(4);
    }
  }

  // ------------------------------------------------------------------------------ path limits

  /** Three threads for two places: exactly two succeed, and the third leaves nothing. */
  @ParameterizedTest
  @CsvSource({"GLOBAL_MUTEX, SHARED", "SHARED, STRIPED", "STRIPED, STRIPED"})
  void s098_theLastPathsAreTakenOnce(Topology kind, Topology otherKind) throws Exception {
    EventPoll top = EventPoll.create();
    EventPoll[] polls = {poll(kind, 2), poll(otherKind, 2), poll(kind, 2)};
    for (EventPoll poll : polls) {
      top.add(poll, IN);
    }
    for (int round = 0; round < ROUNDS; round++) {
      EventFd source = EventFd.create();
      assertThat(
              together(
                  List.of(
                      () -> polls[0].add(source, IN),
                      () -> polls[1].add(source, IN),
                      () -> polls[2].add(source, IN))))
          .as("round %d", round)
          .containsExactlyInAnyOrder(null, null, Errno.EINVAL);
      assertThat(source.waitQueue().snapshot()).hasSize(2);
      source.close();
    }
    for (EventPoll poll : polls) {
      assertThat(poll.size()).isZero();
    }
  }

  /** MO-NEST-1: a source and a watcher come to one poll at the same time; there is no room. */
  @ParameterizedTest
  @EnumSource
  void fe0a916c_aSourceAndAWatcherComeAtTheSameTime(Topology kind) throws Exception {
    EventPoll outer = poll(kind, 0);
    for (int round = 0; round < ROUNDS; round++) {
      EventPoll inner = poll(kind, 0);
      EventFd source = EventFd.create();
      assertThat(together(List.of(() -> inner.add(source, IN), () -> outer.add(inner, IN))))
          .as("round %d", round)
          .containsExactlyInAnyOrder(null, Errno.EINVAL);
      assertThat(inner.size() + outer.size()).isEqualTo(1);
      inner.close();
      assertThat(outer.size()).isZero();
    }
  }

  // --------------------------------------------------------------------------------- closing

  /** One source joins two polls, of which one is being nested, while it is closed. */
  @ParameterizedTest
  @EnumSource
  void aSourceClosesWhileItIsAddedAndNested(Topology kind) throws Exception {
    EventPoll outer = poll(kind, 500);
    EventPoll watched = poll(kind, 500);
    outer.add(watched, IN);
    for (int round = 0; round < ROUNDS; round++) {
      EventPoll inner = poll(kind, 500);
      EventFd source = EventFd.create();
      source.tryWrite(1);
      List<Errno> results =
          together(
              List.of(
                  () -> {
                    source.close();
                    return null;
                  },
                  () -> watched.add(source, IN),
                  () -> inner.add(source, IN),
                  () -> outer.add(inner, IN)));
      assertThat(results.get(1)).isIn(null, Errno.EBADF);
      assertThat(results.get(2)).isIn(null, Errno.EBADF);
      assertThat(results.get(3)).isNull();
      assertThat(watched.size() + inner.size()).as("round %d", round).isZero();
      assertThat(outer.size()).isEqualTo(2);
      assertThat(outer.awaitNow(new ReadyEvents(4))).as("nothing is left of it").isZero();
      inner.close();
    }
  }

  /** An inner poll is closed while it is added, and while a source is added to it. */
  @ParameterizedTest
  @EnumSource
  void aPollClosesWhileItIsAddedAndAddedTo(Topology kind) throws Exception {
    EventPoll outer = poll(kind, 500);
    EventPoll top = poll(kind, 500);
    top.add(outer, IN);
    for (int round = 0; round < ROUNDS; round++) {
      EventPoll inner = poll(kind, 500);
      EventFd source = EventFd.create();
      List<Errno> results =
          together(
              List.of(
                  () -> {
                    inner.close();
                    return null;
                  },
                  () -> outer.add(inner, IN),
                  () -> inner.add(source, IN)));
      assertThat(results.get(1)).isIn(null, Errno.EBADF);
      assertThat(results.get(2)).isIn(null, Errno.EBADF);
      assertThat(outer.size() + inner.size()).as("round %d", round).isZero();
      assertThat(source.waitQueue().hasEntries()).isFalse();
    }
  }

  // ---------------------------------------------------------------------------------- storm

  /** Everything at once; then the accounts are right, nobody is stranded and all is collected. */
  @ParameterizedTest
  @EnumSource
  void aStormLeavesNothingBehind(Topology kind) throws Exception {
    EventPoll top = poll(kind, 500);
    List<WeakReference<Object>> gone = new ArrayList<>();
    try (Waiters waiters = new Waiters()) {
      EventPoll middle = poll(kind, 500);
      Wait watcher = waiters.start("watcher", () -> awaitEventOf(middle, top));
      storm(kind, top, gone);
      assertThat(top.size()).isZero();
      Waiters.awaitAsleep(top, 1);
      EngineInvariants.check(top);
      top.add(middle, IN);
      EventPoll bottom = poll(kind, 500);
      middle.add(bottom, IN);
      EventFd source = EventFd.create();
      bottom.add(source, IN);
      source.tryWrite(1);
      assertThat(watcher.result()).as("it is not stranded").isEqualTo(IN);
    }
    Waiters.until(
        () -> {
          System.gc();
          return gone.stream().allMatch(one -> one.get() == null);
        },
        () -> "still reachable: " + gone.stream().filter(one -> one.get() != null).toList());
  }

  private static int awaitEventOf(EventPoll last, EventPoll top) throws InterruptedException {
    ReadyEvents events = new ReadyEvents(1);
    do {
      top.await(events);
    } while (events.source(0) != last);
    return events.events(0);
  }

  private void storm(Topology kind, EventPoll top, List<WeakReference<Object>> gone)
      throws Exception {
    for (int round = 0; round < 20; round++) {
      Storm storm = new Storm(kind, top, round);
      List<Callable<Object>> actors = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(round * 31L + i);
        actors.add(
            () -> {
              for (int step = 0; step < 300; step++) {
                storm.step(random);
              }
              return null;
            });
      }
      assertThat(together(actors)).containsOnlyNulls();
      storm.end(gone);
    }
  }

  /** Some polls in up to three levels, some sources, and what may be done with them. */
  private static final class Storm {
    private final EventPoll top;
    private final EventPoll[] polls = new EventPoll[6];
    private final EventFd[] sources = new EventFd[6];

    Storm(Topology kind, EventPoll top, int round) {
      this.top = top;
      for (int i = 0; i < polls.length; i++) {
        polls[i] = poll(kind, round % 2 == 0 ? 500 : 2);
        sources[i] = EventFd.create();
      }
    }

    private EventPoll poll(Topology kind, int paths) {
      return TopologyThreadsTest.poll(kind, paths);
    }

    void step(Random random) {
      EventPoll poll = polls[random.nextInt(polls.length)];
      Pollable source =
          random.nextInt(3) == 0
              ? polls[random.nextInt(polls.length)]
              : sources[random.nextInt(sources.length)];
      try {
        act(random.nextInt(100), poll, source);
      } catch (EventPollArgumentException e) {
        assertThat(e.errno()).isIn(Errno.EINVAL, Errno.ELOOP);
      } catch (EventPollStateException e) {
        assertThat(e.errno()).isIn(Errno.EEXIST, Errno.ENOENT, Errno.EBADF);
      }
    }

    private void act(int choice, EventPoll poll, Pollable source) {
      if (choice < 35) {
        int mode = choice < 15 ? 0 : choice < 25 ? Events.ET : choice < 30 ? Events.ONESHOT : 0;
        poll.add(source, choice < 30 || source instanceof EventPoll ? IN | mode : EXCLUSIVE);
      } else if (choice < 45) {
        write(sources[choice % sources.length]);
      } else if (choice < 75) {
        EpItem item = poll.find(source);
        if (item != null) {
          item.remove();
        }
      } else if (choice < 80) {
        top.add(poll, IN | Events.ET);
      } else if (choice < 84) {
        EpItem item = top.find(poll);
        if (item != null) {
          item.remove();
        }
      } else if (choice < 98) {
        poll.awaitNow(new ReadyEvents(2));
      } else if (source instanceof EventFd fd) {
        fd.close();
      } else {
        poll.close();
      }
    }

    private static void write(EventFd source) {
      try {
        source.tryWrite(1);
      } catch (IllegalStateException e) {
        assertThat(source.waitQueue().isClosed()).isTrue();
      }
    }

    /** Checks the accounts, and closes in turns: sources first or polls first. */
    void end(List<WeakReference<Object>> gone) {
      for (EventPoll poll : polls) {
        assertThat(poll.items()).hasSize(poll.size());
        EngineInvariants.check(poll);
        gone.add(new WeakReference<>(poll));
      }
      for (int i = 0; i < polls.length; i++) {
        gone.add(new WeakReference<>(sources[i]));
        if (i % 2 == 0) {
          sources[i].close();
        }
        polls[i].close();
        sources[i].close();
        assertThat(polls[i].size()).isZero();
      }
      for (EventFd source : sources) {
        assertThat(source.waitQueue().hasEntries()).isFalse();
      }
    }
  }
}
