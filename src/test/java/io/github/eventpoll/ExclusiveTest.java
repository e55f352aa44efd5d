package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exclusive items of several polls on one source: who is woken, who only holds the event. */
@EveryPath
class ExclusiveTest {
  private static final int IN = Events.IN | Events.EXCLUSIVE;
  private static final int IN_ET = IN | Events.ET;
  private static final int OUT = Events.OUT | Events.EXCLUSIVE;

  private final EventFd source = EventFd.create();

  private static List<EventPoll> polls(int count) {
    return Stream.generate(Polls::create).limit(count).toList();
  }

  private List<EventPoll> watching(int count, int mask) {
    List<EventPoll> polls = polls(count);
    polls.forEach(poll -> poll.add(source, mask));
    return polls;
  }

  /** The places of the polls whose list is not empty. */
  private static List<Integer> holding(List<EventPoll> polls) {
    return IntStream.range(0, polls.size())
        .filter(i -> polls.get(i).path.available())
        .boxed()
        .toList();
  }

  // ----------------------------------------------------------------------- where the sleepers are

  @Test
  @DisplayName("KERNEL 3.3: with no sleeper anywhere every poll holds the event")
  void noSleepers_allHoldIt() {
    List<EventPoll> polls = watching(4, IN_ET);
    source.tryWrite(1);
    assertThat(holding(polls)).containsExactly(0, 1, 2, 3);
    ReadyEvents batch = new ReadyEvents(1);
    assertThat(polls).allMatch(poll -> poll.awaitNow(batch) == 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  @DisplayName(
      "S107: the only poll with a sleeper is found; those before hold it, those behind do not")
  void s107_oneSleeperAmongFivePolls(int at) {
    List<EventPoll> polls = watching(5, IN_ET);
    try (Waiters waiters = new Waiters()) {
      Wait wait = waiters.awaiting(polls.get(at), 1).get(0);
      source.tryWrite(1);
      assertThat(wait.source()).isSameAs(source);
      assertThat(holding(polls)).isEqualTo(IntStream.range(0, at).boxed().toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Events.ET})
  @DisplayName("KERNEL 3.3: sleepers on all of eight polls: the first registered alone gets it")
  void sleepersOnAll_theFirstGetsIt(int mode) {
    List<EventPoll> polls = watching(8, IN | mode);
    try (Waiters waiters = new Waiters()) {
      // The last poll's sleeper came last: registration decides, not arrival.
      List<Wait> waits = polls.stream().map(poll -> waiters.awaiting(poll, 1).get(0)).toList();
      source.tryWrite(1);
      waiters.settle();
      assertThat(waits.get(0).source()).isSameAs(source);
      assertThat(waiters.returned()).isEqualTo(1);
      assertThat(holding(polls.subList(1, 8))).as("untouched").isEmpty();
    }
  }

  @Test
  @DisplayName("KERNEL 3.3: no rotation: the first poll wins as long as it has a sleeper")
  void orderIsFixedByRegistration() {
    List<EventPoll> polls = watching(2, IN_ET);
    try (Waiters waiters = new Waiters()) {
      List<Wait> first = waiters.awaiting(polls.get(0), 2);
      List<Wait> other = waiters.awaiting(polls.get(1), 2);
      List<Wait> expected = List.of(first.get(1), first.get(0), other.get(1), other.get(0));
      for (int i = 0; i < 4; i++) {
        source.tryWrite(1);
        waiters.settle();
        assertThat(waiters.served()).isEqualTo(i + 1);
        assertThat(expected.get(i).source()).isSameAs(source);
      }
    }
  }

  @Test
  @DisplayName("LX: three writes wake three of eight")
  void threeWritesWakeThree() {
    List<EventPoll> polls = watching(8, IN_ET);
    try (Waiters waiters = new Waiters()) {
      polls.forEach(poll -> waiters.awaiting(poll, 1));
      for (int i = 0; i < 3; i++) {
        source.tryWrite(1);
        waiters.settle();
      }
      assertThat(waiters.returned()).isEqualTo(3);
    }
  }

  @Test
  void s106_threePlainAndFiveExclusive() {
    List<EventPoll> exclusive = new ArrayList<>(watching(2, IN_ET));
    List<EventPoll> plain = watching(3, Events.IN | Events.ET);
    exclusive.addAll(watching(3, IN_ET));
    try (Waiters waiters = new Waiters()) {
      List<Wait> one = exclusive.stream().map(poll -> waiters.awaiting(poll, 1).get(0)).toList();
      List<Wait> all = plain.stream().map(poll -> waiters.awaiting(poll, 1).get(0)).toList();
      source.tryWrite(1);
      waiters.settle();
      assertThat(all).allMatch(Wait::isDone);
      assertThat(one.stream().filter(Wait::isDone)).containsExactly(one.get(0));
    }
  }

  @Test
  @DisplayName("KERNEL 2.3: adding a source that is ready gives every exclusive poll the event")
  void addOfAReadySource_eachGetsIt() {
    source.tryWrite(1);
    List<EventPoll> polls = watching(3, IN_ET);
    ReadyEvents batch = new ReadyEvents(1);
    assertThat(polls).allMatch(poll -> poll.awaitNow(batch) == 1);
  }

  @Test
  @DisplayName("KERNEL 3.3: a poll that is only watched has no sleeper: the wake goes on")
  void watchedPollDoesNotConsume() {
    List<EventPoll> polls = watching(2, IN_ET);
    EventPoll outer = Polls.create();
    outer.add(polls.get(0), Events.IN);
    try (Waiters waiters = new Waiters()) {
      Wait watcher = waiters.awaiting(outer, 1).get(0);
      Wait behind = waiters.awaiting(polls.get(1), 1).get(0);
      source.tryWrite(1);
      assertThat(watcher.source()).isSameAs(polls.get(0));
      assertThat(behind.source()).isSameAs(source);
    }
  }

  // ------------------------------------------------------------------------------- keys and masks

  @Test
  @DisplayName("KERNEL 3.3: an OUT-only item in front does not swallow an IN wake")
  void outOnlyBeforeInOnly() {
    List<EventPoll> polls = polls(2);
    Bell bell = new Bell();
    polls.get(0).add(bell, OUT);
    polls.get(1).add(bell, IN);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(polls.get(0), 1);
      Wait reader = waiters.awaiting(polls.get(1), 1).get(0);
      bell.ring(Events.IN, Events.IN);
      waiters.settle();
      assertThat(reader.source()).isSameAs(bell);
      assertThat(waiters.returned()).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "key {0}: {1} of 3 woken")
  @CsvSource({"IN, 1", "OUT, 1", "IN|OUT, 3", "HUP, 1", "IN|HUP, 1", "IN|OUT|HUP, 3", "0, 1"})
  @DisplayName(
      "KERNEL 3.3: which keys use a wake up (items on IN|OUT, one sleeper in each of 3 polls)")
  void keys(String key, int woken) {
    List<EventPoll> polls = polls(3);
    Bell bell = new Bell();
    polls.forEach(poll -> poll.add(bell, IN | OUT | Events.ET));
    try (Waiters waiters = new Waiters()) {
      polls.forEach(poll -> waiters.awaiting(poll, 1));
      bell.ring(Events.IN | Events.OUT | Events.HUP, bits(key));
      waiters.settle();
      assertThat(waiters.returned()).isEqualTo(woken);
      assertThat(holding(polls)).isEmpty();
    }
  }

  private static int bits(String key) {
    return Stream.of(key.split("\\|"))
        .mapToInt(
            name ->
                switch (name) {
                  case "IN" -> Events.IN;
                  case "OUT" -> Events.OUT;
                  case "HUP" -> Events.HUP;
                  default -> 0;
                })
        .sum();
  }

  @Test
  @DisplayName("KERNEL 3.2: a pure direction that came with HUP alone wakes an item without it")
  void hupKeyWithDirectionNotWanted() {
    // Key IN|HUP for an OUT item: accepted because of HUP, woken, and not used up.
    List<EventPoll> polls = polls(2);
    Bell bell = new Bell();
    polls.get(0).add(bell, OUT);
    polls.get(1).add(bell, IN);
    try (Waiters waiters = new Waiters()) {
      polls.forEach(poll -> waiters.awaiting(poll, 1));
      bell.ring(Events.IN | Events.HUP, Events.IN | Events.HUP);
      waiters.join();
      assertThat(waiters.served()).isEqualTo(2);
    }
  }

  // --------------------------------------------------------------------------------------- races

  @Test
  @DisplayName("KR-14: an entry that was removed under the walk does not use the wake up")
  void kr14_deadEntryDoesNotEat() {
    Gate gate = Gate.at(Probe.Step.CALLBACK, 1);
    EventPoll first = gate.poll();
    EventPoll other = Polls.create();
    EpItem item = first.add(source, IN_ET);
    other.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(first, 1);
      Wait behind = waiters.awaiting(other, 1).get(0);
      Wait writer = waiters.start("writer", () -> source.tryWrite(1) ? 1 : 0);
      gate.awaitArrivals(1);
      item.remove();
      gate.open();
      assertThat(writer.result()).isEqualTo(1);
      assertThat(behind.source()).isSameAs(source);
      waiters.settle();
      assertThat(Waiters.asleep(first)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("KR-15: two writes that walk at once wake two, whoever they see asleep")
  void kr15_consumedByChoosingNotByLooking() throws Exception {
    for (int i = 0; i < Polls.rounds(300); i++) {
      List<EventPoll> polls = watching(2, IN_ET);
      CyclicBarrier start = new CyclicBarrier(2);
      try (Waiters waiters = new Waiters()) {
        Wait first = waiters.awaiting(polls.get(0), 1).get(0);
        Wait other = waiters.awaiting(polls.get(1), 1).get(0);
        for (int w = 0; w < 2; w++) {
          waiters.start("writer", () -> start.await() >= 0 && source.tryWrite(1) ? 1 : 0);
        }
        assertThat(first.source()).isSameAs(source);
        assertThat(other.source()).isSameAs(source);
      }
      polls.forEach(EventPoll::close);
      source.tryRead();
    }
  }

  /** A source whose state and keys are the test's. */
  private static final class Bell implements Pollable {
    private final WaitQueue queue = new WaitQueue();
    private volatile int state;

    void ring(int newState, int key) {
      state = newState;
      queue.wake(key);
    }

    @Override
    public int readiness() {
      return state;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
