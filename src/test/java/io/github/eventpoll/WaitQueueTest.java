package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.eventpoll.scenarios.FakeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The list of a source's watchers: order, editing, union of interest, closing. */
@EveryPath
class WaitQueueTest {
  private final WaitQueue queue = new WaitQueue();

  /** An entry that notes its visits. */
  private static EpItem item(EventPoll poll, FakeSource source, long tag, int mask) {
    return poll.add(source, tag, mask, null);
  }

  @Test
  void aNewQueueIsOpenAndEmpty() {
    assertThat(queue.isClosed()).isFalse();
    assertThat(queue.hasEntries()).isFalse();
    assertThat(queue.interest()).isZero();
    assertThat(queue.snapshot()).isEmpty();
    assertThatCode(() -> queue.wake(Events.IN)).doesNotThrowAnyException();
    assertThatCode(() -> queue.wakeOrdered(0)).doesNotThrowAnyException();
  }

  @Test
  void kr16_plainEntriesNewestFirstThenExclusiveOnesOldestFirstWhateverComesAndGoes() {
    EventPoll poll = Polls.create();
    FakeSource source = FakeSource.idle("source");
    List<EpItem> plain = new ArrayList<>();
    List<EpItem> exclusive = new ArrayList<>();
    Random random = new Random(42);
    for (int tag = 0; tag < 300; tag++) {
      if (random.nextInt(3) == 0 && !plain.isEmpty()) {
        plain.remove(random.nextInt(plain.size())).remove();
      } else if (random.nextInt(3) == 0 && !exclusive.isEmpty()) {
        exclusive.remove(random.nextInt(exclusive.size())).remove();
      } else if (random.nextBoolean()) {
        plain.add(item(poll, source, tag, Events.IN));
      } else {
        exclusive.add(item(poll, source, tag, Events.IN | Events.EXCLUSIVE));
      }
      List<WaitEntry> expected = new ArrayList<>(plain);
      Collections.reverse(expected);
      expected.addAll(exclusive);
      assertThat(source.waitQueue().snapshot()).containsExactlyElementsOf(expected);
    }
    assertThat(plain).isNotEmpty();
    plain.forEach(EpItem::remove);
    exclusive.forEach(EpItem::remove);
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }

  @Test
  void interestIsTheUnionOfWhatArmedItemsWant() {
    EventPoll poll = Polls.create();
    FakeSource source = FakeSource.ready("source", Events.PRI);
    EpItem in = item(poll, source, 0, Events.IN | Events.ET);
    assertThat(source.waitQueue().interest()).isEqualTo(Events.IN | Events.ERR | Events.HUP);
    EpItem out = item(poll, source, 1, Events.OUT | Events.EXCLUSIVE);
    EpItem pri = item(poll, source, 2, Events.PRI | Events.ONESHOT);
    assertThat(source.waitQueue().interest())
        .isEqualTo(Events.IN | Events.OUT | Events.PRI | Events.ERR | Events.HUP);
    poll.awaitNow(new ReadyEvents(4));
    assertThat(pri.isArmed()).isFalse();
    assertThat(source.waitQueue().interest())
        .isEqualTo(Events.IN | Events.OUT | Events.ERR | Events.HUP);
    in.modify(0);
    assertThat(source.waitQueue().interest()).isEqualTo(Events.OUT | Events.ERR | Events.HUP);
    out.remove();
    in.remove();
    assertThat(source.waitQueue().interest()).isZero();
  }

  @Test
  void interestCountsThreadsThatWaitOnTheSourceAlone() throws InterruptedException {
    FakeSource source = FakeSource.idle("source");
    int[] seen = new int[1];
    source.whenAsked(() -> seen[0] = source.waitQueue().interest());
    EventPoll.awaitOne(source, Events.OUT, Duration.ZERO);
    assertThat(seen[0]).isEqualTo(Events.OUT | Events.ERR | Events.HUP);
    assertThat(source.waitQueue().hasEntries()).isFalse();
  }

  // ----------------------------------------------------------------------------- close, §6.1

