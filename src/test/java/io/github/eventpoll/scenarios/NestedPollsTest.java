package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios S083 to S097: polls that watch polls. */
@EveryPath
class NestedPollsTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final SoloTime time = new SoloTime();
  private final EventPoll outer = time.poll();
  private final EventPoll inner = time.poll();
  private final EventFd a = EventFd.create();

  @Test
  void s083_theInnerPollIsAskedAgain() {
    inner.add(a, Events.IN);
    EpItem nested = outer.add(inner, Events.IN, "inner");
    a.tryWrite(1);
    assertThat(nested.isQueued()).isTrue();
    a.tryRead();
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(nested.isQueued()).isFalse();
    assertThat(inner.dump()).contains("0 queued"); // asking prunes
  }

  @Test
  void s085_anEdgeTriggeredOuterPoll() {
    inner.add(a, Events.IN, "a");
    outer.add(inner, IN_ET, "inner");
    a.tryWrite(1);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(Taken.now(inner)).containsExactly("a IN");
    assertThat(Taken.now(outer)).isEmpty();
    a.tryWrite(1);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
  }

  @Test
  void s086_aLevelTriggeredOuterPollSeesWhatIsLeft() {
    inner.add(a, IN_ET, "a");
    inner.add(EventFd.create(1), IN_ET, "b");
    outer.add(inner, Events.IN, "inner");
    a.tryWrite(1);
    assertThat(Taken.now(inner, 1)).hasSize(1);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(inner, 1)).hasSize(1);
    assertThat(Taken.now(outer)).isEmpty();
  }

  @Test
  void s088_anIdleInnerPollIsNoEvent() {
    inner.add(a, Events.IN);
    EventPoll watchesOuter = time.poll();
    watchesOuter.add(outer, IN_ET);
    EpItem nested = outer.add(inner, Events.IN);
    assertThat(nested.isQueued()).isFalse();
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(Taken.now(watchesOuter)).isEmpty();
  }

  @Test
  void s089_addingAReadySourceToTheInnerPollIsAnEdge() {
    outer.add(inner, IN_ET, "inner");
    assertThat(Taken.now(outer)).isEmpty();
    a.tryWrite(1);
    inner.add(a, Events.IN);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(outer)).isEmpty();
  }

  @Test
  void s091_aClosedInnerPollLeaves() {
    inner.add(a, Events.IN);
    EpItem nested = outer.add(inner, Events.IN, "inner");
    a.tryWrite(1);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    inner.close();
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(outer.size()).isZero();
    assertThat(nested.isValid()).isFalse();
  }

  @Test
  void s092_waitsOnTheInnerPollLeaveNothingBehind() throws InterruptedException {
    inner.add(a, Events.IN);
    ReadyEvents ready = new ReadyEvents(4);
    for (int i = 0; i < 4; i++) {
      assertThat(inner.awaitNow(ready)).isZero();
      assertThat(inner.await(ready, Duration.ofMillis(10))).isZero();
    }
    assertThat(time.passed()).isEqualTo(40_000_000);
    outer.add(inner, IN_ET, "inner");
    for (int i = 0; i < 2; i++) {
      a.tryWrite(1);
      assertThat(outer.await(ready, Duration.ofSeconds(1))).isEqualTo(1);
    }
    assertThat(time.passed()).as("no sleep in between").isEqualTo(40_000_000);
  }

  @Test
  void s094_fiveInARowAndNotOneMore() {
    EventPoll[] polls = chain(5);
    EventPoll sixth = time.poll();
    refused(Errno.ELOOP, () -> sixth.add(polls[0], Events.IN), sixth, polls[0], "more than 5");
    refused(Errno.ELOOP, () -> polls[4].add(sixth, Events.IN), sixth, polls[4], "more than 5");
    assertThat(sixth.size()).isZero();
    polls[4].add(a, Events.IN);
    a.tryWrite(1);
    assertThat(Taken.now(polls[0])).hasSize(1);
    // a link shorter, the sixth fits
    polls[3].find(polls[4]).remove();
    sixth.add(polls[0], Events.IN, "chain");
    assertThat(Taken.now(sixth)).isEmpty();
    polls[3].add(a, Events.IN);
    assertThat(Taken.now(sixth)).containsExactly("chain IN");
  }

  /** Polls of which each watches the next. */
  private EventPoll[] chain(int length) {
    EventPoll[] polls =
        IntStream.range(0, length).mapToObj(i -> time.poll()).toArray(EventPoll[]::new);
    for (int i = 0; i + 1 < length; i++) {
      polls[i].add(polls[i + 1], Events.IN);
    }
    return polls;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void s095_circlesAreRefusedAndTheRestWorksOn(int length) {
    EventPoll[] polls = chain(length);
    EventPoll last = polls[length - 1];
    refused(Errno.ELOOP, () -> last.add(polls[0], Events.IN), last, polls[0], "watches");
    assertThat(last.size()).isZero();
    last.add(a, Events.IN);
    a.tryWrite(1);
    assertThat(Taken.now(polls[0])).hasSize(1);
    a.tryRead();
    assertThat(Taken.now(polls[0])).isEmpty();
  }

  @Test
  void s097_ofTwoOppositeAdditionsExactlyOneSucceeds() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      CyclicBarrier start = new CyclicBarrier(2);
      for (int round = 0; round < 1000; round++) {
        EventPoll p = Polls.create();
        EventPoll q = Polls.create();
        Future<Boolean> there = threads.submit(adds(start, p, q));
        Future<Boolean> back = threads.submit(adds(start, q, p));
        boolean first = there.get(30, TimeUnit.SECONDS);
        assertThat(back.get(30, TimeUnit.SECONDS)).as("round %d", round).isEqualTo(!first);
        assertThat(p.size() + q.size()).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Boolean> adds(CyclicBarrier start, EventPoll to, EventPoll what) {
    return () -> {
      start.await(30, TimeUnit.SECONDS);
      try {
        to.add(what, Events.IN);
        return true;
      } catch (EventPollArgumentException e) {
        assertThat(e.errno()).isEqualTo(Errno.ELOOP);
        return false;
      }
    };
  }
}
