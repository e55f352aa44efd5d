package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was observed on Linux 6.18, as far as one thread and sources in memory can show it. */
@EveryPath
class GoldenConstantsTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final EventFd fd = EventFd.create();

  @Test
  void depthBuiltFromTheInsideFivePollsAndNoSixth() {
    EventPoll below = time.poll();
    below.add(fd, Events.IN);
    for (int polls = 2; polls <= 5; polls++) {
      EventPoll next = time.poll();
      next.add(below, Events.IN);
      below = next;
    }
    EventPoll fifth = below;
    refused(Errno.ELOOP, () -> poll.add(fifth, Events.IN));
    fd.tryWrite(1);
    assertThat(Taken.now(fifth)).hasSize(1);
  }

  @Test
  void depthBuiltFromTheOutsideFourEdgesAndNoFifth() {
    EventPoll above = poll;
    for (int edges = 1; edges <= 4; edges++) {
      EventPoll next = time.poll();
      above.add(next, Events.IN);
      above = next;
    }
    EventPoll last = above;
    refused(Errno.ELOOP, () -> last.add(time.poll(), Events.IN));
    last.add(fd, Events.IN);
  }

  @Test
  void anyNumberOfPollsMayWatchOneSourceDirectly() {
    for (int i = 0; i < 1100; i++) {
      time.poll().add(fd, Events.IN);
    }
    poll.add(fd, Events.IN, "fd");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @ParameterizedTest
  @ValueSource(ints = {Events.ONESHOT, Events.RDHUP, Events.PRI, Events.RDNORM, Events.MSG})
  void exclusiveDoesNotGoWith(int bit) {
    refused(
        Errno.EINVAL,
        () -> poll.add(fd, Events.IN | Events.EXCLUSIVE | bit),
        "EXCLUSIVE does not go with " + Events.toString(bit));
    assertThat(poll.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Events.ET, Events.WAKEUP, Events.OUT, Events.ERR, Events.HUP, 0x1d})
  void exclusiveGoesWith(int bits) {
    EpItem item = poll.add(fd, Events.EXCLUSIVE | bits);
    assertThat(item.interest()).isEqualTo(Events.EXCLUSIVE | bits | Events.ERR | Events.HUP);
  }

  @Test
  void exclusiveIsRefusedForPollsAndInModify() {
    refused(Errno.EINVAL, () -> poll.add(time.poll(), Events.IN | Events.EXCLUSIVE), "EXCLUSIVE");
    EpItem plain = poll.add(EventFd.create(), Events.IN);
    refused(Errno.EINVAL, () -> plain.modify(Events.IN | Events.EXCLUSIVE), "EXCLUSIVE", plain);
    EpItem exclusive = poll.add(fd, Events.IN | Events.EXCLUSIVE);
    refused(Errno.EINVAL, () -> exclusive.modify(Events.IN), "exclusive", exclusive);
    refused(Errno.EINVAL, () -> exclusive.modify(Events.IN | Events.EXCLUSIVE));
    assertThat(exclusive.interest()).isNotZero();
  }

  @Test
  void aWriteOfZeroIsAnEdgeThatShowsThePresentState() {
    poll.add(fd, IN_ET | Events.OUT, "fd");
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    fd.tryWrite(2);
    assertThat(Taken.now(poll)).containsExactly("fd IN|OUT");
    fd.tryWrite(0);
    assertThat(Taken.now(poll)).containsExactly("fd IN|OUT");
    fd.tryRead();
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    fd.tryWrite(0);
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
  }

  @Test
  void aWriteOfZeroToAnEmptyCounterIsDroppedByAnItemForInOnly() {
    EpItem item = poll.add(fd, IN_ET, "fd");
    fd.tryWrite(0);
    assertThat(item.isQueued()).isTrue();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void theAttachmentOfAQueuedItemIsReplaced() {
    fd.tryWrite(1);
    EpItem item = poll.add(fd, Events.IN, "old");
    item.modify(Events.IN, "new");
    assertThat(Taken.now(poll)).containsExactly("new IN");
    item.modify(Events.IN);
    assertThat(item.attachment()).isEqualTo("new");
    item.modify(Events.IN, null);
    assertThat(item.attachment()).isNull();
  }

  @Test
  void rotationOfFiveThroughBatchesOfTwo() {
    for (int i = 0; i < 5; i++) {
      poll.add(EventFd.create(1), Events.IN, i);
    }
    List<List<String>> batches = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      batches.add(Taken.now(poll, 2));
    }
    assertThat(batches)
        .containsExactly(
            List.of("0 IN", "1 IN"),
            List.of("2 IN", "3 IN"),
            List.of("4 IN", "0 IN"),
            List.of("1 IN", "2 IN"),
            List.of("3 IN", "4 IN"),
            List.of("0 IN", "1 IN"));
  }

  @Test
  void edgesComeInTheOrderOfActivation() {
    List<EventFd> fds = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      fds.add(EventFd.create());
      poll.add(fds.get(i), IN_ET, i);
    }
    for (int i : new int[] {3, 1, 4, 0, 2}) {
      fds.get(i).tryWrite(1);
    }
    assertThat(Taken.now(poll)).containsExactly("3 IN", "1 IN", "4 IN", "0 IN", "2 IN");
  }

  @Test
  void anInnerPollWithTwoEdgesOfWhichOneIsTaken() {
    EventPoll inner = time.poll();
    inner.add(EventFd.create(1), IN_ET, "a");
    inner.add(EventFd.create(1), IN_ET, "b");
    EventPoll level = time.poll();
    poll.add(inner, IN_ET, "inner");
    level.add(inner, Events.IN, "inner");
    assertThat(Taken.now(poll)).containsExactly("inner IN");
    assertThat(Taken.now(inner, 1)).containsExactly("a IN");
    assertThat(Taken.now(poll)).as("no new edge").isEmpty();
    assertThat(Taken.now(level)).as("still ready").containsExactly("inner IN");
  }

  @Test
  void modifyingAStillQueuedSourceOfTheInnerPollIsNoEdge() {
    EventPoll inner = time.poll();
    poll.add(inner, IN_ET, "inner");
    EpItem item = inner.add(EventFd.create(1), Events.IN);
    assertThat(Taken.now(poll)).containsExactly("inner IN");
    item.modify(Events.IN);
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void hangUpIsReportedWithMaskZeroAtEachWait() {
    FakeSource pipe = FakeSource.ready("pipe", Events.IN);
    EpItem item = poll.add(pipe, Events.IN);
    item.modify(0);
    pipe.become(Events.HUP | Events.IN);
    for (int i = 0; i < 3; i++) {
      assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    }
  }

  @Test
  void batchSizes() {
    for (int refused : new int[] {0, -1, Integer.MIN_VALUE, 178_956_971, Integer.MAX_VALUE}) {
      refused(Errno.EINVAL, () -> new ReadyEvents(refused), refused, "178956970");
    }
    assertThat(new ReadyEvents(178_956_970).capacity()).isEqualTo(178_956_970);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -2, Integer.MIN_VALUE, Long.MIN_VALUE})
  void negativeTimesDoNotWait(long nanos) throws InterruptedException {
    // A decision of this library: in the kernel they wait for ever.
    ReadyEvents ready = new ReadyEvents(1);
    assertThat(poll.awaitNanos(ready, nanos)).isZero();
    assertThat(poll.await(ready, Duration.ofNanos(nanos))).isZero();
    assertThat(poll.await(ready, Duration.ofSeconds(Math.min(nanos, 0)))).isZero();
    assertThat(poll.awaitUninterruptibly(ready, Duration.ofNanos(nanos))).isZero();
    assertThat(time.sleeps()).isZero();
    fd.tryWrite(1);
    poll.add(fd, Events.IN);
    assertThat(poll.awaitNanos(ready, nanos)).isEqualTo(1);
  }

  @Test
  void oneNanosecondIsWaitedOut() throws InterruptedException {
    assertThat(poll.awaitNanos(new ReadyEvents(1), 1)).isZero();
    assertThat(time.passed()).isEqualTo(1);
  }
}
