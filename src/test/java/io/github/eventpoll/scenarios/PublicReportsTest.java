package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Public bug reports from I-41 on: identity, spinning, leaks, as far as their sequence needs one
 * thread and sources in memory: each is replayed here and does not break.
 */
@EveryPath
class PublicReportsTest {
  private static final int IN_ET = Events.IN | Events.ET;
  private static final int IN_ONESHOT = Events.IN | Events.ONESHOT;

  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final EventFd fd = EventFd.create();

  // --------------------------------------------------------------------- identity, stale events

  @Test
  void i41_afterCloseTheNextSourceCanBeAdded() {
    for (int i = 0; i < 100; i++) {
      EventFd next = EventFd.create(1);
      poll.add(next, Events.IN, "the same attachment");
      assertThat(Taken.now(poll)).containsExactly("the same attachment IN");
      next.close();
    }
    assertThat(poll.size()).isZero();
  }

  @Test
  void i43_removeAndAddRightAfterAOneShotEventWithTwoPolls() {
    EventPoll second = time.poll();
    EpItem item = poll.add(fd, IN_ONESHOT, "first");
    second.add(fd, IN_ONESHOT, "second");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("first IN");
    item.remove();
    fd.tryRead();
    poll.add(fd, IN_ONESHOT, "again");
    assertThat(Taken.now(poll)).isEmpty();
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("again IN");
    assertThat(Taken.now(second)).containsExactly("second IN");
  }

  @Test
  void i44_aOneShotThatFiredAndWasRemovedEndsNoLaterWait() throws InterruptedException {
    EpItem item = poll.add(fd, Events.IN | Events.OUT | Events.ONESHOT);
    assertThat(Taken.now(poll)).hasSize(1);
    item.remove();
    poll.add(EventFd.create(), Events.IN);
    fd.tryWrite(1);
    assertThat(poll.await(new ReadyEvents(4), Duration.ofSeconds(1))).isZero();
    assertThat(time.passed()).isEqualTo(1_000_000_000);
  }

  @Test
  void i46_i50_anEventOfAnEndedSourceIsNotGivenToItsSuccessor() {
    EventFd other = EventFd.create(1);
    fd.tryWrite(1);
    poll.add(fd, Events.IN, "a");
    poll.add(other, Events.IN, "slot 7");
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
    other.close();
    EventFd successor = EventFd.create();
    EpItem fresh = poll.add(successor, Events.IN, "slot 7");
    assertThat(ready.item(1).isValid()).isFalse();
    assertThat(ready.item(1)).isNotSameAs(fresh);
    assertThat(Taken.now(poll)).containsExactly("a IN");
  }

  @Test
  void i47_aStaleEventTakesNothingElseWithIt() {
    EventFd stale = EventFd.create(1);
    EpItem itemOfStale = poll.add(stale, IN_ET, "stale");
    fd.tryWrite(1);
    poll.add(fd, IN_ET, "timer");
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
    itemOfStale.remove();
    List<Object> handled = new ArrayList<>();
    for (int i = 0; i < ready.size(); i++) {
      if (ready.item(i).isValid()) {
        handled.add(ready.attachment(i));
      }
    }
    assertThat(handled).containsExactly("timer");
  }

  @Test
  void i49_openStartCloseOpenAgain() {
    for (int i = 0; i < 1000; i++) {
      EventFd one = EventFd.create();
      EpItem item = poll.add(one, Events.IN, i);
      one.tryWrite(1);
      if (i % 2 == 0) {
        one.close();
      } else {
        item.remove();
      }
      EventFd two = EventFd.create();
      poll.add(two, Events.IN, -i);
      assertThat(Taken.now(poll)).isEmpty();
      two.tryWrite(1);
      assertThat(Taken.now(poll)).containsExactly(-i + " IN");
      two.close();
    }
    assertThat(poll.size()).isZero();
  }

  @Test
  void i61_closedSourcesAreNotReported() {
    fd.tryWrite(1);
    poll.add(fd, Events.IN);
    fd.close();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(poll.size()).isZero();
  }

  // -------------------------------------------------------------------------------------- spinning

  @Test
  void i65_hangUpWithMaskZeroIsReportedAndCanBeStopped() throws InterruptedException {
    // As in Linux it cannot be masked; what ends it is EDGE, ONESHOT or remove.
    FakeSource pipe = FakeSource.ready("pipe", Events.HUP);
    EpItem item = poll.add(pipe, 0);
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    item.modify(Events.ET);
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.await(ready, Duration.ofMillis(1))).isZero();
    item.modify(Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    assertThat(poll.await(ready, Duration.ofMillis(1))).isZero();
    assertThat(time.sleeps()).isEqualTo(2);
  }

  @Test
  void i68_afterRemoveAndCloseAWaitBlocks() throws InterruptedException {
    EventFd other = EventFd.create(1);
    fd.tryWrite(1);
    EpItem item = poll.add(fd, Events.IN);
    poll.add(other, Events.IN);
    assertThat(Taken.now(poll)).hasSize(2);
    item.remove();
    other.close();
    assertThat(poll.await(new ReadyEvents(4), Duration.ofMillis(10))).isZero();
    assertThat(time.sleeps()).isEqualTo(1);
    assertThat(time.passed()).isEqualTo(10_000_000);
  }