  @Test
  void close_theItemsOfAllPollsAreGoneOnReturn() {
    FakeSource source = FakeSource.ready("source", Events.IN);
    FakeSource stays = FakeSource.ready("stays", Events.IN);
    List<EventPoll> polls = List.of(Polls.create(), Polls.create(), Polls.create());
    List<EpItem> items = new ArrayList<>();
    for (EventPoll poll : polls) {
      items.add(item(poll, source, 0, Events.IN));
      items.add(item(poll, source, 1, Events.IN | Events.EXCLUSIVE));
      poll.add(stays, Events.IN);
    }
    source.close();
    assertThat(items).noneMatch(EpItem::isValid).noneMatch(EpItem::isQueued);
    for (EventPoll poll : polls) {
      assertThat(poll.size()).isEqualTo(1);
      assertThat(poll.items()).containsExactly(poll.find(stays));
      assertThat(poll.find(source)).isNull();
      assertThat(poll.awaitNow(new ReadyEvents(8))).isEqualTo(1);
    }
    assertThat(source.waitQueue().isClosed()).isTrue();
    assertThat(source.waitQueue().hasEntries()).isFalse();
    assertThat(source.waitQueue().interest()).isZero();
    assertThat(source.waitQueue().snapshot()).isEmpty();
  }

  @Test
  void close_isFinal() throws InterruptedException {
    FakeSource source = FakeSource.ready("source", Events.IN);
    EventPoll poll = Polls.create();
    source.close();
    source.close();
    source.ring(Events.IN);
    refused(Errno.EBADF, () -> poll.add(source, Events.IN), source, "closed");
    refused(
        Errno.EBADF, () -> EventPoll.awaitOne(source, Events.IN, Duration.ZERO), source, "closed");
    assertThat(poll.size()).isZero();
  }

  @Test
  void close_wakesNoWaiterOfAPoll() {
    EventPoll poll = Polls.create();
    FakeSource source = FakeSource.idle("source");
    poll.add(source, Events.IN);
    EventPoll watcher = Polls.create();
    EpItem nested = watcher.add(poll, Events.IN | Events.ET);
    Waiter waiter = new Waiter(Thread.currentThread());
    assertThat(poll.sleepers.enlist(waiter)).isTrue();
    source.close();
    assertThat(waiter.isChosen()).isFalse();
    assertThat(nested.isQueued()).isFalse();
  }

  @Test
  void close_tellsAThreadThatWaitsOnTheSourceAlone() throws InterruptedException {
    FakeSource source = FakeSource.ready("source", Events.IN);
    source.whenAsked(source::close);
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ZERO)).isEqualTo(Events.HUP);
  }

  @Test
  void close_takesNoControlLock() throws InterruptedException {
    // KR-23: somebody else holds the poll's lock, for instance a scan, and close does not wait.
    EventPoll poll = Polls.create();
    FakeSource source = FakeSource.idle("source");
    poll.add(source, Events.IN);
    poll.control.lock();
    try {
      Thread closer = new Thread(source::close);
      closer.start();
      closer.join(30_000);
      assertThat(closer.isAlive()).isFalse();
      assertThat(poll.size()).isZero();
      assertThat(poll.items()).isEmpty();
    } finally {
      poll.control.unlock();
    }
  }

  @Test
  void close_gaveBackTheQuotas() {
    WatchQuota process = new WatchQuota("all of us", 1);
    EventPollBuilder settings = Polls.builder().maxWatches(1);
    settings.processQuota = process;
    EventPoll poll = settings.build();
    for (int i = 0; i < 3; i++) {
      FakeSource source = FakeSource.idle("" + i);
      poll.add(source, Events.IN);
      source.close();
    }
    assertThat(process.tryTake()).isTrue();
  }

  // ------------------------------------------------------------------------------ giving back

  @Test
  void kr18_aWakeGivenBackAsksExclusiveEntriesOnly() {
    EventPoll plainPoll = Polls.create();
    EventPoll exclusivePoll = Polls.create();
    FakeSource source = FakeSource.idle("source");
    EpItem plain = plainPoll.add(source, Events.IN);
    EpItem exclusive = exclusivePoll.add(source, Events.IN | Events.EXCLUSIVE);
    source.waitQueue().giveBack(Events.IN);
    assertThat(plain.isQueued()).isFalse();
    assertThat(exclusive.isQueued()).isTrue();
    exclusive.remove();
    source.waitQueue().giveBack(Events.IN);
    assertThat(plain.isQueued()).isFalse();
    source.close();
    source.waitQueue().giveBack(Events.IN);
  }
}
