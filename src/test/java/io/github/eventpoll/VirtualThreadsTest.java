package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Virtual threads as waiters and as signallers; skipped where Java has none. */
@EveryPath
class VirtualThreadsTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final EventFd source = EventFd.create();

  @BeforeEach
  void needsVirtualThreads() {
    assumeTrue(VirtualThreads.exist(), () -> "no virtual threads in Java " + Runtime.version());
  }

  @Test
  void aThousandWaiters_eachAnEventOfItsOwn() {
    int threads = 1000;
    List<EventFd> sources = Stream.generate(EventFd::create).limit(threads).toList();
    sources.forEach(each -> poll.add(each, IN_ET));
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      List<Wait> waits = Stream.generate(() -> waiters.await(poll)).limit(threads).toList();
      Waiters.awaitAsleep(poll, threads);
      try (Waiters writers = new Waiters(VirtualThreads.factory())) {
        sources.forEach(each -> writers.start("writer", () -> each.tryWrite(1) ? 1 : 0));
        writers.join();
      }
      assertThat(waits.stream().map(Wait::source)).containsExactlyInAnyOrderElementsOf(sources);
    }
  }

  @Test
  @DisplayName("KERNEL 4.5: the level cascade through 200 virtual and 10 platform threads")
  void cascade() {
    poll.add(source, Events.IN);
    try (Waiters virtual = new Waiters(VirtualThreads.factory());
        Waiters platform = new Waiters()) {
      for (int i = 0; i < 10; i++) {
        platform.await(poll);
        for (int j = 0; j < 20; j++) {
          virtual.await(poll);
        }
      }
      Waiters.awaitAsleep(poll, 210);
      source.tryWrite(1);
      virtual.join();
      platform.join();
      assertThat(virtual.served() + platform.served()).isEqualTo(210);
    }
  }

  @Test
  void edgeWakesOne_lastComeFirst() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      List<Wait> waits = waiters.awaiting(poll, 4);
      for (int i = 3; i >= 0; i--) {
        source.tryWrite(1);
        assertThat(waits.get(i).source()).isSameAs(source);
        waiters.settle();
        assertThat(waiters.returned()).isEqualTo(4 - i);
      }
    }
  }

  @Test
  void interrupts() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      Wait wait = waiters.awaiting(poll, 1).get(0);
      Wait one = waiters.awaitOne(source, Events.IN, null);
      Waiters.awaitAsleepOn(source, 1);
      wait.thread.interrupt();
      one.thread.interrupt();
      assertThat(wait.failure()).isInstanceOf(InterruptedException.class);
      assertThat(one.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(poll.sleepers.snapshot()).isEmpty();
  }

  @Test
  @DisplayName("I-40: a timed wait that races its event, then an endless one, again and again")
  void i40_timedThenEndless() {
    int rounds = 2000;
    poll.add(source, IN_ET);
    EventFd taken = EventFd.create();
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      Wait waiter =
          waiters.start(
              "waiter",
              () -> {
                ReadyEvents batch = new ReadyEvents(1);
                for (int i = 0; i < rounds; i++) {
                  if (poll.await(batch, Duration.ofNanos(1_000 * (i % 100))) == 0) {
                    poll.await(batch);
                  }
                  source.tryRead();
                  taken.tryWrite(1);
                }
                return rounds;
              });
      Random random = new Random(40);
      waiters.start(
          "notifier",
          () -> {
            for (int i = 0; i < rounds; i++) {
              for (int spin = random.nextInt(20_000); spin > 0; spin--) {
                Thread.onSpinWait();
              }
              source.tryWrite(1);
              taken.read();
            }
            return rounds;
          });
      assertThat(waiter.result()).isEqualTo(rounds);
      waiters.join();
    }
  }

  @Test
  void timersAndTimeouts_onTheRealClock() {
    Timer timer = Timer.create();
    poll.add(timer, Events.IN);
    try (Waiters waiters = new Waiters(VirtualThreads.factory())) {
      for (int i = 0; i < 20; i++) {
        timer.set(Duration.ofMillis(1));
        assertThat(waiters.await(poll).source()).isSameAs(timer);
        timer.disarm();
        assertThat(waiters.await(poll, Duration.ofMillis(1)).result()).isZero();
      }
    }
  }
}
