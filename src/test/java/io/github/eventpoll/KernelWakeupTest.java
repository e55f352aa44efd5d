package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The threaded scenarios 9 to 58, and 64, of the kernel's own wake-up self-test, with the kernel's
 * counts: two threads wait, a third writes, and how many of the two get something is counted.
 *
 * <p>{@code ew} is await, {@code p} is poll(2) and after it a zero-timeout await. "main" as the
 * count stands for the kernel's 2|3: the first thread must get something, the other may. Where the
 * kernel waits a second for nothing more to happen, {@link Waiters#settle} sees it.
 */
@EveryPath
class KernelWakeupTest {
  private static final int ROUNDS = 8;

  @ParameterizedTest(name = "epoll{0}: {1} {2}, main {3}, waiter {4}: {5}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
           9 | one         | lt    | ew e0 1 | ew e0 1 | 2
          10 | one         | et    | ew e0 1 | ew e0 1 | 1
          11 | two         | lt    | ew e0 2 | ew e0 2 | 2
          12 | two         | et    | ew e0 1 | ew e0 1 | 2
          13 | one         | lt    | ew e0 1 | p  e0 1 | 2
          14 | one         | et    | ew e0 1 | p  e0 1 | 1
          15 | two         | lt    | ew e0 2 | p  e0 2 | 2
          16 | two         | et    | ew e0 1 | p  e0 1 | 2
          25 | nested      | lt/lt | ew e0 1 | ew e0 1 | 2
          26 | nested      | lt/et | ew e0 1 | ew e0 1 | 2
          27 | nested      | et/lt | ew e0 1 | ew e0 1 | 1
          28 | nested      | et/et | ew e0 1 | ew e0 1 | 1
          29 | nested      | lt/lt | ew e0 1 | p  e0 1 | 2
          30 | nested      | lt/et | ew e0 1 | p  e0 1 | 2
          31 | nested      | et/lt | ew e0 1 | p  e0 1 | 1
          32 | nested      | et/et | ew e0 1 | p  e0 1 | 1
          33 | nested      | lt/lt | ew e1 1 | ew e0 1 | 2
          34 | nested      | lt/et | ew e1 1 | ew e0 1 | main
          35 | nested      | et/lt | ew e1 1 | ew e0 1 | 2
          36 | nested      | et/et | ew e1 1 | ew e0 1 | main
          37 | nested      | lt/lt | p  e1 1 | ew e0 1 | 2
          38 | nested      | lt/et | p  e1 1 | ew e0 1 | main
          39 | nested      | et/lt | p  e1 1 | ew e0 1 | 2
          40 | nested      | et/et | p  e1 1 | ew e0 1 | main
          41 | nested      | lt/lt | ew e1 1 | p  e0 1 | 2
          42 | nested      | lt/et | ew e1 1 | p  e0 1 | main
          43 | nested      | et/lt | ew e1 1 | p  e0 1 | 2
          44 | nested      | et/et | ew e1 1 | p  e0 1 | main
          45 | nested      | lt/lt | p  e1 1 | p  e0 1 | 2
          46 | nested      | lt/et | ew e1 1 | p  e0 1 | main
          47 | nested      | et/lt | p  e1 1 | p  e0 1 | 2
          48 | nested      | et/et | ew e1 1 | p  e0 1 | main
          53 | two nested  | lt/lt | ew e0 1 | ew e0 1 | 2
          54 | two nested  | et/lt | ew e0 1 | ew e0 1 | 2
          55 | two nested  | lt/lt | ew e0 1 | p  e0 1 | 2
          56 | two nested  | et/lt | ew e0 1 | p  e0 1 | 2
          57 | two nested  | lt/lt | p  e0 1 | p  e0 1 | 2
          58 | two nested  | et/lt | p  e0 1 | p  e0 1 | 2
          64 | one         | lt    | ew e0 1 | ew e0 1 | 2
          """)
  void asManyThreadsAsInTheKernel(
      int number, String shape, String modes, String main, String waiter, String expected)
      throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      try (Net net = new Net(shape, modes);
          Waiters waiters = new Waiters()) {
        Wait first = net.start(waiters, main);
        Wait other = net.start(waiters, waiter);
        waiters.settle();
        net.write();
        waiters.settle();
        if (expected.equals("main")) {
          assertThat(first.result()).as("main").isEqualTo(1);
          assertThat(other.isDone() ? other.result() : 0).as("waiter").isBetween(0, 1);
        } else {
          assertThat(waiters.served()).isEqualTo(Integer.parseInt(expected));
        }
      }
    }
  }

  /** Polls and counters in one of the self-test's four shapes. */
  private static final class Net implements AutoCloseable {
    private final EventPoll e0 = Polls.create();
    private final EventPoll e1 = Polls.create();
    private final EventPoll e2 = Polls.create();
    private final List<EventFd> sources = new ArrayList<>();
    private final CountDownLatch written = new CountDownLatch(1);

    Net(String shape, String modes) {
      int outer = mode(modes.substring(0, 2));
      int inner = mode(modes.substring(modes.length() - 2));
      boolean nested = shape.endsWith("nested");
      addSource(nested ? e1 : e0, inner);
      if (shape.startsWith("two")) {
        addSource(nested ? e2 : e0, inner);
      }
      if (nested) {
        e0.add(e1, outer);
      }
      if (shape.equals("two nested")) {
        e0.add(e2, outer);
      }
    }

    private static int mode(String name) {
      return name.equals("et") ? Events.IN | Events.ET : Events.IN;
    }

    private void addSource(EventPoll to, int mask) {
      EventFd source = EventFd.create();
      sources.add(source);
      to.add(source, mask);
    }

    /** Starts a thread with one of the calls, as {@code ew e0 1} or {@code p e1 2}. */
    Wait start(Waiters waiters, String call) {
      String[] words = call.split(" +");
      EventPoll poll = words[1].equals("e0") ? e0 : e1;
      int max = Integer.parseInt(words[2]);
      if (words[0].equals("ew")) {
        return waiters.await(poll, max);
      }
      return waiters.start("poll", () -> pollThenTake(poll, max));
    }

    private int pollThenTake(EventPoll poll, int max) throws InterruptedException {
      EventPoll.awaitOne(poll, Events.IN, null);
      written.await(); // with two writes the first must not be all there is to take
      return Math.min(1, poll.awaitNow(new ReadyEvents(max)));
    }

    void write() {
      for (EventFd source : sources) {
        assertThat(source.tryWrite(1)).isTrue();
      }
      written.countDown();
    }

    @Override
    public void close() {
      e0.close();
      e1.close();
      e2.close();
    }
  }
}