  @Test
  void i71_removeAddRemoveInOneGo() throws InterruptedException {
    EpItem first = poll.add(fd, Events.IN, "first");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).hasSize(1);
    first.remove();
    EpItem second = poll.add(fd, Events.IN, "second");
    second.remove();
    fd.tryWrite(1);
    assertThat(poll.await(new ReadyEvents(4), Duration.ofMillis(10))).isZero();
    assertThat(time.sleeps()).isEqualTo(1);
    refused(Errno.ENOENT, second::remove);
  }

  @Test
  void i73_fractionsOfAMillisecondAreNeitherLostNorRoundedUp() throws InterruptedException {
    Timer timer = time.timer();
    poll.add(timer, Events.IN, "timer");
    timer.set(Duration.ofNanos(400_000));
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.await(ready)).isEqualTo(1);
    assertThat(time.passed()).isEqualTo(400_000);
    assertThat(time.sleeps()).isEqualTo(1);
    timer.tryRead();
    assertThat(poll.awaitNanos(ready, 400_000)).isZero();
    assertThat(time.passed()).isEqualTo(800_000);
    assertThat(time.sleeps()).isEqualTo(2);
  }

  @Test
  void i76_unhandledErrorsLeaveRoomForTheRest() {
    for (int i = 0; i < 64; i++) {
      poll.add(FakeSource.ready("broken", Events.ERR), Events.IN);
    }
    fd.tryWrite(1);
    poll.add(fd, Events.IN, "fd");
    List<String> events = new ArrayList<>(Taken.now(poll, 64));
    events.addAll(Taken.now(poll, 64));
    assertThat(events).contains("fd IN");
  }

  @Test
  void i77_theFirstDoNotStarveTheRest() {
    for (int i = 0; i < 3; i++) {
      poll.add(EventFd.create(1), Events.IN, i);
    }
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      events.addAll(Taken.now(poll, 1));
    }
    assertThat(events).containsExactly("0 IN", "1 IN", "2 IN", "0 IN", "1 IN", "2 IN");
  }

  @Test
  void i79_oneOfTwoMessagesReadIsALevelButNoEdge() {
    EventFd messages = EventFd.semaphore(2);
    EventPoll edge = time.poll();
    poll.add(messages, Events.IN, "level");
    edge.add(messages, IN_ET, "edge");
    assertThat(Taken.now(edge)).containsExactly("edge IN");
    messages.tryRead();
    assertThat(Taken.now(edge)).isEmpty();
    assertThat(Taken.now(poll)).containsExactly("level IN");
    messages.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
  }

  // --------------------------------------------------------------------------------- leaks, misc.

  @Test
  void i94_aFiredOneShotThatIsRemovedCanStillBeNotified() {
    EpItem item = poll.add(fd, IN_ONESHOT);
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).hasSize(1);
    item.remove();
    fd.tryWrite(1);
    fd.tryRead();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(poll.size()).isZero();
  }

  @Test
  void i95_removingOneOfTwoEdgeItemsLeavesTheOtherEdgeTriggered() {
    EpItem in = poll.add(fd, 0, IN_ET, "in");
    EpItem out = poll.add(fd, 1, Events.OUT | Events.ET, "out");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("in IN", "out OUT");
    out.remove();
    assertThat(in.interest()).isEqualTo(IN_ET | Events.ERR | Events.HUP);
    assertThat(Taken.now(poll)).isEmpty();
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("in IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void i98_aSourceThatCannotBeAskedIsNotSilentlyRegistered() {
    FakeSource broken = FakeSource.idle("broken");
    IllegalStateException thrown = new IllegalStateException("cannot subscribe");
    broken.failWith(thrown);
    assertThat(catchThrowable(() -> poll.add(broken, Events.IN))).isSameAs(thrown);
    assertThat(poll.size()).isZero();
    broken.failWith(null);
    poll.add(broken, Events.IN);
    broken.become(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("broken IN");
  }

  @Test
  void i100_addDoesNotChangeTheSource() {
    EventFd semaphore = EventFd.semaphore(2);
    poll.add(semaphore, Events.IN);
    assertThat(semaphore.tryRead()).isEqualTo(1);
    assertThat(semaphore.count()).isEqualTo(1);
    assertThat(semaphore.traits()).isEqualTo(EventFd.create().traits());
  }

  @Test
  void i103_sendingAndReceivingOnOneQueueDoesNotRecurse() {
    QueueSource<Integer> channel = QueueSource.bounded(1);
    EpItem receive = poll.add(channel, 1, Events.IN, "receive");
    EpItem send = poll.add(channel, 2, Events.OUT, "send");
    List<Integer> received = new ArrayList<>();
    int sent = 0;
    ReadyEvents ready = new ReadyEvents(1);
    while (received.size() < 20_000) {
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      if (ready.item(0) == send) {
        assertThat(channel.offer(sent++)).isTrue();
      } else {
        received.add(channel.poll());
      }
    }
    assertThat(received).isSorted().doesNotHaveDuplicates().doesNotContainNull();
    channel.close();
    assertThat(Taken.now(poll)).contains("receive HUP");
    assertThat(channel.poll()).isNull();
    assertThat(receive.isValid()).as("closed for sending, and drained").isTrue();
  }

  @Test
  void i106_s208_aWaitOnAnEmptyPollThatNothingCanEndShowsInTheDump() throws Exception {
    // As in Linux it blocks; dump() tells why, and wakeup() or close() ends it.
    EventPoll empty = Polls.create();
    SleepingWaiter waiter = SleepingWaiter.on(empty);
    assertThat(empty.dump()).contains("0 items", "1 waiters", "sleeping-waiter parked");
    empty.wakeup();
    assertThat(waiter.events()).isEmpty();
  }
}
