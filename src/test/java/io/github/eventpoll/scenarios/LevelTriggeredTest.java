package io.github.eventpoll.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Scenarios S019 to S032: level-triggered readiness. */
@EveryPath
class LevelTriggeredTest {
  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final EventFd fd = EventFd.create();

  @Test
  void s019_everythingWritableIsReported() {
    for (int i = 0; i < 3; i++) {
      poll.add(EventFd.create(), Events.IN | Events.OUT, i);
    }
    assertThat(Taken.now(poll)).containsExactly("0 OUT", "1 OUT", "2 OUT");
  }

  @Test
  void s020_theOneThatIsReadableTooSaysSo() {
    poll.add(EventFd.create(), Events.IN | Events.OUT, 0);
    poll.add(EventFd.create(), Events.IN | Events.OUT, 1);
    poll.add(fd, Events.IN | Events.OUT, 2);
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("0 OUT", "1 OUT", "2 IN|OUT");
  }

  @Test
  void s022_maskZeroReportsNothingUntilModified() {
    fd.tryWrite(1);
    EpItem item = poll.add(fd, 0, "fd");
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @Test
  void s023_stateIsTakenAtDelivery() {
    poll.add(fd, Events.IN, "fd");
    fd.tryWrite(1);
    fd.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s025_readyIsReportedAgainAndAgain() throws InterruptedException {
    poll.add(fd, Events.IN, "fd");
    fd.tryWrite(1);
    ReadyEvents ready = new ReadyEvents(4);
    for (int i = 0; i < 3; i++) {
      assertThat(poll.await(ready)).isEqualTo(1);
      assertThat(Taken.in(ready)).containsExactly("fd IN");
    }
    assertThat(time.sleeps()).isZero();
  }

  @Test
  void s026_whatIsUnreadyAgainIsNotReportedAndLeavesTheReadyList() {
    EpItem item = poll.add(fd, Events.IN, "fd");
    fd.tryWrite(1);
    assertThat(item.isQueued()).isTrue();
    fd.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
    assertThat(poll.dump()).contains("0 queued");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @Test
  void s028_addingAReadySourceWakesAWaiter() throws Exception {
    EventPoll shared = Polls.create();
    SleepingWaiter waiter = SleepingWaiter.on(shared);
    fd.tryWrite(1);
    shared.add(fd, Events.IN, "fd");
    assertThat(waiter.events()).containsExactly("fd IN");
  }

  @Test
  void s029_modifyingToReadyWakesAWaiter() throws Exception {
    EventPoll shared = Polls.create();
    fd.tryWrite(1);
    EpItem item = shared.add(fd, 0, "fd");
    SleepingWaiter waiter = SleepingWaiter.on(shared);
    item.modify(Events.IN);
    assertThat(waiter.events()).containsExactly("fd IN");
  }

  @Test
  void s031_anEmptyPollTimesOutAndNeverEarly() throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.await(ready, Duration.ofMillis(100))).isZero();
    assertThat(time.passed()).isEqualTo(100_000_000);
  }

  @Test
  void s032_aSourceThatIsNeverReadyCostsNothing() throws InterruptedException {
    FakeSource never = FakeSource.idle("never");
    poll.add(never, Events.IN);
    int asked = never.asked();
    assertThat(poll.await(new ReadyEvents(4), Duration.ofMillis(50))).isZero();
    assertThat(never.asked()).isEqualTo(asked);
    assertThat(time.sleeps()).isEqualTo(1);
    assertThat(time.passed()).isEqualTo(50_000_000);
  }
}
