package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads that wait on one poll: how many wake, which, and what each gets. */
@EveryPath
class WaitersTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final EventFd source = EventFd.create();
  private final EventFd second = EventFd.create();

  // ---------------------------------------------------------------------------- how many wake

  @Test
  void s100_edge_oneWriteWakesOneOfThree() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 3);
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
      assertThat(waiters.served()).isEqualTo(1);
    }
  }

  @Test
  void s101_edge_twoWritesWakeTwoOfThree() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 3);
      source.tryWrite(1);
      waiters.settle();
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(2);
      assertThat(waiters.returned()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("I-74: a level event nobody consumes wakes all, one after the other")
  void levelCascadeWakesAllOfThem() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 6);
      source.tryWrite(1);
      waiters.join();
      assertThat(waiters.served()).isEqualTo(6);
    }
  }

  @Test
  @DisplayName("I-74: an edge wakes one of eight, and a one-shot likewise")
  void edgeAndOneShotWakeOne() {
    for (int mode : new int[] {Events.ET, Events.ONESHOT}) {
      EpItem item = poll.add(source, Events.IN | mode);
      try (Waiters waiters = new Waiters()) {
        waiters.awaiting(poll, 8);
        source.tryWrite(1);
        waiters.settle();
        assertThat(waiters.returned()).isEqualTo(1);
      }
      source.tryRead();
      item.remove();
    }
  }

  @Test
  void oneShot_twoWritesWakeOne() {
    poll.add(source, Events.IN | Events.ONESHOT);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 3);
      source.tryWrite(1);
      waiters.settle();
      source.tryWrite(1);
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KERNEL 4.5: N edge sources wake N of M waiters with room for one event each")
  void fourEdgeSourcesWakeFourOfSix() {
    List<EventFd> sources = Stream.generate(EventFd::create).limit(4).toList();
    sources.forEach(each -> poll.add(each, IN_ET));
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 6);
      sources.forEach(each -> each.tryWrite(1));
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(4);
      assertThat(waits.stream().filter(Wait::isDone).map(Wait::source))
          .containsExactlyInAnyOrderElementsOf(sources);
    }
  }

  @Test
  @DisplayName("KERNEL 3.2: a write to an item that is queued already wakes one more")
  void everyWriteToAQueuedItemWakesAnother() {
    Gate gate = Gate.at(Probe.Step.LEFT, 3);
    EventPoll probed = gate.poll();
    probed.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(probed, 4);
      source.tryWrite(1);
      source.tryWrite(1);
      source.tryWrite(1);
      assertThat(probed.sleepers.snapshot()).as("three chosen, distinct, off the list").hasSize(1);
      gate.open();
      waiters.settle();
      assertThat(waiters.served()).as("the writes came together: one event").isEqualTo(1);
      assertThat(Waiters.asleep(probed)).isEqualTo(3);
    }
  }

  // --------------------------------------------------------------------------- which one wakes

  @Test
  @DisplayName("KERNEL 4.3: last come, first woken: 4 3 2 1 0")
  void lastComeFirstWoken() {
    poll.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> inOrderOfArrival = waiters.awaiting(poll, 5);
      List<Wait> woken = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        source.tryWrite(1);
        waiters.settle();
        inOrderOfArrival.stream()
            .filter(wait -> wait.isDone() && !woken.contains(wait))
            .forEach(woken::add);
      }
      Collections.reverse(woken);
      assertThat(woken).isEqualTo(inOrderOfArrival);
      assertThat(waiters.served()).isEqualTo(5);
    }
  }

  @Test
  void s109_twoSourcesTwoWaitersOneEventEach() {
    poll.add(source, IN_ET);
    poll.add(second, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 2);
      source.tryWrite(1);
      second.tryWrite(1);
      assertThat(Stream.of(waits.get(0).source(), waits.get(1).source()))
          .containsExactlyInAnyOrder(source, second);
    }
  }

  // ----------------------------------------------------------------------------- what they get

  @Test
  @DisplayName(
      "S103, I-22: the first drains at once; nobody fails, and nobody returns with nothing")
  void s103_levelReadersDrainAtOnce() {
    poll.add(source, Events.IN);
    try (Waiters waiters = new Waiters()) {
      List<Wait> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(waiters.start("reader", reader(1)));
      }
      waiters.settle();
      source.tryWrite(5);
      waiters.settle();
      assertThat(source.count()).isZero();
      assertThat(readers.stream().filter(Wait::isDone).mapToInt(Wait::result).sum()).isEqualTo(5);
      assertThat(readers.stream().filter(Wait::isDone)).allMatch(wait -> wait.result() > 0);
    }
  }

  /** Awaits until it has read something so many times; returns the sum. */
  private Callable<Integer> reader(int times) {
    return () -> {
      ReadyEvents batch = new ReadyEvents(1);
      int sum = 0;
      for (int read = 0; read < times; ) {
        assertThat(poll.await(batch)).isEqualTo(1);
        long taken = source.tryRead(); // 0 if another reader was faster
        sum += (int) taken;
        read += taken > 0 ? 1 : 0;
      }
      return sum;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Events.ET})
  void s104_oneWriteReachesEveryPoll(int mode) {
    List<EventPoll> polls = Stream.generate(Polls::create).limit(8).toList();
    polls.forEach(each -> each.add(source, Events.IN | mode));
    try (Waiters waiters = new Waiters()) {
      polls.forEach(each -> waiters.awaiting(each, 1));
      source.tryWrite(1);
      waiters.join();
      assertThat(waiters.served()).isEqualTo(8);
    }
  }

  @Test
  @DisplayName("S110, I-5: what a batch of one leaves behind stays ready")
  void s110_batchOfOneLeavesTheRestArmed() {
    poll.add(source, IN_ET);
    poll.add(second, IN_ET);
    source.tryWrite(1);
    second.tryWrite(1);
    ReadyEvents batch = new ReadyEvents(1);
    assertThat(poll.awaitNow(batch)).isEqualTo(1);
    assertThat(poll.readiness()).isEqualTo(Events.IN | Events.RDNORM);
    try (Waiters waiters = new Waiters()) {
      assertThat(waiters.await(poll).source()).isSameAs(second);
    }
    assertThat(poll.readiness()).isZero();
  }

  @Test
  void s112_tenPollsTenThreadsEach() {
    List<EventPoll> polls = Stream.generate(Polls::create).limit(10).toList();
    polls.forEach(each -> each.add(source, Events.IN));
    try (Waiters waiters = new Waiters()) {
      polls.forEach(each -> waiters.awaiting(each, 10));
      source.tryWrite(1);
      waiters.join();
      assertThat(waiters.served()).isEqualTo(100);
    }
  }

  @Test
  void s113_lateWaiterSeesTheState() {
    poll.add(source, Events.IN);
    source.tryWrite(1);
    try (Waiters waiters = new Waiters()) {
      assertThat(waiters.await(poll).result()).isEqualTo(1);
      source.tryRead();
      Wait late = waiters.await(poll);
      waiters.settle();
      assertThat(late.isDone()).as("the event was drained before it came").isFalse();
      assertThat(poll.awaitNow(new ReadyEvents(1))).isZero();
    }
  }

  @Test
  @DisplayName("I-37: notifications of the past do not end a later wait")
  void threeNotificationsOneDrainThenAFullWait() throws Exception {
    VirtualTime time = VirtualTime.create();
    EventPoll timed = Polls.on(time);
    timed.add(source, Events.IN);
    source.tryWrite(1);
    source.tryWrite(1);
    source.tryWrite(1);
    assertThat(timed.await(new ReadyEvents(1))).isEqualTo(1);
    source.tryRead();
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.await(timed, Duration.ofMillis(100));
      Waiters.awaitAsleep(timed, 1);
      time.advance(Duration.ofMillis(99));
      waiters.settle();
      assertThat(wait.isDone()).isFalse();
      time.advance(Duration.ofMillis(1));
      assertThat(wait.result()).isZero();
    }
  }

  // ------------------------------------------------------------------------ registering meanwhile

  @Test
  @DisplayName("S028, I-20: adding a ready source wakes a thread that waits already")
  void s028_addOfAReadySourceWakes() {
    source.tryWrite(1);
    try (Waiters waiters = new Waiters()) {
      List<Wait> waits = waiters.awaiting(poll, 2);
      poll.add(source, IN_ET);
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
      assertThat(waits.get(1).source()).as("last come").isSameAs(source);
    }
  }

  @Test
  @DisplayName("S029, I-20: modifying to what the source is ready for wakes")
  void s029_modifyToReadyWakes() {
    source.tryWrite(1);
    EpItem item = poll.add(source, 0);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(poll, 2);
      item.modify(IN_ET);
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
      item.modify(IN_ET); // an event of its own: queued anew, so somebody is woken anew
      waiters.join();
      assertThat(waiters.served()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("epoll60: every thread its own event, a hundred rounds")
  void epoll60_tenEdgesTenThreads() throws Exception {
    int threads = 10;
    int rounds = 100;
    List<EventFd> sources = Stream.generate(EventFd::create).limit(threads).toList();
    sources.forEach(each -> poll.add(each, IN_ET));
    CyclicBarrier round = new CyclicBarrier(threads + 1);
    try (Waiters waiters = new Waiters()) {
      for (int i = 0; i < threads; i++) {
        waiters.start("taker", () -> takeOneEachRound(rounds, round));
      }
      for (int i = 0; i < rounds; i++) {
        Waiters.awaitAsleep(poll, threads);
        sources.forEach(each -> each.tryWrite(1));
        round.await(Waiters.FAIL_SAFE.toSeconds(), TimeUnit.SECONDS);
      }
      waiters.join();
    }
    assertThat(sources).allMatch(each -> each.count() == 0);
  }

  private int takeOneEachRound(int rounds, CyclicBarrier round) throws Exception {
    ReadyEvents batch = new ReadyEvents(1);
    for (int i = 0; i < rounds; i++) {
      assertThat(poll.await(batch)).isEqualTo(1);
      assertThat(((EventFd) batch.source(0)).tryRead()).isEqualTo(1);
      round.await();
    }
    return rounds;
  }
}
