package io.github.eventpoll.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Public bug reports I-1 to I-37 of other event systems, lost events, as far as their sequence
 * needs one thread and sources in memory: each is replayed here and does not break.
 */
@EveryPath
class LostEventReportsTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final int IN_ONESHOT = Events.IN | Events.ONESHOT;

  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final EventFd fd = EventFd.create();

  @Test
  void i1_theSecondEventOfANestedPollReachesTheOuterOne() throws InterruptedException {
    EventPoll outer = time.poll();
    outer.add(poll, IN_ET, "inner");
    poll.add(fd, Events.IN);
    ReadyEvents ready = new ReadyEvents(4);
    for (int i = 0; i < 3; i++) {
      fd.tryWrite(1);
      assertThat(outer.await(ready)).isEqualTo(1);
      fd.tryRead();
    }
    assertThat(time.sleeps()).isZero();
  }

  @Test
  void i2_noDuplicatesFillALargeBatch() {
    for (int i = 0; i < 20; i++) {
      poll.add(EventFd.create(1), Events.IN, i);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(Taken.now(poll, 64)).hasSize(20).doesNotHaveDuplicates();
    }
  }

  @Test
  void i4_aBatchOfOneLosesNothing() {
    poll.add(EventFd.create(1), IN_ET, "a");
    poll.add(EventFd.create(1), IN_ET, "b");
    assertThat(Taken.now(poll, 1)).containsExactly("a IN");
    assertThat(Taken.now(poll, 1)).containsExactly("b IN");
    assertThat(Taken.now(poll, 1)).isEmpty();
  }

  @Test
  void i5_aPollWithSomethingLeftIsNotIdle() throws InterruptedException {
    EventPoll outer = time.poll();
    outer.add(poll, Events.IN, "inner");
    poll.add(EventFd.create(1), IN_ET, "a");
    poll.add(EventFd.create(1), IN_ET, "b");
    ReadyEvents one = new ReadyEvents(1);
    assertThat(poll.await(one)).isEqualTo(1);
    assertThat(poll.readiness()).isNotZero();
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(poll.await(one)).isEqualTo(1);
    assertThat(poll.readiness()).isZero();
    assertThat(time.sleeps()).isZero();
  }

  @Test
  void i7_modifyKeepsThePendingEvent() throws InterruptedException {
    EpItem item = poll.add(fd, IN_ET, "old");
    fd.tryWrite(1);
    item.modify(IN_ET, "new");
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.await(ready, Duration.ofMillis(100))).isEqualTo(1);
    assertThat(Taken.in(ready)).containsExactly("new IN");
    assertThat(time.passed()).isZero();
  }

  @Test
  void i8_s185_aSecondChunkRightAfterTheFirstIsAnEvent() {
    poll.add(fd, IN_ET, "fd");
    for (int round = 0; round < 200; round++) {
      fd.tryWrite(1);
      assertThat(Taken.now(poll)).containsExactly("fd IN");
      fd.tryRead();
      fd.tryWrite(1);
      assertThat(Taken.now(poll)).containsExactly("fd IN");
      fd.tryRead();
    }
  }

  @Test
  void i10_whatBecameUnreadyIsNotReportedAndNotKept() {
    EpItem item = poll.add(fd, IN_ET, "fd");
    fd.tryWrite(1);
    fd.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
  }

  @Test
  void i11_edgesDoNotToggle() {
    List<EventFd> fds = List.of(EventFd.create(), EventFd.create(), EventFd.create());
    for (int i = 0; i < 3; i++) {
      poll.add(fds.get(i), Events.OUT | Events.ET, i);
    }
    assertThat(Taken.now(poll)).containsExactly("0 OUT", "1 OUT", "2 OUT");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(Taken.now(poll)).isEmpty();
    fds.get(1).tryWrite(1); // key IN: no edge for OUT
    assertThat(Taken.now(poll)).isEmpty();
    fds.get(1).tryRead();
    assertThat(Taken.now(poll)).containsExactly("1 OUT");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void i13_whatWasThereBeforeAddIsReported() throws InterruptedException {
    fd.tryWrite(1);
    poll.add(fd, IN_ET, "fd");
    assertThat(poll.await(new ReadyEvents(4), Duration.ofSeconds(1))).isEqualTo(1);
    assertThat(time.passed()).isZero();
  }

  @Test
  void i14_aWriteWithoutAReadIsAnEvent() {
    poll.add(fd, IN_ET, "fd");
    for (int i = 0; i < 3; i++) {
      fd.tryWrite(1);
      assertThat(Taken.now(poll)).containsExactly("fd IN");
    }
  }

  @Test
  void i16_modifyReportsAgainUnderEdgeAndOneShotReportsOnce() {
    EpItem edge = poll.add(fd, IN_ET, "edge");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("edge IN");
    edge.modify(IN_ET);
    assertThat(Taken.now(poll)).containsExactly("edge IN");
    EpItem once = poll.add(fd, 1, IN_ONESHOT, "once");
    assertThat(Taken.now(poll)).containsExactly("once IN");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(Taken.now(poll)).isEmpty();
    once.modify(IN_ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("once IN");
  }

  @Test
  void i17_aWakerThatNobodyDrainsWorksMoreThanOnce() throws InterruptedException {
    poll.add(fd, IN_ET, "waker");
    ReadyEvents ready = new ReadyEvents(1);
    for (int i = 0; i < 3; i++) {
      fd.tryWrite(1);
      assertThat(poll.await(ready)).isEqualTo(1);
    }
    assertThat(fd.count()).isEqualTo(3);
    assertThat(time.sleeps()).isZero();
  }

  @Test
  void i19_waitsThatEndedGetNoWakeMeantForTheOuterPoll() throws InterruptedException {
    poll.add(fd, Events.IN);
    ReadyEvents ready = new ReadyEvents(1);
    for (int i = 0; i < 4; i++) {
      assertThat(poll.awaitNow(ready)).isZero();
      assertThat(poll.await(ready, Duration.ofMillis(10))).isZero();
    }
    EventPoll outer = time.poll();
    outer.add(poll, Events.IN, "inner");
    fd.tryWrite(1);
    assertThat(outer.await(ready, Duration.ofSeconds(1))).isEqualTo(1);
    assertThat(time.passed()).isEqualTo(40_000_000);
  }

  @Test
  void i37_severalNotificationsLeaveNoCreditBehind() throws InterruptedException {
    poll.add(fd, Events.IN);
    fd.tryWrite(1);
    fd.tryWrite(1);
    fd.tryWrite(1);
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.await(ready)).isEqualTo(1);
    fd.tryRead();
    assertThat(poll.await(ready, Duration.ofMillis(100))).isZero();
    assertThat(time.passed()).isEqualTo(100_000_000);
    assertThat(time.sleeps()).isEqualTo(1);
  }
}
