package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The scenarios of the kernel's wake-up self-test that repeat a race many times: 59, 60, 61 and 65,
 * with a hundredth of the rounds. With {@code -Dwakeup.full=true} each has the kernel's number of
 * rounds, for every callback path.
 */
@EveryPath
class KernelWakeupLongTest {
  private static final int ONE_IN = Boolean.getBoolean("wakeup.full") ? 1 : 100;
  private static final int EDGE = Events.IN | Events.ET;

  /** So that no batch of rounds comes near the fail-safe limit. */
  private static final int BATCH = 1000;

  @Test
  void epoll59_rearmedByAnotherThread() {
    try (EventPoll poll = Polls.create()) {
      EpItem item = poll.add(EventFd.create(1), EDGE | Events.ERR);
      for (int left = 100_000 / ONE_IN; left > 0; left -= BATCH) {
        int rounds = Math.min(left, BATCH);
        Semaphore turn = new Semaphore(0);
        try (Waiters waiters = new Waiters()) {
          waiters.start("taker", () -> takeAndPass(poll, rounds, turn));
          waiters.start("rearmer", () -> rearm(item, rounds, turn));
          waiters.join();
        }
      }
    }
  }

  private static int takeAndPass(EventPoll poll, int rounds, Semaphore turn) throws Exception {
    ReadyEvents batch = new ReadyEvents(1);
    for (int i = 0; i < rounds; i++) {
      assertThat(poll.await(batch, Waiters.FAIL_SAFE)).isEqualTo(1);
      turn.release();
    }
    return rounds;
  }

  private static int rearm(EpItem item, int rounds, Semaphore turn) throws Exception {
    for (int i = 0; i < rounds; i++) {
      turn.acquire();
      item.modify(EDGE | Events.ERR);
    }
    return rounds;
  }

  @Test
  void epoll60_tenEdgesTenThreads() throws Exception {
    int threads = 10;
    List<EventFd> sources = Stream.generate(EventFd::create).limit(threads).toList();
    try (EventPoll poll = Polls.create()) {
      sources.forEach(source -> poll.add(source, EDGE));
      for (int i = 0; i < Math.max(5, 300 / ONE_IN); i++) {
        try (Waiters waiters = new Waiters()) {
          for (int t = 0; t < threads; t++) {
            waiters.start("taker", () -> takeOne(poll));
          }
          Waiters.awaitAsleep(poll, threads);
          sources.forEach(source -> source.tryWrite(1));
          waiters.join();
        }
        assertThat(sources).allMatch(source -> source.count() == 0);
      }
    }
  }

  private static int takeOne(EventPoll poll) throws Exception {
    ReadyEvents batch = new ReadyEvents(1);
    assertThat(poll.await(batch)).isEqualTo(1);
    assertThat(((EventFd) batch.source(0)).tryRead()).isEqualTo(1);
    return 1;
  }

  /** One waits for ever, one for 11 ms, and something happens when these are just over. */
  @Test
  void epoll61_timeoutAtTheMomentOfTheEvent() throws Exception {
    VirtualTime time = VirtualTime.create();
    EventFd source = EventFd.create();
    try (EventPoll poll = Polls.on(time)) {
      poll.add(source, EDGE);
      for (int i = 0; i < Math.max(10, 1000 / ONE_IN); i++) {
        CyclicBarrier start = new CyclicBarrier(2);
        try (Waiters waiters = new Waiters()) {
          Wait endless = waiters.awaiting(poll, 1).get(0);
          Wait timed = waiters.await(poll, Duration.ofMillis(11));
          Waiters.awaitAsleep(poll, 2);
          waiters.start("writer", () -> start.await() >= 0 && source.tryWrite(1) ? 1 : 0);
          waiters.start(
              "clock",
              () -> {
                start.await();
                time.advance(Duration.ofMillis(11));
                return 1;
              });
          if (timed.result() == 1) {
            source.tryWrite(1);
          }
          assertThat(endless.result()).isEqualTo(1);
          waiters.join();
        }
      }
    }
  }

  /** A source that is always ready is found by every wait, whatever the others are doing. */
  @Test
  void epoll65_zeroTimeouts() {
    try (EventPoll poll = Polls.create()) {
      poll.add(EventFd.create(99), Events.IN);
      for (int left = 100_000 / ONE_IN; left > 0; left -= BATCH) {
        int rounds = Math.min(left, BATCH);
        try (Waiters waiters = new Waiters()) {
          for (int t = 0; t < 64; t++) {
            waiters.start("asker", () -> askAgainAndAgain(poll, rounds));
          }
          waiters.join();
        }
      }
    }
  }

  private static int askAgainAndAgain(EventPoll poll, int rounds) throws Exception {
    ReadyEvents batch = new ReadyEvents(1);
    for (int i = 0; i < rounds; i++) {
      assertThat(poll.await(batch, Duration.ZERO)).isEqualTo(1);
    }
    return rounds;
  }
}
