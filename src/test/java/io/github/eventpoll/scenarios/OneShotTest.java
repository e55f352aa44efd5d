package io.github.eventpoll.scenarios;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Scenarios S052 to S058: one-shot items. */
@EveryPath
class OneShotTest {
  private static final int IN_ONESHOT = Events.IN | Events.ONESHOT;

  private final EventPoll poll = Polls.create();
  private final EventFd fd = EventFd.create();

  @Test
  void s052_afterFiringTheItemIsStillRegistered() {
    EpItem item = fired();
    assertThat(item.isArmed()).isFalse();
    assertThat(item.isValid()).isTrue();
    refused(Errno.EEXIST, () -> poll.add(fd, IN_ONESHOT));
    item.modify(IN_ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    item.remove();
    refused(Errno.ENOENT, item::remove);
  }

  private EpItem fired() {
    EpItem item = poll.add(fd, IN_ONESHOT, "fd");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    assertThat(Taken.now(poll)).isEmpty();
    return item;
  }

  @Test
  void s053_afterFiringNotEvenHangUpIsReported() {
    FakeSource pipe = FakeSource.ready("pipe", Events.IN);
    EpItem item = poll.add(pipe, IN_ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("pipe IN");
    pipe.become(Events.HUP);
    assertThat(item.isQueued()).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(0);
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
    assertThat(Taken.now(poll)).containsExactly("pipe HUP");
  }

  @Test
  void s055_twoPollsTwoWorkersNoRoundHangs() throws Exception {
    EventPoll second = Polls.create();
    EpItem one = poll.add(fd, IN_ONESHOT);
    EpItem two = second.add(fd, IN_ONESHOT);
    Semaphore read = new Semaphore(0);
    CompletableFuture<Void> worker1 = worker(one, read);
    CompletableFuture<Void> worker2 = worker(two, read);
    for (int round = 0; round < 16_384; round++) {
      fd.tryWrite(1);
      assertThat(read.tryAcquire(30, TimeUnit.SECONDS)).as("round %d", round).isTrue();
    }
    poll.close();
    second.close();
    worker1.get(30, TimeUnit.SECONDS);
    worker2.get(30, TimeUnit.SECONDS);
  }

  /** Reads what its poll reports and arms again, until the poll is closed. */
  private CompletableFuture<Void> worker(EpItem item, Semaphore read) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                ReadyEvents ready = new ReadyEvents(1);
                for (; ; ) {
                  item.poll().await(ready);
                  read.release((int) fd.tryRead());
                  item.modify(IN_ONESHOT);
                }
              } catch (ClosedEventPollException e) {
                end.complete(null);
              } catch (Throwable t) {
                end.completeExceptionally(t);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  @Test
  void s056_manyWritesWhileDisarmedAreOneEventAfterwards() {
    EpItem item = fired();
    for (int i = 0; i < 10; i++) {
      fd.tryWrite(1);
    }
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(IN_ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s058_removedAfterFiringNothingReachesTheItem() {
    EpItem item = fired();
    item.remove();
    fd.tryWrite(1);
    assertThat(fd.waitQueue().hasEntries()).isFalse();
    assertThat(item.isQueued()).isFalse();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(Taken.now(poll)).isEmpty();
  }
}
