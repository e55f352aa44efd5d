package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.ClosedEventPollException;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Changes made by one thread while another one sleeps in the selector, and several waiters. */
@EveryPath
class LiveChangeTest extends ChannelTest {
  private Link link;
  private ChannelSource source;

  @BeforeEach
  void connect() throws Exception {
    link = link();
    source = ChannelSource.of(link.ours);
    poll.add(ChannelSource.of(link().ours), Events.IN, "idle");
  }

  private Sleeper leader() {
    Sleeper leader = Sleeper.on(poll);
    assertThat(leader.isSelecting()).isTrue();
    return leader;
  }

  @Test
  @DisplayName("NOTES 50: a readable channel that is added reaches the thread that sleeps")
  void add() throws Exception {
    link.send(1);
    Sleeper leader = leader();
    poll.add(source, Events.IN, "c");
    assertThat(leader.events()).containsExactly("c IN");
  }

  @Test
  @DisplayName("a thread that is parked, because the poll had no channel, begins to lead")
  void addTheFirstChannel() throws Exception {
    EventPoll empty = closedLater(Polls.create());
    Sleeper parked = Sleeper.on(empty);
    assertThat(parked.isParked()).isTrue();
    empty.add(source, Events.IN, "c");
    parked.untilSelecting();
    link.send(1);
    assertThat(parked.events()).containsExactly("c IN");
  }

