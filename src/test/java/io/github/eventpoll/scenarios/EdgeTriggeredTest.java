package io.github.eventpoll.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.source.EventFd;
import org.junit.jupiter.api.Test;

/** Scenarios S034 to S049: edge-triggered items. */
@EveryPath
class EdgeTriggeredTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final EventFd fd = EventFd.create();

  @Test
  void s034_everyWriteIsAnEdge() {
    poll.add(fd, IN_ET, "fd");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s035_writesBetweenTwoWaitsAreOneEvent() {
    poll.add(fd, IN_ET, "fd");
    fd.tryWrite(1);
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s037_aReadIsAnOutEdge() {
    poll.add(fd, Events.IN | Events.OUT | Events.ET, "fd");
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN|OUT");
    fd.tryRead();
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s038_aPartialReadOfASemaphoreIsNoEdge() {
    EventFd semaphore = EventFd.semaphore(7);
    poll.add(semaphore, IN_ET, "s");
    assertThat(Taken.now(poll)).containsExactly("s IN");
    assertThat(semaphore.tryRead()).isEqualTo(1);
    assertThat(Taken.now(poll)).isEmpty();
    semaphore.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("s IN");
  }

  @Test
  void s040_anEdgeBetweenTwoWaitsIsNotSampledAway() {
    poll.add(fd, IN_ET, "fd");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    fd.tryRead();
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @Test
  void s043_modifyingToAnotherReadyBitReportsIt() {
    EpItem item = poll.add(fd, Events.OUT | Events.ET, "fd");
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(IN_ET);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @Test
  void s044_oneShotPrevailsOverEdge() {
    EpItem item = poll.add(fd, Events.IN | Events.OUT | Events.ET | Events.ONESHOT, "fd");
    assertThat(Taken.now(poll)).containsExactly("fd OUT");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).isEmpty();
    item.modify(Events.IN | Events.OUT | Events.ET | Events.ONESHOT);
    assertThat(Taken.now(poll)).containsExactly("fd IN|OUT");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s046_addingToASecondPollIsNoEdgeForTheFirst() {
    poll.add(fd, IN_ET, "first");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("first IN");
    EventPoll second = Polls.create();
    second.add(fd, IN_ET, "second");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(Taken.now(second)).containsExactly("second IN");
  }

  @Test
  void s047_fromEdgeToLevel() {
    EpItem item = poll.add(fd, IN_ET, "fd");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    item.modify(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("fd IN");
    assertThat(Taken.now(poll)).containsExactly("fd IN");
  }

  @Test
  void s049_aPartialReadByAnotherThreadIsNoEdge() throws InterruptedException {
    EventFd semaphore = EventFd.semaphore(2);
    poll.add(semaphore, IN_ET, "s");
    assertThat(Taken.now(poll)).containsExactly("s IN");
    Thread reader = new Thread(semaphore::tryRead);
    reader.start();
    reader.join();
    assertThat(semaphore.count()).isEqualTo(1);
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s199_levelAndEdgeOnOneSourceAreIndependent() {
    EventPoll level = Polls.create();
    poll.add(fd, IN_ET, "edge");
    level.add(fd, Events.IN, "level");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("edge IN");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(Taken.now(level)).containsExactly("level IN");
    assertThat(Taken.now(level)).containsExactly("level IN");
    fd.tryWrite(1);
    assertThat(Taken.now(poll)).containsExactly("edge IN");
    fd.tryRead();
    assertThat(Taken.now(level)).isEmpty();
    assertThat(Taken.now(poll)).isEmpty();
  }
}
