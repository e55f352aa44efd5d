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
import org.junit.jupiter.api.Test;

/** Scenarios S070 to S082: modify, remove, close, and what an item's identity is. */
@EveryPath
class ModifyRemoveCloseTest {
  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();
  private final FakeSource a = FakeSource.ready("a", Events.IN);
  private final FakeSource b = FakeSource.ready("b", Events.IN);

  @Test
  void s070_aQueuedItemModifiedToAnUnreadyMaskIsDropped() {
    EpItem item = poll.add(a, Events.IN);
    item.modify(Events.OUT);
    assertThat(item.isQueued()).isTrue(); // modify never takes off the list, the next scan does
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
  }

  @Test
  void s071_aQueuedItemThatIsRemovedIsNotDelivered() {
    EpItem item = poll.add(a, Events.IN);
    item.remove();
    assertThat(item.isQueued()).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s073_anActiveItemReportsTheNewMaskOnly() {
    a.set(Events.IN | Events.OUT);
    EpItem item = poll.add(a, Events.IN);
    assertThat(Taken.now(poll)).containsExactly("a IN");
    item.modify(Events.OUT);
    assertThat(Taken.now(poll)).containsExactly("a OUT");
    assertThat(Taken.now(poll)).containsExactly("a OUT");
  }

  @Test
  void s074_aClosedSourceLeavesSilently() throws InterruptedException {
    EpItem item = poll.add(a, Events.IN);
    a.close();
    assertThat(poll.size()).isZero();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.await(new ReadyEvents(4), Duration.ofMillis(100))).isZero();
    assertThat(time.passed()).isEqualTo(100_000_000);
    assertThat(poll.items()).isEmpty();
    assertThat(poll.find(a)).isNull();
  }

  @Test
  void s077_twoTagsOfOneSourceAreTwoItems() {
    EventFd fd = EventFd.create();
    EpItem first = poll.add(fd, 0, Events.IN, "first");
    EpItem second = poll.add(fd, 7, Events.IN, "second");
    assertThat(poll.size()).isEqualTo(2);
    assertThat(poll.find(fd, 7)).isSameAs(second);
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("first IN", "second IN");
    second.remove();
    assertThat(Taken.now(poll)).containsExactly("first IN");
    assertThat(poll.find(fd)).isSameAs(first);
    fd.close();
    assertThat(poll.size()).isZero();
  }

  @Test
  void s079_anAttachmentIsNoIdentity() {
    EpItem old = poll.add(a, Events.IN, "key");
    a.close();
    EpItem fresh = poll.add(b, Events.IN, "key");
    assertThat(fresh).isNotEqualTo(old);
    assertThat(old.isValid()).isFalse();
    assertThat(fresh.isValid()).isTrue();
    assertThat(poll.items()).containsExactly(fresh);
    refused(Errno.ENOENT, old::remove);
    assertThat(Taken.now(poll)).containsExactly("key IN");
  }

  @Test
  void s080_aStaleEventOfTheSameBatchIsTold() {
    poll.add(a, Events.IN, "a");
    EpItem itemOfB = poll.add(b, Events.IN, "key");
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
    // the handler of a's event:
    itemOfB.remove();
    FakeSource c = FakeSource.ready("c", Events.OUT);
    EpItem itemOfC = poll.add(c, Events.OUT, "key");
    // the rest of the batch:
    assertThat(ready.item(0).isValid()).isTrue();
    assertThat(ready.item(1)).isSameAs(itemOfB).isNotEqualTo(itemOfC);
    assertThat(ready.item(1).isValid()).isFalse();
    assertThat(ready.source(1)).isSameAs(b);
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("a IN", "key OUT");
  }

  @Test
  void s080_theSameSourceAddedAgainIsAnotherItem() {
    EpItem old = poll.add(a, Events.IN);
    ReadyEvents ready = new ReadyEvents(4);
    poll.awaitNow(ready);
    old.remove();
    EpItem fresh = poll.add(a, Events.IN);
    assertThat(ready.item(0).isValid()).isFalse();
    assertThat(fresh.isValid()).isTrue();
    refused(Errno.ENOENT, old::remove);
    assertThat(poll.find(a)).isSameAs(fresh);
  }

  @Test
  void s082_controlCallsDoNotTouchTheSource() {
    EventFd semaphore = EventFd.semaphore(3);
    EventPoll other = time.poll();
    other.add(semaphore, Events.IN | Events.OUT | Events.ET);
    assertThat(Taken.now(other)).hasSize(1);
    EpItem item = poll.add(semaphore, Events.IN);
    item.modify(Events.OUT);
    item.remove();
    assertThat(semaphore.count()).isEqualTo(3);
    assertThat(semaphore.tryRead()).isEqualTo(1);
    assertThat(Taken.now(other)).as("the read is an edge").hasSize(1);
    poll.add(semaphore, Events.IN).remove();
    assertThat(Taken.now(other)).as("add and remove are none").isEmpty();
    assertThat(semaphore.waitQueue().isClosed()).isFalse();
  }
}
