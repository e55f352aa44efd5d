package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios S151 to S155, and threads that block in the read and write of a counter. */
@EveryPath
class CounterThreadsTest {
  private static final long FULL = -2L; // 2^64 - 2, unsigned
  private static final Duration LONG = Duration.ofMinutes(10);

  private final EventFd counter = EventFd.create();

  // -------------------------------------------------------------------------------- blocking

  @Test
  @DisplayName("I-22: a reader that was woken and finds nothing waits on")
  void aReadWaitsForAWrite() {
    try (Waiters waiters = new Waiters()) {
      Wait read = waiters.start("read", () -> (int) counter.read());
      Wait timed = waiters.start("read timed", () -> (int) counter.read(LONG));
      Waiters.awaitAsleepOn(counter, 2);
      counter.tryWrite(0); // an edge that brings nothing
      waiters.settle();
      assertThat(waiters.returned()).isZero();
      counter.tryWrite(3);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      counter.tryWrite(4);
      assertThat(read.result() + timed.result()).isEqualTo(7);
    }
  }

  @Test
  void ofASemaphoreEachReaderGetsOne() {
    EventFd semaphore = EventFd.semaphore(0);
    try (Waiters waiters = new Waiters()) {
      for (int i = 0; i < 5; i++) {
        waiters.start("read", () -> (int) semaphore.read());
      }
      Waiters.awaitAsleepOn(semaphore, 5);
      semaphore.tryWrite(3);
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(3);
      semaphore.tryWrite(2);
      waiters.join();
      assertThat(semaphore.count()).isZero();
    }
  }

  @Test
  void aWriteWaitsForRoomForItsOwnValue() {
    counter.tryWrite(FULL);
    EventFd semaphore = EventFd.semaphore(0);
    semaphore.tryWrite(FULL);
    try (Waiters waiters = new Waiters()) {
      Wait big = waiters.start("write 2", () -> write(semaphore, 2));
      Waiters.awaitAsleepOn(semaphore, 1);
      semaphore.tryRead(); // room for 1: the counter is ready for OUT, this writer is not
      waiters.settle();
      assertThat(big.isDone()).isFalse();
      semaphore.tryRead();
      assertThat(big.result()).isEqualTo(1);
      assertThat(semaphore.count()).isEqualTo(FULL);
      Wait timed = waiters.start("write timed", () -> counter.write(5, LONG) ? 1 : 0);
      Waiters.awaitAsleepOn(counter, 1);
      counter.tryRead();
      assertThat(timed.result()).isEqualTo(1);
      assertThat(counter.count()).isEqualTo(5);
    }
  }

  @Test
  void closingEndsBlockedReadsAndWrites() {
    EventFd full = EventFd.create();
    full.tryWrite(FULL);
    try (Waiters waiters = new Waiters()) {
      Wait[] blocked = {
        waiters.start("read", () -> (int) counter.read()),
        waiters.start("read timed", () -> (int) counter.read(LONG)),
        waiters.start("write", () -> write(full, 1)),
        waiters.start("write timed", () -> full.write(1, LONG) ? 1 : 0)
      };
      Waiters.awaitAsleepOn(counter, 2);
      Waiters.awaitAsleepOn(full, 2);
      counter.close();
      full.close();
      for (Wait wait : blocked) {
        assertThat(wait.failure())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
      }
      assertThat(full.count()).isEqualTo(FULL);
    }
  }

  @Test
  void interruptsEndBlockedReadsAndWrites() {
    EventFd full = EventFd.create();
    full.tryWrite(FULL);
    try (Waiters waiters = new Waiters()) {
      Wait read = waiters.start("read", () -> (int) counter.read());
      Wait write = waiters.start("write", () -> write(full, 1));
      Waiters.awaitAsleepOn(counter, 1);
      Waiters.awaitAsleepOn(full, 1);
      read.thread.interrupt();
      write.thread.interrupt();
      assertThat(read.failure()).isInstanceOf(InterruptedException.class);
      assertThat(write.failure()).isInstanceOf(InterruptedException.class);
      assertThat(full.count()).isEqualTo(FULL);
      assertThat(Waiters.asleepOn(counter) + Waiters.asleepOn(full)).isZero();
    }
  }

  // ----------------------------------------------------------------------------------- exact

  @Test
  void s151_theSumIsExact() {
    int[] primes = IntStream.range(2, 1000).filter(CounterThreadsTest::isPrime).toArray();
    assertThat(primes).hasSize(168);
    int writes = 1000;
    long expected = IntStream.of(primes).asLongStream().sum() * writes;
    AtomicLong sum = new AtomicLong();
    try (Waiters waiters = new Waiters()) {
      for (int reader = 0; reader < 2; reader++) {
        waiters.start(
            "reader",
            () -> {
              for (; ; ) {
                long taken = counter.read();
                if (sum.addAndGet(taken) >= expected) {
                  counter.tryWrite(1); // so that the other reader ends, too
                  return 1;
                }
              }
            });
      }
      for (int prime : primes) {
        waiters.start(
            "writer",
            () -> {
              for (int i = 0; i < writes; i++) {
                counter.write(prime);
              }
              return 1;
            });
      }
      waiters.join();
    }
    // The reader that came second has taken the 1 of the first, and left its own.
    assertThat(sum.get() - 1).isEqualTo(expected);
    assertThat(counter.count()).isEqualTo(1);
  }

  private static boolean isPrime(int n) {
    return IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0);
  }

  @Test
  void s152_aSemaphoreIsExact() {
    EventFd semaphore = EventFd.semaphore(0);
    AtomicLong taken = new AtomicLong();
    try (Waiters waiters = new Waiters()) {
      for (int reader = 0; reader < 4; reader++) {
        waiters.start(
            "reader",
            () -> {
              try {
                for (; ; ) {
                  taken.addAndGet(semaphore.read());
                }
              } catch (IllegalStateException closed) {
                return 1;
              }
            });
      }
      for (int round = 1; round <= 1000; round++) {
        long all = round * 200L;
        semaphore.tryWrite(200);
        Waiters.until(() -> taken.get() >= all, () -> taken + " of " + all);
        assertThat(semaphore.tryRead()).isZero();
        assertThat(taken.get()).isEqualTo(all);
      }
      semaphore.close();
      waiters.join();
    }
  }

  /** Written before the counter, read after the event: plain on purpose. */
  private int plain;

  @Test
  void s154_s155_tenThousandRoundsLoseNoWakeAndPublishWhatWasWritten() {
    int rounds = Polls.rounds(10_000);
    EventFd answer = EventFd.create();
    EventPoll poll = Polls.create();
    poll.add(counter, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      Wait reader =
          waiters.start(
              "reader",
              () -> {
                ReadyEvents ready = new ReadyEvents(1);
                for (int round = 1; round <= rounds; round++) {
                  poll.await(ready);
                  if (plain != round || counter.tryRead() != 1) {
                    return round; // S155: what was written before is visible
                  }
                  answer.tryWrite(1);
                }
                return 0;
              });
      Wait writer =
          waiters.start(
              "writer",
              () -> {
                for (int round = 1; round <= rounds; round++) {
                  plain = round;
                  counter.tryWrite(1);
                  answer.read();
                }
                return 0;
              });
      assertThat(reader.result()).as("round that went wrong").isZero();
      assertThat(writer.result()).isZero();
    }
  }

  private static int write(EventFd to, long value) throws InterruptedException {
    to.write(value);
    return 1;
  }
}
