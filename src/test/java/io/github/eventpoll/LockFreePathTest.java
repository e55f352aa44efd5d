package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe.Step;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The races of the lock-free variant one by one, KR-49 to KR-52, and the order that all keep. */
class LockFreePathTest {
  private final Scripted source = new Scripted(Pollable.ORDERED_STATE);
  private final ReadyEvents ready = new ReadyEvents(16);

  private static EventPoll poll(Steps steps, boolean notified) {
    EventPollBuilder settings =
        EventPoll.builder().lock(LockKind.LOCK_FREE).notifiedFastPath(notified);
    settings.seams(Clock.system(), steps);
    return settings.build();
  }

  private static EventPoll poll() {
    return EventPoll.builder().lock(LockKind.LOCK_FREE).notifiedFastPath(true).build();
  }

  /** Adds so many sources and returns them; each event's attachment is the source's index. */
  private static List<Scripted> sources(EventPoll poll, int count, int mask) {
    List<Scripted> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Scripted each = new Scripted(Pollable.ORDERED_STATE);
      poll.add(each, mask, i);
      added.add(each);
    }
    return added;
  }

  /** What one wait that takes at most so many finds. */
  private static List<Object> taken(EventPoll poll, int max) {
    ReadyEvents batch = new ReadyEvents(max);
    int found = poll.awaitNow(batch);
    List<Object> attachments = new ArrayList<>();
    for (int i = 0; i < found; i++) {
      attachments.add(batch.attachment(i));
    }
    return attachments;
  }

  private Steps.Hold ringHeld(Waiters threads, Steps steps, Step step) {
    Steps.Hold hold = steps.hold(step);
    threads.start(
        "producer",
        () -> {
          source.ready(Events.IN);
          return 0;
        });
    return hold.reached();
  }

  // ---------------------------------------------------------------------------------- order

  @ParameterizedTest
  @EnumSource
  void orderOfArrival(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      List<Scripted> all = sources(poll, 5, Events.IN | Events.ET);
      for (int i : new int[] {3, 1, 4, 0, 2, 3, 1}) {
        all.get(i).ready(Events.IN);
      }
      assertThat(taken(poll, 8)).containsExactly(3, 1, 4, 0, 2);
      assertThat(taken(poll, 8)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void orderOfArrival_alsoOfWhatAModificationFinds(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      List<Scripted> all = sources(poll, 4, Events.IN | Events.ET);
      all.get(2).ready(Events.IN);
      all.get(0).store(Events.IN);
      poll.find(all.get(0)).modify(Events.IN | Events.ET);
      all.get(3).ready(Events.IN);
      assertThat(taken(poll, 8)).containsExactly(2, 0, 3);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("level-triggered items take turns")
  void rotation(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      sources(poll, 5, Events.IN).forEach(each -> each.ready(Events.IN));
      assertThat(taken(poll, 2)).containsExactly(0, 1);
      assertThat(taken(poll, 2)).containsExactly(2, 3);
      assertThat(taken(poll, 2)).containsExactly(4, 0);
      assertThat(taken(poll, 2)).containsExactly(1, 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "after a scan: the rest of the batch, what arrived meanwhile in order, the re-queued")
  void orderAfterAScan(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      List<Scripted> all = sources(poll, 7, Events.IN);
      all.subList(0, 4).forEach(each -> each.ready(Events.IN));
      all.get(0)
          .onceWhenAsked(
              () -> {
                all.get(5).ready(Events.IN);
                all.get(3).ready(Events.IN); // in the batch: keeps its place
                all.get(6).ready(Events.IN);
              });
      all.get(1).onceWhenAsked(() -> all.get(4).ready(Events.IN));
      assertThat(taken(poll, 2)).containsExactly(0, 1);
      assertThat(taken(poll, 16)).containsExactly(2, 3, 5, 6, 4, 0, 1);
    }
  }

  @Test
  @DisplayName("KR-51: a scan covers what was there when it began; a re-queued item comes once")
  void kr51_oneBatchTakesEachOnce() {
    try (EventPoll poll = poll()) {
      List<Scripted> all = sources(poll, 3, Events.IN);
      all.forEach(each -> each.ready(Events.IN));
      assertThat(taken(poll, 16)).containsExactly(0, 1, 2);
      all.get(0).onceWhenAsked(() -> all.get(0).ready(Events.IN)); // rings while it is asked
      assertThat(taken(poll, 16)).containsExactly(0, 1, 2);
      assertThat(taken(poll, 16)).containsExactly(0, 1, 2);
      EngineInvariants.check(poll);
    }
  }

  // ------------------------------------------------------------------------- KR-49 and "late"

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("KR-49: a stalled push hides nothing that others push, before it or after it")
  void kr49_noBubble(boolean notified) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, notified)) {
      List<Scripted> all = sources(poll, 3, Events.IN | Events.ET);
      poll.add(source, Events.IN | Events.ET, "stalled");
      all.get(0).ready(Events.IN);
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING);
      all.get(1).ready(Events.IN);
      all.get(2).ready(Events.IN);
      assertThat(taken(poll, 16)).containsExactly(0, 1, 2);
      assertThat(taken(poll, 16)).isEmpty();
      hold.release();
      threads.join();
      assertThat(taken(poll, 16)).containsExactly("stalled");
      EngineInvariants.check(poll);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  @DisplayName("KR-20: callbacks that meet a stalled twin list the item themselves, and once")
  void late_isListedOnce(int twins) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      poll.add(source, Events.IN | Events.ET);
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING);
      assertThat(poll.path.available()).as("nobody has returned yet").isFalse();
      for (int i = 0; i < twins; i++) {
        source.ready(Events.IN);
        assertThat(poll.path.available()).isTrue();
      }
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.awaitNow(ready)).isZero();
      assertThat(poll.path.available()).isFalse();
      hold.release();
      threads.join();
      assertThat(poll.awaitNow(ready)).isEqualTo(1); // KR-19: the twin's own event, late
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  @Test
  void late_andPushedBeforeTheScan_isListedOnce() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      List<Scripted> all = sources(poll, 1, Events.IN | Events.ET);
      poll.add(source, Events.IN | Events.ET, "late");
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING);
      source.ready(Events.IN);
      hold.release();
      threads.join();
      all.get(0).ready(Events.IN);
      assertThat(taken(poll, 16)).containsExactly("late", 0);
      assertThat(taken(poll, 16)).isEmpty();
      EngineInvariants.check(poll);
    }
  }

  /**
   * A callback is held after its push, before its mark. Its item is harvested meanwhile; a second
   * callback comes and may be held before its own push. The first one's mark must not be taken for
   * the second one's, or a third callback relies on an item that is nowhere.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("KR-49: a late mark of one push is not taken for that of the next")
  void kr49_aLateMark(boolean level) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, true)) {
      EpItem item = poll.add(source, level ? Events.IN : Events.IN | Events.ET);
      Steps.Hold first = steps.hold(Step.PUSHED);
      final Waiters.Wait late = threads.start("late", () -> ringOnce(source));
      first.reached();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      assertThat(item.state).isLessThanOrEqualTo(EpItem.FREE); // let go

      Steps.Hold second = steps.hold(Step.LISTING);
      Waiters.Wait twin = threads.start("twin", () -> ringOnce(source));
      Waiters.until(() -> twin.isDone() || second.isHolding(), () -> "twin");
      first.release();
      late.result();
      source.ready(Events.IN);
      assertThat(poll.path.available()).isTrue();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);

      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      threads.start("last", () -> ringOnce(source)); // claims, so that the second hold is used
      second.reached().release();
      threads.join();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  @Test
  @DisplayName("KR-18: a wake that an exclusive item used up while it was only late is given back")
  void kr18_aLateExclusiveItemIsRemoved() {
    try (Waiters waiters = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, true);
        EventPoll next = poll()) {
      EpItem item = poll.add(source, Events.IN | Events.ET | Events.EXCLUSIVE);
      next.add(source, Events.IN | Events.ET | Events.EXCLUSIVE);
      Steps.Hold marking = steps.hold(Step.PUSHED);
      Waiters.Wait first = waiters.start("first", () -> ringOnce(source));
      marking.reached();
      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero(); // drained, let go and dropped before it is marked
      assertThat(item.isQueued()).isFalse();

      List<Waiters.Wait> chosen = waiters.awaiting(poll, 2);
      Waiters.Wait behind = waiters.await(next);
      Waiters.awaitAsleep(next, 1);
      Steps.Hold leaving = steps.hold(Step.LEFT);
      ringOnce(source); // too early to claim the item: it comes late
      leaving.reached();
      Steps.Hold leavingToo = steps.hold(Step.LEFT);
      marking.release();
      first.result();
      leavingToo.reached();
      assertThat(Waiters.asleep(next)).as("the wake was used up").isEqualTo(1);
      assertThat(item.isQueued()).isTrue();
      item.remove();
      leaving.release();
      leavingToo.release();
      assertThat(behind.source()).isSameAs(source);
      assertThat(chosen).noneMatch(Waiters.Wait::isDone);
    }
  }

  @Test
  @DisplayName("late items of several sources keep their order, behind what was pushed")
  void late_inOrder() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      List<Scripted> all = sources(poll, 4, Events.IN | Events.ET);
      List<Steps.Hold> holds = new ArrayList<>();
      for (Scripted each : all.subList(0, 3)) {
        Steps.Hold hold = steps.hold(Step.LISTING, poll.find(each));
        threads.start("producer", () -> ringOnce(each));
        holds.add(hold.reached());
      }
      all.subList(0, 3).forEach(each -> each.ready(Events.IN));
      all.get(3).ready(Events.IN);
      all.get(0).ready(Events.IN); // again: keeps its place
      assertThat(taken(poll, 16)).containsExactly(3, 0, 1, 2);
      holds.forEach(Steps.Hold::release);
      threads.join();
      EngineInvariants.check(poll);
    }
  }

  private static int ringOnce(Scripted each) {
    each.ready(Events.IN);
    return 0;
  }

  @Test
  void late_foundByAModificationToo_isListedOnce() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      EpItem item = poll.add(source, Events.IN);
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING);
      source.ready(Events.IN);
      item.modify(Events.IN | Events.ET);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.awaitNow(ready)).isZero();
      item.modify(Events.IN | Events.ET); // lists it while the claim still stands
      source.ready(Events.IN);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.awaitNow(ready)).isZero();
      hold.release();
      threads.join();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "KR-13: removed between claim and push, or while it is late: never delivered, not kept")
  void kr13_removedWhileClaimed(boolean late) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      EpItem item = poll.add(source, Events.IN);
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING);
      if (late) {
        source.ready(Events.IN);
      }
      item.remove();
      source.ready(Events.IN);
      assertThat(poll.path.available()).isFalse();
      assertThat(poll.awaitNow(ready)).isZero();
      EpItem again = poll.add(source, Events.IN); // another item of the same source
      hold.release();
      threads.join();
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(ready.item(0)).isSameAs(again);
      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      assertThat(poll.path.available()).isFalse();
    }
  }

  // ----------------------------------------------------------------------------------- KR-52

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "KR-52: an event after an edge item was asked, before the scan has ended, is reported")
  void kr52_anEventAfterAnEdgeItemWasAsked(LockKind kind) {
    assertThat(reportedAfterAnEventAt(Step.SCAN_ASKED, kind)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an event before the item in hand is asked is covered by the answer")
  void anEventBeforeAnEdgeItemIsAsked(LockKind kind) {
    // Linux lists it anew all the same; so do the variants with a lock.
    int again = kind == LockKind.LOCK_FREE ? 0 : 1;
    assertThat(reportedAfterAnEventAt(Step.SCAN_ASK, kind)).isEqualTo(again);
  }

  /** How often an edge item is reported after a scan that delivers it, with an event at a step. */
  private int reportedAfterAnEventAt(Step step, LockKind kind) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = heldPoll(steps, kind)) {
      poll.add(source, Events.IN | Events.ET);
      source.ready(Events.IN);
      Steps.Hold hold = steps.hold(step);
      Waiters.Wait scanner = threads.await(poll);
      hold.reached();
      source.ready(Events.IN);
      hold.release();
      assertThat(scanner.result()).isEqualTo(1);
      int again = poll.awaitNow(ready);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
      return again;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-52, KR-8: an event while a level item is found not ready is not lost")
  void kr52_anEventWhileALevelItemIsFoundNotReady(LockKind kind) {
    for (Step step : new Step[] {Step.SCAN_ASK, Step.LET_GO, Step.SCAN_ASKED}) {
      try (Waiters threads = new Waiters();
          Steps steps = new Steps();
          EventPoll poll = heldPoll(steps, kind)) {
        poll.add(source, Events.IN);
        source.ready(Events.IN);
        source.store(0);
        Steps.Hold hold = steps.hold(step);
        Waiters.Wait scanner = threads.start("scanner", () -> poll.awaitNow(new ReadyEvents(4)));
        hold.reached();
        source.ready(Events.IN);
        assertThat(poll.path.available()).isTrue();
        hold.release();
        scanner.result();
        assertThat(poll.awaitNow(ready)).as("held at %s", step).isEqualTo(1);
        source.store(0);
        assertThat(poll.awaitNow(ready)).isZero();
        assertThat(poll.path.available()).isFalse();
        EngineInvariants.check(poll);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "KR-8: an event between the answer \"not ready\" and letting the item go is found at once")
  void kr8_anEventBetweenTheAnswerAndLettingGo(LockKind kind) {
    try (EventPoll poll =
        EventPoll.builder().lock(kind).notifiedFastPath(true).countStats(true).build()) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      source.store(0);
      source.readyJustAfterItIsAsked(Events.IN); // and its callback is skipped
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      assertThat(poll.stats().skippedAsNotified()).isEqualTo(1);
      source.store(0);
      assertThat(poll.awaitNow(ready)).isZero();
      EngineInvariants.check(poll);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-52: an event of a one-shot item that has just fired is found by modify")
  void kr52_anEventWhileAOneShotFires(LockKind kind) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = heldPoll(steps, kind)) {
      EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
      source.ready(Events.IN);
      Steps.Hold hold = steps.hold(Step.SCAN_ASKED);
      Waiters.Wait scanner = threads.await(poll);
      hold.reached();
      source.ready(Events.IN);
      hold.release();
      assertThat(scanner.result()).isEqualTo(1);
      assertThat(poll.awaitNow(ready)).as("disarmed: the next scan drops it").isZero();
      assertThat(poll.path.available()).isFalse();
      item.modify(Events.IN | Events.ONESHOT);
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
      EngineInvariants.check(poll);
    }
  }

  private static EventPoll heldPoll(Steps steps, LockKind kind) {
    EventPollBuilder settings = EventPoll.builder().lock(kind).notifiedFastPath(true);
    settings.seams(Clock.system(), steps);
    return settings.build();
  }

  // ------------------------------------------------------------------------- KR-50, KR-23: dead

  private static final int MANY = 2_000;

  /**
   * Items that are listed and then end, by a thread that never awaits, and what is left of them.
   */
  private static List<WeakReference<Object>> endMany(EventPoll poll, Consumer<EpItem> end) {
    List<WeakReference<Object>> gone = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Scripted each = new Scripted(Pollable.ORDERED_STATE);
      EpItem item = poll.add(each, Events.IN);
      each.ready(Events.IN);
      assertThat(poll.path.available()).isTrue();
      end.accept(item);
      gone.add(new WeakReference<>(each));
    }
    return gone;
  }

  private static void assertCollected(List<WeakReference<Object>> gone, EventPoll poll) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (gone.stream().anyMatch(each -> each.get() != null)) {
      assertThat(System.nanoTime() - limit).as("still reachable").isNegative();
      System.gc();
    }
    Reference.reachabilityFence(poll);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-50: items that become ready and are removed do not pile up though nobody awaits")
  void kr50_removed(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      List<WeakReference<Object>> gone = endMany(poll, EpItem::remove);
      assertThat(poll.path.available()).isFalse();
      assertThat(poll.path.ready.isEmpty()).isTrue();
      assertCollected(gone, poll);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-50: nor do items whose sources close")
  void kr50_sourceClosed(LockKind kind) {
    try (EventPoll poll = EventPoll.builder().lock(kind).build()) {
      List<WeakReference<Object>> gone = endMany(poll, item -> item.queue.close());
      assertThat(poll.path.available()).isFalse();
      assertThat(poll.path.ready.isEmpty()).isTrue();
      assertCollected(gone, poll);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-23: a source that closes while an addition holds the control lock is not kept")
  void kr23_closedDuringAnAddition(LockKind kind) {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = heldPoll(steps, kind)) {
      poll.add(source, Events.IN);
      source.ready(Events.IN);
      Steps.Hold hold = steps.hold(Step.ADD_REGISTERED);
      Waiters.Wait adder = threads.start("adder", () -> sources(poll, 1, Events.IN).size());
      hold.reached();
      source.waitQueue().close();
      hold.release();
      adder.result();
      assertThat(poll.path.available()).isFalse();
      assertThat(poll.path.ready.isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("KR-23: a source that closes at any point of a scan is not kept by an idle poll")
  void kr23_closedDuringAScan(LockKind kind) {
    for (Step step :
        new Step[] {Step.SCAN_BEFORE, Step.SCAN_STARTED, Step.SCAN_ASK, Step.SCAN_ASKED}) {
      Scripted closing = new Scripted(Pollable.ORDERED_STATE);
      try (Waiters threads = new Waiters();
          Steps steps = new Steps();
          EventPoll poll = heldPoll(steps, kind)) {
        poll.add(closing, Events.IN);
        closing.ready(Events.IN);
        Steps.Hold hold = steps.hold(step);
        Waiters.Wait scanner = threads.start("scanner", () -> poll.awaitNow(ready));
        hold.reached();
        closing.waitQueue().close();
        hold.release();
        assertThat(scanner.result()).as("held at %s", step).isZero();
        assertThat(poll.path.available()).as("held at %s", step).isFalse();
        assertThat(poll.path.ready.isEmpty()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an item that was let go, delivered after all and closed meanwhile is not put back")
  void closedWhileItIsDelivered_afterItWasLetGo(LockKind kind) {
    Scripted tracking = new Scripted(Pollable.ORDERED_STATE | Pollable.TRACKS_INTEREST);
    tracking.whenDelivered(() -> tracking.waitQueue().close());
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = heldPoll(steps, kind)) {
      poll.add(tracking, Events.IN);
      tracking.ready(Events.IN);
      tracking.store(0); // so that the scan lets it go
      Steps.Hold hold = steps.hold(Step.LET_GO);
      Waiters.Wait scanner = threads.start("scanner", () -> poll.awaitNow(ready));
      hold.reached();
      tracking.store(Events.IN); // and finds it ready when it asks again
      hold.release();
      assertThat(scanner.result()).isEqualTo(1);
      assertThat(poll.path.available()).isFalse();
      assertThat(poll.path.ready.isEmpty()).isTrue();
    }
  }

  @Test
  @DisplayName("KR-13, KR-50: one that dies between claim and push is not kept on the stack")
  void removedBetweenTheLookAndThePush() {
    try (Waiters threads = new Waiters();
        Steps steps = new Steps();
        EventPoll poll = poll(steps, false)) {
      EpItem item = poll.add(source, Events.IN);
      final Steps.Hold hold = ringHeld(threads, steps, Step.LISTING); // it has seen it alive
      item.remove();
      hold.release();
      threads.join();
      assertThat(poll.path.available()).isFalse();
    }
  }
}
