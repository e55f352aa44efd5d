package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios S001 to S017: control calls and what they refuse. */
@EveryPath
class ControlCallsTest {
  private final EventPoll poll = Polls.create();
  private final FakeSource a = FakeSource.idle("a");

  @Test
  void s001_aPollCannotWatchItself() {
    refused(Errno.EINVAL, () -> poll.add(poll, Events.IN), poll, "itself");
    assertThat(poll.size()).isZero();
    assertThat(poll.find(poll)).isNull(); // so there is no handle to modify or remove
  }

  @Test
  void s004_aSecondAddIsRefusedAndTheFirstKeepsItsAttachment() {
    poll.add(a, Events.IN, 42);
    refused(Errno.EEXIST, () -> poll.add(a, Events.OUT, 43), a, "registered already");
    a.become(Events.IN | Events.OUT);
    assertThat(Taken.now(poll)).containsExactly("42 IN");
  }

  @Test
  void s005_nullIsFoundBeforeAnythingElse() {
    poll.close();
    assertThatNullPointerException()
        .isThrownBy(() -> poll.add(null, Events.IN))
        .withMessage("source");
    assertThatNullPointerException().isThrownBy(() -> poll.find(null)).withMessage("source");
    assertThatNullPointerException().isThrownBy(() -> poll.await(null)).withMessage("ready");
    assertThatNullPointerException().isThrownBy(() -> poll.awaitNow(null)).withMessage("ready");
    assertThatNullPointerException()
        .isThrownBy(() -> poll.awaitNanos(null, 1))
        .withMessage("ready");
    assertThatNullPointerException()
        .isThrownBy(() -> poll.awaitUntil(null, 1))
        .withMessage("ready");
    assertThatNullPointerException()
        .isThrownBy(() -> poll.awaitUninterruptibly(null))
        .withMessage("ready");
    assertThatNullPointerException()
        .isThrownBy(() -> poll.awaitUninterruptibly(null, Duration.ZERO))
        .withMessage("ready");
    assertThatNullPointerException()
        .isThrownBy(() -> poll.await(new ReadyEvents(1), (Duration) null));
    assertThatNullPointerException()
        .isThrownBy(() -> poll.awaitUninterruptibly(new ReadyEvents(1), null));
    assertThatNullPointerException()
        .isThrownBy(() -> EventPoll.awaitOne(null, Events.IN, Duration.ZERO));
  }

