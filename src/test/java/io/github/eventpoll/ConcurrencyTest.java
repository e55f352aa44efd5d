package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whole programs of several threads on one or two polls, with an exact result. */
@EveryPath
class ConcurrencyTest {
  private final EventPoll poll = Polls.create();
  private final EventFd source = EventFd.create();

  @Test
  @DisplayName("S055, I-43: two polls watch one source one-shot; each re-arms after each event")
  void s055_oneShotPingPong() throws Exception {
    int rounds = Polls.rounds(3000);
    Semaphore taken = new Semaphore(0);
    EventFd end = EventFd.create();
    try (Waiters waiters = new Waiters()) {
      for (int w = 0; w < 2; w++) {
        EventPoll own = Polls.create();
        EpItem item = own.add(source, Events.IN | Events.ONESHOT);
        own.add(end, Events.IN);
        waiters.start(
            "worker",
            () -> {
              ReadyEvents batch = new ReadyEvents(1);
              while (own.await(batch) == 1 && batch.source(0) != end) {
                if (source.tryRead() == 1) {
                  taken.release();
                }
                item.modify(Events.IN | Events.ONESHOT);
              }
              return 1;
            });
      }
      for (int i = 0; i < rounds; i++) {
        source.tryWrite(1);
        assertThat(taken.tryAcquire(Waiters.FAIL_SAFE.toSeconds(), TimeUnit.SECONDS))
            .as("round %s", i)
            .isTrue();
      }
      end.tryWrite(1);
      waiters.join();
    }
  }

  @Test
  @DisplayName(
      "S182: 200 events of one source are seen while others come, change and go 20 000 times")
  void s182_controlDuringWaits() throws Exception {
    int fires = 200;
    int changes = Polls.rounds(10_000);
    Semaphore seen = new Semaphore(0);
    poll.add(source, Events.IN);
    AtomicInteger changing = new AtomicInteger(2);
    try (Waiters waiters = new Waiters()) {
      Wait waiter =
          waiters.start(
              "waiter",
              () -> {
                ReadyEvents batch = new ReadyEvents(3);
                int stable = 0;
                while (stable < fires) {
                  int taken = poll.await(batch);
                  for (int i = 0; i < taken; i++) {
                    if (batch.source(i) == source && source.tryRead() == 1) {
                      stable++;
                      seen.release();
                    }
                  }
                }
                return stable;
              });
      for (int c = 0; c < 2; c++) {
        waiters.start("changer", () -> change(changes, changing));
      }
      for (int i = 0; i < fires; i++) {
        source.tryWrite(1);
        seen.acquire();
      }
      assertThat(waiter.result()).isEqualTo(fires);
      waiters.join();
      assertThat(poll.size()).isEqualTo(1);
    }
  }

  private int change(int changes, AtomicInteger changing) {
    EventFd[] own = {EventFd.create(1), EventFd.create(), EventFd.create(1)};
    for (int i = 0; i < changes; i++) {
      EpItem item = poll.add(own[i % 3], i % 2 == 0 ? Events.IN : 0);
      item.modify(Events.IN | Events.OUT | Events.ET);
      item.remove();
    }
    return changing.decrementAndGet() >= 0 ? changes : 0;
  }

  @Test
  @DisplayName("I-101: every event carries the attachment of its own source, four waiters")
  void i101_attachments() {
    int sources = 8;
    int writes = Polls.rounds(20_000);
    List<EventFd> counters = IntStream.range(0, sources).mapToObj(i -> EventFd.create()).toList();
    counters.forEach(each -> poll.add(each, Events.IN | Events.ET, new Object[] {each}));
    EventFd end = EventFd.create();
    poll.add(end, Events.IN, new Object[] {end});
    AtomicLong sum = new AtomicLong();
    try (Waiters waiters = new Waiters()) {
      for (int w = 0; w < 4; w++) {
        waiters.start("waiter", () -> takeUntilTheEnd(end, sum, 2L * writes));
      }
      for (int p = 0; p < 2; p++) {
        int start = p * 3;
        waiters.start(
            "writer",
            () -> {
              for (int i = 0; i < writes; i++) {
                counters.get((start + i) % sources).tryWrite(1);
              }
              return writes;
            });
      }
      waiters.join();
      assertThat(sum.get()).isEqualTo(2L * writes);
    }
  }

