package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import io.github.eventpoll.source.EventFd;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** size, items, find, dump and the handles: what can be seen of a poll, at any time. */
@EveryPath
class LookingTest {
  private final EventPoll poll = Polls.create();
  private final FakeSource a = FakeSource.idle("a");
  private final FakeSource b = FakeSource.idle("b");

  @Test
  void itemsComeInTheOrderOfTheirSourcesCreationThenTag() {
    EpItem ofB = poll.add(b, Events.IN);
    EpItem second = poll.add(a, 5, Events.IN, null);
    EpItem first = poll.add(a, -5, Events.IN, null);
    assertThat(poll.items()).containsExactly(first, second, ofB);
    assertThat(poll.size()).isEqualTo(3);
  }

  @Test
  void itemsAreASnapshot() {
    EpItem item = poll.add(a, Events.IN);
    List<EpItem> items = poll.items();
    poll.add(b, Events.IN);
    item.remove();
    assertThat(items).containsExactly(item);
    assertThatThrownBy(items::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void identityIsTheSourceObjectAndTheTag() {
    EventFd one = EventFd.create();
    EventFd same = EventFd.create();
    EpItem item = poll.add(one, Events.IN);
    EpItem tagged = poll.add(one, Long.MIN_VALUE, Events.IN, null);
    EpItem other = poll.add(same, Events.IN);
    assertThat(poll.find(one)).isSameAs(item);
    assertThat(poll.find(one, 0)).isSameAs(item);
    assertThat(poll.find(one, Long.MIN_VALUE)).isSameAs(tagged);
    assertThat(poll.find(same)).isSameAs(other);
    assertThat(poll.find(one, 1)).isNull();
    assertThat(Polls.create().find(one)).isNull();
  }

  @Test
  void aSourceThatSharesAnothersQueueIsRefused() {
    Pollable parasite =
        new Pollable() {
          @Override
          public int readiness() {
            return 0;
          }

          @Override
          public WaitQueue waitQueue() {
            return a.waitQueue();
          }

          @Override
          public String toString() {
            return "parasite";
          }
        };
    EpItem item = poll.add(a, Events.IN);
    refused(Errno.EINVAL, () -> poll.add(parasite, Events.IN), "parasite", "shares", "a");
    assertThat(poll.find(parasite)).isNull();
    assertThat(poll.find(a)).isSameAs(item);
  }

  @Test
  void aHandleTellsWhatWasRegistered() {
    EpItem item = poll.add(a, 7, Events.IN | Events.ET, "x");
    assertThat(item.poll()).isSameAs(poll);
    assertThat(item.source()).isSameAs(a);
    assertThat(item.tag()).isEqualTo(7);
    assertThat(item.interest()).isEqualTo(Events.IN | Events.ET | Events.ERR | Events.HUP);
    assertThat(item.attachment()).isEqualTo("x");
    assertThat(item.isValid()).isTrue();
    assertThat(item.isArmed()).isTrue();
    assertThat(item.isQueued()).isFalse();
    assertThat(item.failure()).isNull();
    assertThat(item).hasToString("EpItem[a tag 7 in " + poll + ", IN|ERR|HUP|ET]");
    item.remove();
    assertThat(item.toString()).contains("removed");
    assertThat(item.source()).isSameAs(a);
  }

  @Test
  void dumpShowsItemsModesAndQueue() {
    poll.add(a, Events.IN | Events.ET);
    EpItem ofB = poll.add(b, 3, Events.OUT | Events.ONESHOT, "x");
    b.become(Events.OUT);
    assertThat(poll.dump())
        .isEqualTo(
            poll
                + ": 2 items, 1 queued, 0 waiters\n"
                + "  item a IN|ERR|HUP|ET\n"
                + "  item b tag 3 OUT|ERR|HUP|ONESHOT queued\n");
    Taken.now(poll);
    assertThat(ofB.isArmed()).isFalse();
    assertThat(poll.dump()).contains("2 items, 0 queued", "  item b tag 3 ONESHOT disarmed\n");
    poll.close();
    assertThat(poll.dump()).isEqualTo(poll + " closed: 0 items, 0 queued, 0 waiters\n");
  }

  @Test
  void dumpShowsWaiters() {
    Waiter waiter = new Waiter(Thread.currentThread());
    assertThat(poll.sleepers.enlist(waiter)).isTrue();
    assertThat(poll.dump())
        .contains("1 waiters", "  waiter " + Thread.currentThread().getName() + " running\n");
    assertThat(waiter.tryPark()).isTrue();
    assertThat(poll.dump()).contains(" parked\n");
    waiter.awake();
    poll.sleepers.withdraw(waiter);
    assertThat(poll.dump()).contains("0 waiters");
  }

  @Test
  void lookingWaitsForNobody() throws Exception {
    EpItem item = poll.add(a, Events.IN);
    poll.control.lock(); // as if a scan hung in some source
    try {
      CompletableFuture<String> seen =
          CompletableFuture.supplyAsync(
              () ->
                  poll.size()
                      + " "
                      + poll.items().size()
                      + " "
                      + (poll.find(a) == item)
                      + " "
                      + item.isValid()
                      + item.isQueued()
                      + item.isArmed()
                      + poll.isClosed()
                      + poll.dump().contains("1 items"));
      assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("1 1 true truefalsetruefalsetrue");
    } finally {
      poll.control.unlock();
    }
  }

  @Test
  void pollsHaveNumbers() {
    assertThat(poll.toString()).matches("EventPoll#\\d+").isNotEqualTo(Polls.create() + "");
  }

  @Test
  void errorsAreTheOnesOfTheirKind() {
    assertThatThrownBy(() -> poll.add(poll, Events.IN))
        .isInstanceOf(IllegalArgumentException.class);
    poll.add(a, Events.IN);
    assertThatThrownBy(() -> poll.add(a, Events.IN)).isInstanceOf(IllegalStateException.class);
    poll.close();
    assertThatThrownBy(poll::wakeup)
        .isInstanceOf(ClosedEventPollException.class)
        .isInstanceOf(EventPollStateException.class)
        .hasMessage("EBADF: " + poll + " is closed");
  }
}
