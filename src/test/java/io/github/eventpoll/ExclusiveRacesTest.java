package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * KR-18, at random: while a source wakes the first of three exclusive polls, something takes that
 * poll or its waiter away. Two other waiters sleep: one of them, or the first, gets the event.
 */
@EveryPath
class ExclusiveRacesTest {
  private static final int IN_ET = Events.IN | Events.EXCLUSIVE | Events.ET;
  private static final int ROUNDS = 150;

  /** What happens to the first poll. */
  enum Mishap {
    ITEM_REMOVED {
      @Override
      void happen(Round round) {
        round.polls.get(0).find(round.source).remove();
      }
    },
    POLL_CLOSED {
      @Override
      void happen(Round round) {
        round.polls.get(0).close();
      }
    },
    WAITER_INTERRUPTED {
      @Override
      void happen(Round round) {
        round.waits.get(0).thread.interrupt();
      }
    },
    WAITER_TIMED_OUT {
      @Override
      void happen(Round round) {
        round.time.advance(Duration.ofMillis(10));
      }
    },
    OTHER_ITEM_REMOVED {
      @Override
      void happen(Round round) {
        round.polls.get(1).find(round.source).remove();
      }
    };

    abstract void happen(Round round);
  }

  private static final class Round implements AutoCloseable {
    final VirtualTime time = VirtualTime.create();
    final EventFd source = EventFd.create();
    final List<EventPoll> polls = Stream.generate(time::poll).limit(3).toList();
    final Waiters waiters = new Waiters();
    final List<Wait> waits;

    Round() {
      polls.forEach(poll -> poll.add(source, IN_ET));
      waits =
          List.of(
              waiters.start("first", () -> served(polls.get(0), Duration.ofMillis(10))),
              waiters.start("second", () -> served(polls.get(1), Duration.ofDays(1))),
              waiters.start("third", () -> served(polls.get(2), Duration.ofDays(1))));
      polls.forEach(poll -> Waiters.awaitAsleep(poll, 1));
    }

    private static int served(EventPoll poll, Duration limit) {
      try {
        return poll.await(new ReadyEvents(1), limit);
      } catch (InterruptedException | ClosedEventPollException e) {
        return 0;
      }
    }

    @Override
    public void close() {
      waiters.close();
      polls.forEach(EventPoll::close);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-18: somebody gets it")
  void kr18_somebodyGetsIt(Mishap mishap) {
    CyclicBarrier start = new CyclicBarrier(2);
    for (int i = 0; i < Polls.rounds(ROUNDS); i++) {
      try (Round round = new Round()) {
        Wait writer =
            round.waiters.start(
                "writer", () -> start.await() >= 0 && round.source.tryWrite(1) ? 0 : -1);
        Wait other =
            round.waiters.start(
                "mishap",
                () -> {
                  start.await();
                  mishap.happen(round);
                  return 0;
                });
        writer.result();
        other.result();
        if (mishap == Mishap.WAITER_INTERRUPTED || mishap == Mishap.WAITER_TIMED_OUT) {
          round.waits.get(0).result(); // was unparked from outside: settle cannot see it
        }
        round.waiters.settle();
        assertThat(round.waiters.served()).isPositive();
      }
    }
  }
}
