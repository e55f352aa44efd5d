package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a poll whenever no thread is inside a section of a few instructions: the
 * invariants (i) to (iv) of the known races. Call it while every thread of the test is held, asleep
 * or done.
 */
final class EngineInvariants {
  /** Where a thread may be held while all waiters sleep beside an event: it will choose one. */
  private static final Set<Step> CHOOSERS =
      EnumSet.of(
          Step.CALLBACK_LISTED,
          Step.CHOSEN,
          Step.STOPPED,
          Step.LEFT,
          Step.SCAN_BEFORE,
          Step.SCAN_STARTED,
          Step.SCAN_ASK,
          Step.LET_GO,
          Step.SCAN_ASKED,
          Step.SCAN_ENDED,
          Step.ADD_REGISTERED,
          Step.MODIFY_STORED,
          Step.CLOSE_MARKED);

  /** Where a thread may be held that will hand on the duty of keeping time. */
  private static final Set<Step> LEAVERS =
      EnumSet.of(Step.ENLISTED, Step.PLANNING, Step.DUE, Step.STOPPED);

  private static final Set<Step> SCANNERS =
      EnumSet.of(Step.SCAN_STARTED, Step.SCAN_ASK, Step.LET_GO, Step.SCAN_ASKED);

  private EngineInvariants() {}

  /** With nobody held: nothing may be left to somebody who is on the way. */
  static void check(EventPoll... polls) {
    check(null, polls);
  }

  /** With the threads held that {@code steps} holds. */
  static void check(@Nullable Steps steps, EventPoll... polls) {
    for (EventPoll poll : polls) {
      listedOnceAndAlive(poll, isHeld(steps, SCANNERS));
      notifiedIsListed(poll, isHeld(steps, SCANNERS));
      if (!isHeld(steps, CHOOSERS) && !isChosenHeld(steps)) {
        noEventBesideSleepers(poll);
      }
      if (!isHeld(steps, LEAVERS)) {
        somebodyKeepsTime(poll);
      }
    }
  }

  private static boolean isHeld(@Nullable Steps steps, Set<Step> at) {
    return steps != null && steps.held().stream().anyMatch(hold -> at.contains(hold.step));
  }

  private static boolean isChosenHeld(@Nullable Steps steps) {
    return steps != null && steps.held().stream().anyMatch(Steps.Hold::isChosenWaiter);
  }

  /** (i) An item is linked once, in a chain whose links agree, and never dead outside a scan. */
  static void listedOnceAndAlive(EventPoll poll, boolean scanning) {
    Set<EpItem> met = Collections.newSetFromMap(new IdentityHashMap<>());
    List<EpItem> linked = new ArrayList<>();
    for (EpItem item : poll.items()) {
      assertThat(item.dead).as("registered and dead: %s", item).isFalse();
      if (item.isQueued()) {
        linked.add(item);
      } else {
        assertThat(item.next == null && item.prev == null)
            .as("off, but has links: %s", item)
            .isTrue();
      }
    }
    for (EpItem item : linked) {
      if (item.prev != null) {
        continue;
      }
      for (EpItem at = item; at != null; at = at.next) {
        assertThat(met.add(at)).as("twice in the chains of %s: %s", poll, at).isTrue();
        assertThat(at.dead || at.isQueued()).as("in a chain and not marked so: %s", at).isTrue();
        assertThat(scanning || !at.dead).as("dead and listed: %s", at).isTrue();
        assertThat(at.next == null || at.next.prev == at).as("links of %s agree", at).isTrue();
      }
    }
    assertThat(met).as("all that are linked are in a chain of %s", poll).containsAll(linked);
    assertThat(scanning || poll.path.available() == !linked.isEmpty())
        .as("available says what is on the list of %s", poll)
        .isTrue();
  }

  /** (iv) What callbacks rely on: the item is listed, or a scan has it in hand. */
  static void notifiedIsListed(EventPoll poll, boolean scanning) {
    for (EpItem item : poll.items()) {
      boolean pushed = item.state == EpItem.PUSHED;
      assertThat(item.state)
          .as("claimed, drained or let go before it was marked as pushed: %s", item)
          .isIn(EpItem.FREE, EpItem.PUSHED, EpItem.LISTED);
      assertThat(!pushed || item.below != null).as("pushed and not there: %s", item).isTrue();
      if (item.state == EpItem.LISTED && !scanning) {
        assertThat(item.linked).as("relied on and on no list: %s", item).isTrue();
      }
    }
  }

  /** (ii) An event is listed: then not all sleep, unless somebody is about to choose. */
  static void noEventBesideSleepers(EventPoll poll) {
    List<Waiter> sleepers = poll.sleepers.snapshot();
    if (poll.path.available() && !sleepers.isEmpty()) {
      assertThat(sleepers)
          .as("an event while all sleep: %s", poll.dump())
          .anyMatch(waiter -> !waiter.isAsleep());
    }
  }

  /** (iii) A deadline is set: then one of those who sleep will wake when it comes. */
  static void somebodyKeepsTime(EventPoll poll) {
    long nearest = poll.deadlines.nearest();
    List<Waiter> sleepers = poll.sleepers.snapshot();
    boolean kicked = sleepers.stream().anyMatch(waiter -> waiter.toString().contains(" kicked"));
    if (nearest != Clock.NEVER && !sleepers.isEmpty() && !kicked) {
      assertThat(sleepers)
          .as("a deadline that nobody keeps: %s", poll.dump())
          .anyMatch(waiter -> waiter.plan <= nearest);
    }
  }
}
