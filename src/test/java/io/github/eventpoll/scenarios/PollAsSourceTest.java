package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** KERNEL-SEMANTICS §5.1, and the tests of §8 that need one thread: a poll as a source. */
@EveryPath
class PollAsSourceTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final FakeSource a = FakeSource.idle("a");
  private final FakeSource b = FakeSource.idle("b");

  @Test
  void askingConsumesNothing() {
    poll.add(a, IN_ET);
    a.become(Events.IN);
    for (int i = 0; i < 3; i++) {
      assertThat(poll.readiness()).isEqualTo(Events.IN | Events.RDNORM);
    }
    assertThat(Taken.now(poll)).containsExactly("a IN");
    assertThat(poll.readiness()).isZero();
  }

  @Test
  void askingStopsAtTheFirstReadyItemAndKeepsTheOrder() {
    poll.add(a, IN_ET);
    poll.add(b, IN_ET);
    a.become(Events.IN);
    b.become(Events.IN);
    int asked = b.asked();
    assertThat(poll.readiness()).isNotZero();
    assertThat(b.asked()).isEqualTo(asked);
    assertThat(Taken.now(poll)).containsExactly("a IN", "b IN");
  }

  @Test
  void askingPrunesWhatIsStale() {
    poll.add(a, Events.IN);
    poll.add(b, Events.IN);
    a.become(Events.IN);
    b.become(Events.IN);
    a.set(0);
    assertThat(poll.readiness()).isNotZero();
    assertThat(poll.find(a).isQueued()).isFalse();
    assertThat(poll.find(b).isQueued()).isTrue();
    b.set(0);
    assertThat(poll.readiness()).isZero();
    assertThat(poll.dump()).contains("0 queued");
  }

  @Test
  void anIdleOrClosedPollIsReadyForNothing() {
    assertThat(poll.readiness()).isZero();
    poll.add(a, Events.IN);
    a.become(Events.IN);
    poll.close();
    assertThat(poll.readiness()).isZero();
    refused(Errno.EBADF, () -> Polls.create().add(poll, Events.IN), poll, "closed");
    refused(Errno.EBADF, () -> EventPoll.awaitOne(poll, Events.IN, Duration.ZERO), poll, "closed");
  }

  @Test
  void theOuterEventIsAtMostInAndRdnorm() {
    EventPoll outer = Polls.create();
    outer.add(poll, 0x7fff & ~0x1820 & ~0x4000, "inner");
    poll.add(a, Events.OUT | Events.PRI);
    a.become(Events.OUT | Events.PRI | Events.HUP | Events.ERR);
    assertThat(Taken.now(outer)).containsExactly("inner IN|RDNORM");
  }

  @Test
  void anEdgeInsideStaysReadyForALevelOutsideUntilItIsTaken() {
    EventPoll outer = Polls.create();
    outer.add(poll, Events.IN, "inner");
    poll.add(a, IN_ET);
    a.become(Events.IN);
    assertThat(Taken.now(outer)).hasSize(1);
    assertThat(Taken.now(outer)).hasSize(1);
    assertThat(Taken.now(poll)).containsExactly("a IN");
    assertThat(Taken.now(outer)).isEmpty();
  }

  @Test
  void everyInnerCallbackIsAnEdgeOutside() {
    EventPoll outer = Polls.create();
    outer.add(poll, IN_ET, "inner");
    poll.add(a, Events.IN);
    poll.add(b, Events.IN);
    a.become(Events.IN);
    assertThat(Taken.now(outer)).hasSize(1);
    b.become(Events.IN);
    assertThat(Taken.now(outer)).hasSize(1);
    a.ring(Events.IN);
    assertThat(Taken.now(outer)).hasSize(1);
    assertThat(Taken.now(outer)).isEmpty();
  }

  @Test
  void aDiamondDeliversOncePerWay() {
    EventPoll outer = Polls.create();
    EventPoll left = Polls.create();
    EventPoll right = Polls.create();
    left.add(poll, Events.IN, "poll");
    right.add(poll, Events.IN, "poll");
    outer.add(left, Events.IN, "left");
    outer.add(right, Events.IN, "right");
    poll.add(a, Events.IN);
    a.become(Events.IN);
    assertThat(Taken.now(outer)).containsExactlyInAnyOrder("left IN", "right IN");
    a.set(0);
    assertThat(Taken.now(outer)).isEmpty();
    assertThat(Taken.now(left)).isEmpty();
  }

  @Test
  void theDepthRuleCountsBothSidesOfANewEdge() {
    // 2 + 1 + 2 edges are refused, 1 + 1 + 2 accepted, in every order of building.
    EventPoll[] upper = chain(3);
    EventPoll[] lower = chain(3);
    refused(Errno.ELOOP, () -> upper[2].add(lower[0], Events.IN));
    EventPoll[] shorter = chain(2);
    shorter[1].add(lower[0], Events.IN);
    refused(Errno.ELOOP, () -> lower[2].add(Polls.create(), Events.IN));
    refused(Errno.ELOOP, () -> Polls.create().add(shorter[0], Events.IN));
  }

  @Test
  void manyShortWaysThroughOneNodeAreCheckedInTime() {
    // f2e467a48287: 4 levels of 40 polls, each watching all of the next level.
    List<EventPoll> level = Stream.generate(Polls::create).limit(40).toList();
    for (int depth = 1; depth < 4; depth++) {
      List<EventPoll> below = Stream.generate(Polls::create).limit(40).toList();
      level.forEach(above -> below.forEach(each -> above.add(each, Events.IN)));
      level = below;
    }
    EventPoll last = level.get(0);
    last.add(poll, Events.IN);
    refused(Errno.ELOOP, () -> poll.add(Polls.create(), Events.IN));
  }

  private static EventPoll[] chain(int length) {
    EventPoll[] polls = Stream.generate(Polls::create).limit(length).toArray(EventPoll[]::new);
    for (int i = 0; i + 1 < length; i++) {
      polls[i].add(polls[i + 1], Events.IN);
    }
    return polls;
  }

  // --------------------------------------------------- epoll_wakeup_test.c, sequential programs

  @TestFactory
  Stream<DynamicTest> kernelSelfTestsWithOneThread() {
    return Stream.of(
        flat("1", 0, 1, "ew ew", 1, 1),
        flat("2", Events.ET, 1, "ew ew", 1, 0),
        flat("3", 0, 2, "ew ew", 2, 2),
        flat("4", Events.ET, 2, "ew ew", 2, 0),
        flat("5", 0, 1, "p ew p ew", 1, 1, 1, 1),
        flat("6", Events.ET, 1, "p ew p ew", 1, 1, 0, 0),
        flat("7", 0, 2, "p ew p ew", 1, 2, 1, 2),
        flat("8", Events.ET, 2, "p ew p ew", 1, 2, 0, 0),
        nested("17", 0, 0, "ew ew", 1, 1),
        nested("18", 0, Events.ET, "ew ew", 1, 1),
        nested("19", Events.ET, 0, "ew ew", 1, 0),
        nested("20", Events.ET, Events.ET, "ew ew", 1, 0),
        nested("21", 0, 0, "p ew p ew", 1, 1, 1, 1),
        nested("22", 0, Events.ET, "p ew p ew", 1, 1, 1, 1),
        nested("23", Events.ET, 0, "p ew p ew", 1, 1, 0, 0),
        nested("24", Events.ET, Events.ET, "p ew p ew", 1, 1, 0, 0),
        twoInner("49", 0, "ew ew", 2, 2),
        twoInner("50", Events.ET, "ew ew", 2, 0),
        twoInner("51", 0, "p ew p ew", 1, 2, 1, 2),
        twoInner("52", Events.ET, "p ew p ew", 1, 2, 0, 0));
  }

  private static DynamicTest flat(String id, int mode, int sources, String calls, Integer... want) {
    return dynamicTest(
        "epoll" + id,
        () -> {
          EventPoll e0 = Polls.create();
          List<EventFd> fds = new ArrayList<>();
          for (int i = 0; i < sources; i++) {
            fds.add(EventFd.create());
            e0.add(fds.get(i), Events.IN | mode);
          }
          fds.forEach(fd -> fd.tryWrite(1));
          assertThat(run(e0, calls)).containsExactly(want);
        });
  }

  private static DynamicTest nested(
      String id, int outerMode, int innerMode, String calls, Integer... want) {
    return dynamicTest(
        "epoll" + id,
        () -> {
          EventPoll e0 = Polls.create();
          EventPoll e1 = Polls.create();
          EventFd s0 = EventFd.create();
          e0.add(e1, Events.IN | outerMode);
          e1.add(s0, Events.IN | innerMode);
          s0.tryWrite(1);
          assertThat(run(e0, calls)).containsExactly(want);
        });
  }

  private static DynamicTest twoInner(String id, int outerMode, String calls, Integer... want) {
    return dynamicTest(
        "epoll" + id,
        () -> {
          EventPoll e0 = Polls.create();
          List<EventFd> fds = List.of(EventFd.create(), EventFd.create());
          for (EventFd fd : fds) {
            EventPoll inner = Polls.create();
            e0.add(inner, Events.IN | outerMode);
            inner.add(fd, Events.IN);
          }
          fds.forEach(fd -> fd.tryWrite(1));
          assertThat(run(e0, calls)).containsExactly(want);
        });
  }

  /** The results of the calls: {@code ew} is epoll_wait, {@code p} is poll(2). */
  private static List<Integer> run(EventPoll poll, String calls) throws InterruptedException {
    List<Integer> results = new ArrayList<>();
    for (String call : calls.split(" ")) {
      results.add(
          call.equals("ew")
              ? Taken.now(poll).size()
              : EventPoll.awaitOne(poll, Events.IN, Duration.ZERO));
    }
    return results;
  }
}