  @Test
  void s007_everyCallOnAClosedPollFails() {
    EpItem item = poll.add(a, Events.IN);
    ReadyEvents ready = new ReadyEvents(1);
    poll.close();
    poll.close();
    assertThat(poll.isClosed()).isTrue();
    refused(Errno.EBADF, () -> poll.add(a, Events.IN), poll, "closed");
    refused(Errno.EBADF, () -> item.modify(Events.IN), poll, "closed");
    refused(Errno.EBADF, () -> item.modify(Events.IN, "x"), poll, "closed");
    refused(Errno.EBADF, item::remove, poll, "closed");
    assertThatThrownBy(() -> poll.await(ready)).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.awaitNow(ready)).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.awaitNanos(ready, 1))
        .isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(() -> poll.awaitUninterruptibly(ready))
        .isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(poll::wakeup).isInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(poll::wakeupAll).isInstanceOf(ClosedEventPollException.class);
    assertThat(poll.size()).isZero();
    assertThat(poll.items()).isEmpty();
    assertThat(poll.find(a)).isNull();
    assertThat(poll.readiness()).isZero();
    assertThat(poll.dump()).contains("closed", "0 items");
  }

  @Test
  void s008_removingAnItemWhoseSourceClosedIsRefusedAndThePollWorksOn() {
    EpItem item = poll.add(a, Events.IN);
    a.close();
    assertThat(poll.size()).isZero();
    refused(Errno.ENOENT, item::remove, a, "not registered");
    refused(Errno.ENOENT, () -> item.modify(Events.IN), a, "not registered");
    refused(Errno.EBADF, () -> poll.add(a, Events.IN), a, "closed");
    FakeSource b = FakeSource.ready("b", Events.IN);
    poll.add(b, Events.IN);
    assertThat(Taken.now(poll)).containsExactly("b IN");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x800, 0x1000, 0x4000, 1 << 15, 1 << 27, -1})
  void s010_unknownBitsAreRefused(int bits) {
    String text = "0x" + Integer.toHexString(bits & ~known());
    refused(Errno.EINVAL, () -> poll.add(a, Events.IN | bits), "unknown bits", text);
    assertThat(poll.size()).isZero();
    EpItem item = poll.add(a, Events.IN);
    refused(Errno.EINVAL, () -> item.modify(Events.OUT | bits), "unknown bits", text);
    assertThat(item.interest()).isEqualTo(Events.IN | Events.ERR | Events.HUP);
  }

  private static int known() {
    return Events.IN
        | Events.PRI
        | Events.OUT
        | Events.ERR
        | Events.HUP
        | Events.RDNORM
        | Events.RDBAND
        | Events.WRNORM
        | Events.WRBAND
        | Events.MSG
        | Events.RDHUP
        | Events.ET
        | Events.ONESHOT
        | Events.EXCLUSIVE
        | Events.WAKEUP;
  }

  @Test
  void s010_everyKnownBitIsAcceptedAndStored() {
    int mask = known() & ~Events.EXCLUSIVE;
    EpItem item = poll.add(a, mask);
    assertThat(item.interest()).isEqualTo(mask);
    item.modify(Events.WAKEUP);
    assertThat(item.interest()).isEqualTo(Events.WAKEUP | Events.ERR | Events.HUP);
  }

  @Test
  void s011_aSourceWithoutQueueIsRefused() {
    Pollable file = new Unpollable();
    refused(Errno.EPERM, () -> poll.add(file, Events.IN), "a file", "no wait queue");
    refused(Errno.EPERM, () -> EventPoll.awaitOne(file, Events.IN, Duration.ZERO), "a file");
    assertThat(poll.size()).isZero();
    assertThat(poll.find(file)).isNull();
  }

  private static final class Unpollable implements Pollable {
    @Override
    public int readiness() {
      return Events.IN;
    }

    @Override
    public WaitQueue waitQueue() {
      return null;
    }

    @Override
    public String toString() {
      return "a file";
    }
  }

  @Test
  void s013_aFailedSecondRegistrationDoesNotDisturbTheFirst() {
    EventFd fd = EventFd.create();
    EpItem first = poll.add(fd, Events.IN, "first");
    refused(Errno.EEXIST, () -> poll.add(fd, Events.IN, "second"));
    assertThat(poll.items()).containsExactly(first);
    assertThat(poll.find(fd)).isSameAs(first);
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("first IN");
  }

  @Test
  void s014_whatWasNeverRegisteredIsNotFound() {
    EpItem item = poll.add(a, Events.IN);
    assertThat(poll.find(FakeSource.idle("b"))).isNull();
    assertThat(poll.find(a, 1)).isNull();
    item.remove();
    refused(Errno.ENOENT, item::remove, a, "not registered");
    assertThat(poll.find(a)).isNull();
    assertThat(poll.size()).isZero();
  }

  @Test
  void s016_aSourceThatClosesDuringAddIsNotRegisteredInSilence() {
    // traits() runs after the source was seen open and before its queue is joined: KR-17.
    a.whenTraits(a::close);
    refused(Errno.EBADF, () -> poll.add(a, Events.IN), a, "closed");
    assertThat(poll.size()).isZero();
    assertThat(poll.items()).isEmpty();
  }

  @Test
  void s016_aSourceThatClosesWhileItIsFirstAskedLeavesAnInvalidItem() {
    a.set(Events.IN);
    a.whenAsked(a::close);
    EpItem item = poll.add(a, Events.IN);
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(Taken.now(poll)).isEmpty();
  }
}