  @Test
  @DisplayName("KR-33: a channel that is armed again reaches the thread that sleeps")
  void modify() throws Exception {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT, "c");
    link.send(1);
    assertThat(await()).containsExactly("c IN");
    Sleeper leader = leader();
    item.modify(Events.IN | Events.ONESHOT);
    assertThat(leader.events()).containsExactly("c IN");
  }

  @Test
  void modifyToNothing_thenRemove() throws Exception {
    EpItem item = poll.add(source, Events.IN, "c");
    Sleeper leader = leader();
    item.modify(0);
    leader.untilSelecting();
    link.send(1);
    item.remove();
    leader.untilSelecting();
    poll.wakeup();
    assertThat(leader.events()).isEmpty();
  }

  @Test
  @DisplayName("KR-39, I-55, I-43, NOTES 44: remove, then add at once; nobody waits")
  void removeThenAdd() throws Exception {
    link.send(1);
    for (int i = 0; i < 20; i++) {
      EpItem item = poll.add(source, Events.IN, i);
      assertThat(await()).containsExactly(i + " IN");
      item.remove();
    }
  }

  @RepeatedTest(5)
  @DisplayName("KR-39, I-56, I-71: remove, then add at once, while a thread sleeps")
  void removeThenAddUnderALeader() throws Exception {
    EpItem item = poll.add(source, Events.IN, "first");
    Sleeper leader = leader();
    for (int i = 0; i < 200; i++) {
      item.remove();
      item = poll.add(source, Events.IN, i);
    }
    leader.untilSelecting();
    link.send(1);
    assertThat(leader.events()).containsExactly("199 IN");
  }

  @Test
  void moveBetweenPolls() throws Exception {
    EventPoll other = closedLater(Polls.create());
    Sleeper here = leader();
    Sleeper there = Sleeper.on(other);
    EpItem item = poll.add(source, Events.IN, "here");
    for (int i = 0; i < 20; i++) {
      item.remove();
      item = other.add(source, Events.IN, "there");
      item.remove();
      item = poll.add(source, Events.IN, "here");
    }
    item.remove();
    other.add(source, Events.IN, "there");
    link.send(1);
    assertThat(there.events()).containsExactly("there IN");
    poll.wakeup();
    assertThat(here.events()).isEmpty();
  }

  @Test
  void theSameChannelInTwoPolls() throws Exception {
    EventPoll other = closedLater(Polls.create());
    poll.add(source, Events.IN, "here");
    other.add(source, Events.IN, "there");
    Sleeper here = leader();
    Sleeper there = Sleeper.on(other);
    link.send(1);
    assertThat(here.events()).containsExactly("here IN");
    assertThat(there.events()).containsExactly("there IN");
    read(source, 1);
    assertThat(now()).isEmpty();
    assertThat(now(other)).isEmpty();
  }

  @Test
  @DisplayName("one of two waiters leads, and the parked one takes the turn when it leaves (KR-28)")
  void promotion() throws Exception {
    poll.add(source, Events.IN | Events.ONESHOT, "c");
    Sleeper first = leader();
    Sleeper second = Sleeper.on(poll);
    assertThat(second.isParked()).isTrue();
    link.send(1);
    Sleeper.until(() -> first.isDone() || second.isDone(), "the event");
    Sleeper left = first.isDone() ? second : first;
    left.untilSelecting();
    Link late = link();
    poll.add(ChannelSource.of(late.ours), Events.IN, "late");
    late.send(1);
    assertThat(left.events()).containsExactly("late IN");
  }

  @Test
  @DisplayName("KR-29: the leader takes what it reports itself; a follower takes events in memory")
  void whoIsChosen() throws Exception {
    poll.add(source, Events.IN | Events.ET, "c");
    EventFd counter = EventFd.create();
    poll.add(counter, Events.IN | Events.ET, "m");
    Sleeper leading = leader();
    Sleeper following = Sleeper.on(poll);
    counter.tryWrite(1);
    assertThat(following.events()).containsExactly("m IN");
    leading.untilSelecting();
    Sleeper again = Sleeper.on(poll);
    link.send(1);
    assertThat(leading.events()).containsExactly("c IN");
    again.untilSelecting();
    poll.wakeup();
    again.events();
  }

  @Test
  void manyWaiters_eachGetsAnEvent() throws Exception {
    List<Sleeper> sleepers = new ArrayList<>();
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      links.add(link());
      poll.add(ChannelSource.of(links.get(i).ours), Events.IN | Events.ONESHOT, i);
      sleepers.add(Sleeper.on(poll, (from, to) -> from.await(to)));
    }
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      links.get(i).send(1);
      int done = i + 1;
      Sleeper.until(() -> sleepers.stream().filter(Sleeper::isDone).count() >= done, poll);
    }
    for (Sleeper sleeper : sleepers) {
      seen.addAll(sleeper.events());
    }
    assertThat(seen).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("NOTES 1, 2: a timer, a queue, a wakeup and a socket in one wait")
  void everyKindOfSource() throws Exception {
    poll.add(source, Events.IN, "socket");
    QueueSource<String> queue = QueueSource.unbounded();
    poll.add(queue, Events.IN, "queue");
    Timer timer = Timer.create();
    EpItem ticking = poll.add(timer, Events.IN, "timer");
    Sleeper leader = leader();
    queue.offer("x");
    assertThat(leader.events()).containsExactly("queue IN");
    queue.poll();
    leader = leader();
    link.send(1);
    assertThat(leader.events()).containsExactly("socket IN");
    read(source, 1);
    leader = leader();
    timer.set(Duration.ofMillis(2).plusNanos(300_000));
    assertThat(leader.events()).containsExactly("timer IN");
    ticking.remove();
    leader = leader();
    poll.wakeup();
    assertThat(leader.events()).isEmpty();
  }

  @Test
  @DisplayName(
      "KR-43, NOTES 38: an interrupt ends the wait of a leader, closes nothing, does not spin")
  void interrupt() throws Exception {
    poll.add(source, Events.IN, "c");
    Sleeper leader = leader();
    leader.interruptUntil(leader::isDone);
    assertThatThrownBy(leader::events).hasCauseInstanceOf(InterruptedException.class);
    assertThat(link.ours.isOpen()).isTrue();
    link.send(1);
    assertThat(await()).containsExactly("c IN");
  }

  @Test
  @DisplayName("KR-43: an uninterruptible leader sleeps on")
  void interruptOfAnUninterruptibleWait() throws Exception {
    ChannelDriver driver = ChannelDriver.open();
    EventPoll own = closedLater(driver.poll(Polls.builder()));
    own.add(source, Events.IN, "c");
    Sleeper leader = Sleeper.on(own, EventPoll::awaitUninterruptibly);
    for (int i = 0; i < 3; i++) {
      leader.interruptUntil(() -> !leader.thread.isInterrupted());
      leader.untilSelecting();
    }
    assertThat(driver.passes()).isLessThan(20);
    link.send(1);
    assertThat(leader.events()).containsExactly("c IN");
  }

  @Test
  void anInterruptedThreadMayChangeWake_andLook() throws Exception {
    Sleeper leader = leader();
    Thread.currentThread().interrupt();
    try {
      EpItem item = poll.add(source, Events.IN, "c");
      item.modify(Events.OUT);
      Sleeper.until(leader::isDone, leader);
      item.modify(Events.IN);
      assertThat(now()).isEmpty();
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(leader.events()).containsExactly("c OUT");
    link.send(1);
    assertThat(await()).containsExactly("c IN");
  }

  @Test
  @DisplayName("KR-40: closing a poll ends the wait of the thread that sleeps in its selector")
  void closePoll() throws Exception {
    poll.add(source, Events.IN, "c");
    Sleeper leader = leader();
    Sleeper follower = Sleeper.on(poll);
    poll.close();
    assertThatThrownBy(leader::events).hasCauseInstanceOf(ClosedEventPollException.class);
    assertThatThrownBy(follower::events).hasCauseInstanceOf(ClosedEventPollException.class);
    assertThat(link.ours.isOpen()).isTrue();
    Sleeper.until(() -> !link.ours.isRegistered(), "the key to be flushed");
    link.ours.configureBlocking(true);
  }

  @Test
  void awaitOne() throws Exception {
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ZERO)).isZero();
    link.send(1);
    assertThat(EventPoll.awaitOne(source, Events.IN, LONG)).isEqualTo(Events.IN);
    assertThat(EventPoll.awaitOne(source, Events.OUT, LONG)).isEqualTo(Events.OUT);
    read(source, 1);
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ofMillis(3))).isZero();
    assertThat(link.ours.isRegistered()).as("nothing is left behind").isFalse();
    SocketChannel ours = link.ours;
    Sleeper waiter =
        Sleeper.started(
            poll,
            (poll, to) -> {
              int bits = EventPoll.awaitOne(source, Events.IN, null);
              assertThat(bits).isEqualTo(Events.IN);
              return 0;
            });
    Sleeper.until(ours::isRegistered, "the waiter to sleep");
    link.send(1);
    assertThat(waiter.events()).isEmpty();
    Sleeper.until(() -> !ours.isRegistered(), "the key to be flushed");
  }

  @Test
  @DisplayName("what a selector said once is not believed of a channel that is added later")
  void stateIsNotStaleAfterRemove() throws Exception {
    link.send(1);
    EpItem item = poll.add(source, Events.IN | Events.ET, "c");
    assertThat(await()).containsExactly("c IN");
    assertThat(EventPoll.awaitOne(source, Events.IN, LONG)).isEqualTo(Events.IN);
    item.remove();
    link.ours.read(java.nio.ByteBuffer.allocate(9)); // not through the source
    poll.add(source, Events.IN, "c");
    assertThat(now()).isEmpty();
    assertThat(EventPoll.awaitOne(source, Events.IN, Duration.ZERO)).isZero();
  }
}
