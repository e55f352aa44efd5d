package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** KERNEL-SEMANTICS §2.3 to §2.5: what add, modify and remove do, step by step. */
@EveryPath
class AddModifyRemoveTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final FakeSource source = FakeSource.idle("source");

  /** A poll that gets an edge each time {@code poll} wakes a waiter and its watchers. */
  private EventPoll watcher() {
    EventPoll watcher = Polls.create();
    watcher.add(poll, IN_ET, "edge");
    Taken.now(watcher);
    return watcher;
  }

  // ------------------------------------------------------------------------------------ add

  @Test
  void add_ofAReadySourceReportsOneEventAlsoToEdgeAndExclusive() {
    source.set(Events.IN);
    EventPoll exclusive = Polls.create();
    EventPoll another = Polls.create();
    poll.add(source, IN_ET);
    exclusive.add(source, IN_ET | Events.EXCLUSIVE);
    another.add(source, Events.IN | Events.EXCLUSIVE);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(Taken.now(exclusive)).containsExactly("source IN");
    assertThat(Taken.now(exclusive)).isEmpty();
    assertThat(Taken.now(another)).containsExactly("source IN");
  }

  @Test
  void add_ofASourceReadyForSomethingElseIsNotQueued() {
    source.set(Events.OUT);
    assertThat(poll.add(source, Events.IN).isQueued()).isFalse();
    source.set(Events.HUP);
    assertThat(poll.add(source, 1, Events.IN, null).isQueued()).isTrue();
  }

  @Test
  void add_callbacksReachTheItemBeforeTheSourceIsAsked() {
    EventPoll watcher = watcher();
    source.whenAsked(
        () -> {
          source.whenAsked(null);
          assertThat(source.waitQueue().hasEntries()).isTrue();
          source.become(Events.IN);
          assertThat(poll.path.available()).as("the callback has listed the item").isTrue();
        });
    EpItem item = poll.add(source, IN_ET);
    assertThat(item.isQueued()).isTrue();
    assertThat(Taken.now(watcher)).containsExactly("edge IN");
    assertThat(Taken.now(watcher)).as("no second one for the link").isEmpty();
    assertThat(Taken.now(poll)).containsExactly("source IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void add_tellsThoseWhoWatchThePoll() {
    EventPoll watcher = watcher();
    source.set(Events.IN);
    poll.add(source, Events.IN);
    assertThat(Taken.now(watcher)).containsExactly("edge IN");
    poll.add(FakeSource.ready("another", Events.IN), Events.IN);
    assertThat(Taken.now(watcher)).containsExactly("edge IN");
    poll.add(FakeSource.idle("third"), Events.IN);
    assertThat(Taken.now(watcher)).isEmpty();
  }

  @Test
  void add_aWakeVisitsTheNewestFirstAndExclusiveOnesLastInOrder() {
    List<Object> visited = new ArrayList<>();
    EventPollBuilder settings = Polls.builder();
    settings.probe =
        (step, who) -> {
          if (step == Probe.Step.CALLBACK) {
            visited.add(((EpItem) who).attachment());
          }
        };
    EventPoll probed = settings.build();
    int exclusive = Events.IN | Events.EXCLUSIVE;
    probed.add(source, 1, Events.IN, "plain 1");
    probed.add(source, 2, exclusive, "exclusive 1");
    probed.add(source, 3, Events.IN, "plain 2");
    probed.add(source, 4, exclusive, "exclusive 2");
    EpItem last = probed.add(source, 5, Events.IN, "plain 3");
    source.ring(Events.IN);
    assertThat(visited)
        .containsExactly("plain 3", "plain 2", "plain 1", "exclusive 1", "exclusive 2");
    visited.clear();
    last.remove();
    source.ring(Events.IN);
    assertThat(visited).containsExactly("plain 2", "plain 1", "exclusive 1", "exclusive 2");
  }

  // --------------------------------------------------------------------------------- modify

  @Test
  void modify_withTheSameMaskIsANewEdge() {
    EpItem item = poll.add(source, IN_ET);
    source.become(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source IN");
    for (int i = 0; i < 2; i++) {
      item.modify(IN_ET);
      assertThat(Taken.now(poll)).containsExactly("source IN");
      assertThat(Taken.now(poll)).isEmpty();
    }
  }

  @Test
  void modify_findsWhatHappenedWhileTheItemWasDisarmed() {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
    source.become(Events.IN);
    assertThat(Taken.now(poll)).hasSize(1);
    source.become(0);
    item.modify(Events.IN | Events.ONESHOT);
    assertThat(Taken.now(poll)).isEmpty();
    source.become(Events.IN);
    assertThat(Taken.now(poll)).hasSize(1);
    source.become(Events.IN | Events.OUT);
    item.modify(Events.OUT | Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("source OUT");
  }

  @Test
  void modify_storesTheMaskBeforeItAsks() {
    EpItem item = poll.add(source, Events.IN);
    source.whenAsked(() -> assertThat(item.interest()).isEqualTo(Events.OUT | Events.ERR | 0x10));
    int asked = source.asked();
    item.modify(Events.OUT);
    assertThat(source.asked()).isEqualTo(asked + 1);
  }

  @Test
  void modify_tellsNobodyIfTheItemIsQueuedAlready() {
    EventPoll watcher = watcher();
    EpItem item = poll.add(source, Events.IN);
    source.become(Events.IN);
    assertThat(Taken.now(watcher)).hasSize(1);
    item.modify(Events.IN);
    item.modify(Events.IN | Events.OUT, "new");
    assertThat(Taken.now(watcher)).isEmpty();
    assertThat(Taken.now(poll)).containsExactly("new IN");
    item.modify(IN_ET); // level-triggered so far: still queued
    assertThat(Taken.now(watcher)).isEmpty();
    assertThat(Taken.now(poll)).hasSize(1);
    item.modify(IN_ET);
    assertThat(Taken.now(watcher)).hasSize(1);
  }

  @Test
  void modify_doesNotRegisterAnew() {
    EpItem first = poll.add(source, 1, Events.IN, null);
    EpItem second = poll.add(source, 2, Events.IN, null);
    first.modify(Events.OUT);
    assertThat(source.waitQueue().snapshot()).containsExactly(second, first);
  }

  @Test
  void modify_alwaysAddsErrAndHup() {
    EpItem item = poll.add(source, 0);
    assertThat(item.interest()).isEqualTo(Events.ERR | Events.HUP);
    item.modify(Events.ET);
    assertThat(item.interest()).isEqualTo(Events.ET | Events.ERR | Events.HUP);
    source.become(Events.ERR | Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source ERR");
  }

  // --------------------------------------------------------------------------------- remove

  @Test
  void remove_afterwardsNothingTheSourceDoesHasAnEffect() {
    EventPoll watcher = watcher();
    EpItem item = poll.add(source, Events.IN);
    WaitEntry[] walkedBefore = source.waitQueue().snapshot();
    item.remove();
    source.become(Events.IN);
    assertThat(walkedBefore).containsExactly(item);
    // A wake that had read the queue before the removal comes late: KR-13.
    assertThat(item.woken(Events.IN)).isFalse();
    assertThat(item.linked).isFalse();
    assertThat(poll.path.available()).isFalse();
    assertThat(Taken.now(watcher)).isEmpty();
    assertThat(Taken.now(poll)).isEmpty();
    int asked = source.asked();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source.asked()).isEqualTo(asked);
  }

  @Test
  void remove_oneOfSeveralInTheMiddleOfTheReadyList() {
    List<EpItem> items = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      items.add(poll.add(FakeSource.ready(name, Events.IN), IN_ET));
    }
    items.get(1).remove();
    assertThat(Taken.now(poll, 1)).containsExactly("a IN");
    items.get(3).remove();
    assertThat(Taken.now(poll)).containsExactly("c IN");
    assertThat(poll.path.available()).isFalse();
    items.get(0).remove();
    items.get(2).remove();
    assertThat(poll.size()).isZero();
  }

  @Test
  void remove_thenAddAgainAtOnce() {
    for (int i = 0; i < 3; i++) {
      EpItem item = poll.add(source, Events.IN, i);
      source.become(Events.IN);
      assertThat(Taken.now(poll)).containsExactly(i + " IN");
      item.remove();
      assertThat(poll.find(source)).isNull();
    }
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }
}
