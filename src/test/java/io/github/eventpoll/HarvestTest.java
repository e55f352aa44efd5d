package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.SoloTime;
import io.github.eventpoll.scenarios.Taken;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * KERNEL-SEMANTICS §1.2, §1.3 and §4.4: what a scan does with each item, and the order after it.
 */
@EveryPath
class HarvestTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final FakeSource source = FakeSource.idle("source");

  @Test
  void deliversThePresentStateNeverFlags() {
    poll.add(source, Events.IN | Events.OUT | Events.ET | Events.ONESHOT | Events.WAKEUP);
    source.become(Events.IN);
    source.set(Events.OUT | Events.HUP | Events.PRI | Events.ET | Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("source OUT|HUP");
  }

  @Test
  void asksEachQueuedSourceOnceAndNoOther() {
    FakeSource idle = FakeSource.idle("idle");
    poll.add(source, Events.IN);
    poll.add(idle, Events.IN);
    source.become(Events.IN);
    int asked = source.asked();
    int askedIdle = idle.asked();
    Taken.now(poll);
    assertThat(source.asked()).isEqualTo(asked + 1);
    assertThat(idle.asked()).isEqualTo(askedIdle);
  }

  @Test
  void asksNoMoreThanTheBatchHolds() {
    FakeSource second = FakeSource.ready("second", Events.IN);
    poll.add(FakeSource.ready("first", Events.IN), Events.IN);
    poll.add(second, Events.IN);
    int asked = second.asked();
    assertThat(Taken.now(poll, 1)).containsExactly("first IN");
    assertThat(second.asked()).isEqualTo(asked);
  }

  @Test
  void staleItemsTakeNoPlaceInTheBatch() {
    Stream.of("a", "b", "c").forEach(name -> poll.add(FakeSource.ready(name, 1), Events.IN));
    ((FakeSource) poll.items().get(0).source()).set(0);
    assertThat(Taken.now(poll, 1)).containsExactly("b IN");
    assertThat(Taken.now(poll, 1)).containsExactly("c IN");
    assertThat(Taken.now(poll, 1)).containsExactly("b IN");
  }

  @Test
  void aOneShotKeepsItsFlagsAndNothingElse() {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT | Events.ET | Events.WAKEUP);
    source.become(Events.IN);
    Taken.now(poll);
    assertThat(item.interest()).isEqualTo(Events.ONESHOT | Events.ET | Events.WAKEUP);
    assertThat(item.isArmed()).isFalse();
    assertThat(item.isQueued()).isFalse();
  }

  @Test
  void aOneShotWhoseEventComesBetweenQuestionAndDisarmingIsDroppedAndModifyFindsIt() {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
    source.become(Events.IN);
    source.whenAsked(() -> source.ring(Events.IN));
    assertThat(Taken.now(poll)).containsExactly("source IN");
    source.whenAsked(null);
    assertThat(item.isQueued()).isTrue();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
    item.modify(Events.IN | Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("source IN");
  }

  @Test
  void anEdgeThatComesWhileTheItemIsAskedIsDeliveredOnceMore() {
    EpItem item = poll.add(source, IN_ET);
    source.become(Events.IN);
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          source.ring(Events.IN);
          assertThat(item.below != null).as("on the overflow list").isTrue();
        });
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void anItemInTheBatchThatRingsAgainIsOnBothListsAndOnceInEachBatch() {
    boolean spills = Polls.lock() != LockKind.LOCK_FREE; // there it counts as listed until asked
    FakeSource first = FakeSource.ready("first", Events.IN);
    FakeSource level = FakeSource.ready("level", Events.IN);
    poll.add(first, IN_ET);
    EpItem edgeItem = poll.add(source, IN_ET);
    source.become(Events.IN);
    EpItem levelItem = poll.add(level, Events.IN);
    first.whenAsked(
        () -> {
          first.whenAsked(null);
          source.ring(Events.IN);
          level.ring(Events.IN);
          assertThat(edgeItem.linked && levelItem.linked).as("in the batch").isTrue();
          assertThat(List.of(edgeItem.below != null, levelItem.below != null))
              .as("on the overflow list")
              .containsOnly(spills);
        });
    assertThat(Taken.now(poll)).containsExactly("first IN", "source IN", "level IN");
    if (spills) {
      // A surplus edge, as in the kernel: the ring may have come after the question.
      assertThat(Taken.now(poll)).containsExactly("source IN", "level IN");
    }
    assertThat(Taken.now(poll)).containsExactly("level IN");
    assertThat(edgeItem.below != null || levelItem.below != null).isFalse();
  }

  @Test
  void theOrderAfterAScanIsLeftoversThenSpilledInOrderOfArrivalThenRequeued() {
    List<FakeSource> idle = Stream.of("x", "y", "z").map(FakeSource::idle).toList();
    idle.forEach(each -> poll.add(each, IN_ET));
    FakeSource a = FakeSource.ready("a", Events.IN);
    FakeSource b = FakeSource.ready("b", Events.IN);
    Stream.of(a, b).forEach(each -> poll.add(each, Events.IN));
    poll.add(FakeSource.ready("left 1", Events.IN), IN_ET);
    poll.add(FakeSource.ready("left 2", Events.IN), IN_ET);
    a.whenAsked(
        () -> {
          a.whenAsked(null);
          idle.get(1).become(Events.IN);
          idle.get(0).become(Events.IN);
          idle.get(2).become(Events.IN);
          idle.get(1).become(Events.IN);
        });
    assertThat(Taken.now(poll, 2)).containsExactly("a IN", "b IN");
    assertThat(Taken.now(poll))
        .containsExactly("left 1 IN", "left 2 IN", "y IN", "x IN", "z IN", "a IN", "b IN");
  }

  @Test
  void levelTriggeredItemsAppearOnceInABatchHoweverLarge() {
    // I-2: re-queued items were read again in the same call.
    for (int i = 0; i < 17; i++) {
      poll.add(FakeSource.ready("" + i, Events.IN), Events.IN);
    }
    assertThat(Taken.now(poll, 64)).hasSize(17).doesNotHaveDuplicates();
  }

  @Test
  void awaitLoopsOnEmptyHarvestsUntilItsOneDeadline() throws InterruptedException {
    // Each time the thread falls asleep an item comes that is not ready; the deadline stays.
    FakeSource stale = FakeSource.idle("stale");
    poll.add(stale, Events.IN);
    int[] rings = {5};
    stale.whenAsked(
        () -> {
          if (rings[0]-- > 0) {
            stale.ring(Events.IN);
          }
        });
    stale.ring(Events.IN);
    assertThat(poll.awaitNanos(new ReadyEvents(1), 1000)).isZero();
    assertThat(time.passed()).isEqualTo(1000);
    assertThat(time.sleeps()).isEqualTo(1);
    assertThat(rings[0]).isLessThan(0);
  }

  @Test
  void aSourceThatChangesItsMindIsAskedAtDelivery() {
    EpItem item = poll.add(source, Events.IN | Events.OUT);
    source.become(Events.IN);
    source.set(Events.OUT);
    assertThat(Taken.now(poll)).containsExactly("source OUT");
    source.set(0);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
  }
}
