package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which locks additions take, forced step by step; MO-NEST-1 and MO-NEST-2. */
class TopologyTest {
  private static final int IN = Events.IN;

  private final Steps steps = new Steps();
  private final Waiters waiters = new Waiters();
  private final EventFd source = EventFd.create();

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
  }

  private EventPollBuilder settings(Topology kind) {
    EventPollBuilder settings = EventPoll.builder().topology(kind).countStats(true);
    settings.seams(Clock.system(), steps);
    return settings;
  }

  private EventPoll poll(Topology kind) {
    return settings(kind).build();
  }

  /** A poll that no source may be added to while it is watched, nor watch others with sources. */
  private EventPoll pathless(Topology kind) {
    return settings(kind).pathLimits(0, 0, 0, 0).build();
  }

  private EventPoll watched(EventPoll poll) {
    EventPoll.create().add(poll, IN);
    return poll;
  }

  /** Adds in a thread of its own; 1 if it succeeds, or the negative number of the error. */
  private Wait adding(EventPoll poll, Pollable added) {
    return waiters.start(
        "adding",
        () -> {
          try {
            poll.add(added, IN);
            return 1;
          } catch (EventPollArgumentException e) {
            return -e.errno().ordinal();
          }
        });
  }

  private static int failed(Errno errno) {
    return -errno.ordinal();
  }

  // ------------------------------------------------------------------------ who takes a lock

  @ParameterizedTest
  @EnumSource
  void aSourceAddedToAnUnwatchedPollTakesNoLockOfTheTopology(Topology kind) {
    EventPoll poll = poll(kind);
    poll.add(source, IN).remove();
    poll.add(source, IN);
    assertThat(poll.stats().topologyLocksTaken()).isZero();
    poll.add(poll(kind), IN);
    assertThat(poll.stats().topologyLocksTaken()).as("a poll").isEqualTo(1);
    poll.find(source).remove();
    poll.add(source, IN);
    assertThat(poll.stats().topologyLocksTaken()).as("watching others is no matter").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aSourceAddedToAWatchedPollTakesThem(Topology kind) {
    EventPoll poll = poll(kind);
    EventPoll outer = poll(kind);
    EpItem edge = outer.add(poll, IN);
    poll.add(source, IN).remove();
    assertThat(poll.stats().topologyLocksTaken()).isEqualTo(1);
    edge.remove();
    poll.add(source, IN).remove();
    assertThat(poll.stats().topologyLocksTaken()).as("watched no longer").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void anAdditionToAnUnwatchedPollEndsWhileEverythingElseIsHeld(Topology kind) {
    EventPoll outer = poll(kind);
    EventPoll inner = poll(kind);
    Hold all = steps.hold(Step.TOPOLOGY_LOCKED);
    Wait nesting = adding(outer, inner);
    all.reached();
    Wait flat = adding(poll(kind), source);
    assertThat(flat.result()).isEqualTo(1);
    source.close();
    all.release();
    assertThat(nesting.result()).isEqualTo(1);
  }

  /** Whose additions to watched polls go on while somebody checks another source. */
  @ParameterizedTest
  @EnumSource
  void aSourceThatIsCheckedHoldsUpNoOtherUnlessThereIsOneMutex(Topology kind) {
    EventPoll one = watched(poll(kind));
    EventPoll other = watched(poll(kind));
    Hold checking = steps.hold(Step.TOPOLOGY_LOCKED);
    EventFd[] two = inDifferentStripes();
    Wait first = adding(one, two[0]);
    checking.reached();
    Hold also = steps.hold(Step.TOPOLOGY_LOCKED);
    Wait second = adding(other, two[1]);
    if (kind == Topology.GLOBAL_MUTEX) {
      awaitBlocked(second);
      checking.release();
      also.release();
    } else {
      also.reached();
      also.release();
      assertThat(second.result()).isEqualTo(1);
      checking.release();
    }
    assertThat(first.result()).isEqualTo(1);
    assertThat(second.result()).isEqualTo(1);
  }

  private static EventFd[] inDifferentStripes() {
    EventFd first = EventFd.create();
    EventFd second = EventFd.create();
    while (TopologyLocks.of(second.waitQueue()) == TopologyLocks.of(first.waitQueue())) {
      second = EventFd.create();
    }
    return new EventFd[] {first, second};
  }

  private static void awaitBlocked(Wait wait) {
    Waiters.until(
        () -> wait.isDone() || wait.thread.getState() == Thread.State.WAITING, wait::toString);
    assertThat(wait.isDone()).as("should wait for a lock: %s", wait).isFalse();
  }

  @Test
  void sourcesMadeInARowAreFarApart() {
    List<Stripe> met = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      met.add(TopologyLocks.of(new WaitQueue()));
    }
    assertThat(met).doesNotHaveDuplicates();
  }

  // -------------------------------------------------------------------------- a slow source

  /** One slow source is asked on being added; all other additions go on. */
  @Test
  void whileASourceIsAskedNothingOfTheProcessIsHeld() {
    EventPoll one = watched(poll(Topology.STRIPED));
    Hold asking = steps.hold(Step.ADD_REGISTERED);
    Wait slow = adding(one, source);
    asking.reached();
    for (Topology kind : Topology.values()) {
      assertThat(adding(watched(poll(kind)), source).result()).as("same source").isEqualTo(1);
      assertThat(adding(watched(poll(kind)), EventFd.create()).result()).isEqualTo(1);
      assertThat(adding(poll(kind), watched(poll(kind))).result()).as("a poll").isEqualTo(1);
      assertThat(adding(poll(kind), poll(kind)).result()).isEqualTo(1);
    }
    asking.release();
    assertThat(slow.result()).isEqualTo(1);
  }

  /** A scan holds a control lock while it asks; who waits for that lock holds nothing else. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void whileAScanAsksNothingOfTheProcessIsHeld(boolean asOuter) {
    EventPoll busy = poll(Topology.STRIPED);
    FakeSource slow = FakeSource.ready("slow", IN);
    busy.add(slow, IN);
    Hold asking = steps.hold(Step.SCAN_ASK);
    Wait scan = waiters.await(busy);
    asking.reached();
    EventPoll quiet = poll(Topology.STRIPED);
    Wait waits = asOuter ? adding(busy, quiet) : adding(quiet, busy);
    awaitBlocked(waits);
    assertThat(adding(watched(poll(Topology.STRIPED)), source).result()).isEqualTo(1);
    assertThat(adding(poll(Topology.STRIPED), poll(Topology.STRIPED)).result()).isEqualTo(1);
    asking.release();
    assertThat(scan.result()).isEqualTo(1);
    assertThat(waits.result()).isEqualTo(1);
  }

  /** The other two hold their lock meanwhile, as the kernel does. */
  @ParameterizedTest
  @EnumSource(names = {"GLOBAL_MUTEX", "SHARED"})
  void theKernelsWaysHoldTheirLockWhileASourceIsAsked(Topology kind) {
    EventPoll one = watched(poll(kind));
    Hold asking = steps.hold(Step.ADD_REGISTERED);
    Wait slow = adding(one, source);
    asking.reached();
    Wait nesting = adding(poll(kind), poll(kind));
    awaitBlocked(nesting);
    assertThat(adding(poll(Topology.STRIPED), poll(kind)).result()).isEqualTo(1);
    asking.release();
    assertThat(slow.result()).isEqualTo(1);
    assertThat(nesting.result()).isEqualTo(1);
  }

  /** A source that adds to another poll when it is asked: no lock is waited for that it has. */
  @ParameterizedTest
  @EnumSource
  void aSourceMayAddToOtherPollsWhenItIsAsked(Topology kind) {
    EventPoll one = watched(poll(kind));
    EventPoll other = watched(poll(kind));
    EventPoll outer = poll(kind);
    FakeSource adds = FakeSource.ready("adds", IN);
    adds.whenAsked(
        () -> {
          other.add(source, IN);
          outer.add(other, IN);
        });
    assertThat(adding(one, adds).result()).isEqualTo(1);
    assertThat(other.find(source)).isNotNull();
    assertThat(outer.find(other)).isNotNull();
    assertThat(adding(poll(kind), poll(kind)).result()).as("all locks are free").isEqualTo(1);
  }

  // ------------------------------------------------------------------------------ MO-NEST-1

  /** The source has been found to need no count; its poll becomes watched meanwhile. */
  @ParameterizedTest
  @EnumSource
  void moNest1_aSourceIsAddedUncheckedWhileItsPollIsNested(Topology kind) {
    EventPoll inner = pathless(kind);
    EventPoll outer = pathless(kind);
    Hold unchecked = steps.hold(Step.LINK_UNCHECKED);
    Wait leaf = adding(inner, source);
    unchecked.reached();
    Wait nesting = adding(outer, inner);
    awaitBlocked(nesting);
    unchecked.release();
    assertThat(leaf.result()).isEqualTo(1);
    assertThat(nesting.result()).as("it has seen the source").isEqualTo(failed(Errno.EINVAL));
    assertThat(outer.size()).isZero();
  }

  /** The poll has been told that it is about to be watched, and the source comes then. */
  @ParameterizedTest
  @EnumSource
  void moNest1_aSourceIsAddedAfterItsPollWasTold(Topology kind) {
    EventPoll inner = pathless(kind);
    EventPoll outer = pathless(kind);
    Hold told = steps.hold(Step.NESTING_BEGUN);
    Wait nesting = adding(outer, inner);
    told.reached();
    assertThat(adding(inner, source).result()).as("nobody watches it yet").isEqualTo(1);
    assertThat(inner.stats().topologyLocksTaken()).as("but it is checked").isEqualTo(1);
    told.release();
    assertThat(nesting.result()).isEqualTo(failed(Errno.EINVAL));
    inner.add(EventFd.create(), IN);
    assertThat(inner.stats().topologyLocksTaken()).as("all is over").isEqualTo(1);
  }

  /** The addition of the poll is being checked, and has not found the source. */
  @ParameterizedTest
  @EnumSource
  void moNest1_aSourceIsAddedWhileItsPollIsChecked(Topology kind) {
    EventPoll inner = pathless(kind);
    EventPoll outer = pathless(kind);
    Hold checking = steps.hold(Step.TOPOLOGY_LOCKED);
    Wait nesting = adding(outer, inner);
    checking.reached();
    Wait leaf = adding(inner, source);
    awaitBlocked(leaf);
    checking.release();
    assertThat(nesting.result()).isEqualTo(1);
    assertThat(leaf.result()).isEqualTo(failed(Errno.EINVAL));
    assertThat(inner.size()).isZero();
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }

  /** A refused or failed addition leaves the poll unwatched, also in its own eyes. */
  @Test
  void moNest1_theAnnouncementIsTakenBack() {
    EventPoll inner = poll(Topology.STRIPED);
    EventPoll closed = poll(Topology.STRIPED);
    closed.close();
    for (EventPoll outer : List.of(closed, inner, below(inner))) {
      try {
        outer.add(inner, IN);
        throw new AssertionError("not refused");
      } catch (EventPollArgumentException | ClosedEventPollException refused) {
        // expected
      }
    }
    inner.add(source, IN);
    assertThat(inner.stats().topologyLocksTaken()).as("for the poll below only").isEqualTo(1);
  }

  private EventPoll below(EventPoll outer) {
    EventPoll inner = poll(Topology.STRIPED);
    outer.add(inner, IN);
    return inner;
  }

  // ------------------------------------------------------------------------------ MO-NEST-2

  /** Two additions of one source, one path left; of all kinds, and mixed. */
  @ParameterizedTest
  @CsvSource({
    "GLOBAL_MUTEX, GLOBAL_MUTEX", "SHARED, SHARED", "STRIPED, STRIPED",
    "GLOBAL_MUTEX, SHARED", "SHARED, STRIPED", "STRIPED, GLOBAL_MUTEX"
  })
  void moNest2_theLastPathIsTakenOnce(Topology kind, Topology otherKind) {
    EventPoll one = watched(settings(kind).pathLimits(1, 0, 0, 0).build());
    EventPoll other = watched(settings(otherKind).pathLimits(1, 0, 0, 0).build());
    Hold checking = steps.hold(Step.TOPOLOGY_LOCKED);
    Wait first = adding(one, source);
    checking.reached();
    Wait second = adding(other, source);
    awaitBlocked(second);
    checking.release();
    assertThat(first.result()).isEqualTo(1);
    assertThat(second.result()).isEqualTo(failed(Errno.EINVAL));
  }

  /** A circle that is closed from both sides, of kinds that have no other lock in common. */
  @ParameterizedTest
  @CsvSource({
    "GLOBAL_MUTEX, GLOBAL_MUTEX", "SHARED, SHARED", "STRIPED, STRIPED",
    "GLOBAL_MUTEX, SHARED", "SHARED, STRIPED", "STRIPED, GLOBAL_MUTEX"
  })
  void moNest2_aCircleIsNotClosedFromBothSides(Topology kind, Topology otherKind) {
    EventPoll one = poll(kind);
    EventPoll other = poll(otherKind);
    Hold begun = steps.hold(Step.NESTING_BEGUN, one); // with no lock in hand
    Wait back = adding(other, one);
    begun.reached();
    Hold checking = steps.hold(Step.TOPOLOGY_LOCKED);
    Wait there = adding(one, other);
    checking.reached();
    begun.release();
    awaitBlocked(back);
    checking.release();
    assertThat(there.result()).isEqualTo(1);
    assertThat(back.result()).isEqualTo(failed(Errno.ELOOP));
  }
}