  private int takeUntilTheEnd(EventFd end, AtomicLong sum, long all) throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(2);
    for (; ; ) {
      int taken = poll.await(batch);
      assertThat(taken).isPositive();
      for (int i = 0; i < taken; i++) {
        EventFd from = (EventFd) batch.source(i);
        assertThat(((Object[]) batch.attachment(i))[0]).isSameAs(from);
        if (from == end) {
          return 1;
        }
        if (sum.addAndGet(from.tryRead()) == all) {
          end.tryWrite(1);
        }
      }
    }
  }

  @Test
  @DisplayName("S193: two threads send and receive crosswise over two queues of one place each")
  void s193_crosswise() {
    QueueSource<Integer> one = QueueSource.bounded(1);
    QueueSource<Integer> two = QueueSource.bounded(1);
    int elements = Polls.rounds(5000);
    try (Waiters waiters = new Waiters()) {
      Wait first = waiters.start("first", () -> exchange(one, two, elements));
      Wait other = waiters.start("other", () -> exchange(two, one, elements));
      assertThat(first.result()).isEqualTo(elements);
      assertThat(other.result()).isEqualTo(elements);
    }
  }

  /** Sends so many elements and receives what comes, in whatever order is possible. */
  private static int exchange(QueueSource<Integer> to, QueueSource<Integer> from, int elements)
      throws InterruptedException {
    ReadyEvents batch = new ReadyEvents(2);
    int sent = 0;
    int received = 0;
    try (EventPoll own = Polls.create()) {
      EpItem sending = own.add(to, Events.OUT);
      own.add(from, Events.IN);
      for (boolean ended = false; !ended || sent < elements; ) {
        int taken = own.await(batch);
        for (int i = 0; i < taken; i++) {
          if (batch.source(i) == from) {
            received += from.poll() == null ? 0 : 1;
            ended = (batch.events(i) & Events.HUP) != 0;
          } else if (sent < elements && to.offer(sent)) {
            sent++;
            if (sent == elements) {
              sending.remove();
              to.close();
            }
          }
        }
      }
    }
    return received;
  }

  @Test
  @DisplayName("S190, I-92: what was added and removed is not kept, however much it was")
  void s190_nothingIsKept() throws Exception {
    List<WeakReference<Object>> sample = addAndRemove(30_000);
    assertThat(poll.size()).isZero();
    assertThat(poll.items()).isEmpty();
    Waiters.until(
        () -> {
          System.gc();
          return sample.stream().allMatch(reference -> reference.get() == null);
        },
        () -> "all collected");
    poll.add(source, Events.IN);
    source.tryWrite(1);
    assertThat(poll.awaitNow(new ReadyEvents(1))).isEqualTo(1);
  }

  private List<WeakReference<Object>> addAndRemove(int count) {
    List<WeakReference<Object>> sample = new ArrayList<>();
    List<EpItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EventFd added = EventFd.create(i % 2);
      Object attachment = new Object();
      items.add(poll.add(added, Events.IN | (i % 3 == 0 ? Events.ET : 0), attachment));
      if (i % 100 == 0) {
        sample.add(new WeakReference<>(added));
        sample.add(new WeakReference<>(attachment));
        sample.add(new WeakReference<>(items.get(i)));
      }
    }
    poll.awaitNow(new ReadyEvents(count / 4)); // some in a batch, some queued, some neither
    items.forEach(EpItem::remove);
    return sample;
  }
}
