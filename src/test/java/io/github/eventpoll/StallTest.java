package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Stall.Kind;
import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.source.BytePipe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Each kind of stall provoked and found by {@code checkStalls()}, and not found where all is well.
 */
class StallTest extends LeaderScene {
  private final FakeSource source = FakeSource.idle("source");
  private final ReadyEvents ready = new ReadyEvents(8);

  /** What a look finds, a second after the one before. */
  private List<Kind> later(EventPoll poll) {
    time.advance(SECOND);
    return kinds(poll.checkStalls());
  }

  private static List<Kind> kinds(List<Stall> stalls) {
    return stalls.stream().map(Stall::kind).collect(Collectors.toList());
  }

  /** Puts an item on the list as a callback does, and forgets to wake anybody. */
  private static void listInSilence(EventPoll poll, EpItem item) {
    poll.control.lock();
    try {
      assertThat(poll.path.link(item)).isTrue();
    } finally {
      poll.releaseControl();
    }
  }

  // ---------------------------------------------------------------------------- NOT_WOKEN

  @Test
  void notWoken_isFoundWhenItHasLasted() {
    EpItem item = a.add(source, IN);
    Wait wait = waiters.awaiting(a, 1).get(0);
    source.set(IN);
    listInSilence(a, item);
    assertThat(a.checkStalls()).as("the first look").isEmpty();
    time.advanceNanos(SECOND.toNanos() - 1);
    assertThat(a.checkStalls()).as("not yet").isEmpty();
    time.advanceNanos(1);
    List<Stall> found = a.checkStalls();
    assertThat(kinds(found)).containsExactly(Kind.NOT_WOKEN);
    assertThat(found.get(0).item()).isSameAs(item);
    assertThat(found.get(0).poll()).isSameAs(a);
    assertThat(found.get(0).text())
        .contains("source is on the ready list", wait.thread.getName() + " parked");
    assertThat(later(a)).as("it goes on").containsExactly(Kind.NOT_WOKEN);
    source.ring(IN);
    assertThat(wait.source()).isSameAs(source);
    assertThat(later(a)).isEmpty();
  }

  @Test
  void notWoken_anotherSleepIsAnotherState() {
    EpItem item = a.add(source, IN);
    Wait first = waiters.awaiting(a, 1).get(0);
    listInSilence(a, item);
    assertThat(a.checkStalls()).isEmpty();
    a.wakeup(); // looks, finds nothing and drops the item
    first.result();
    waiters.awaiting(a, 1);
    listInSilence(a, item);
    assertThat(later(a)).as("listed and asleep, but not since then").isEmpty();
    assertThat(later(a)).containsExactly(Kind.NOT_WOKEN);
    a.wakeup();
  }

  @Test
  void notWoken_notWhileEveryoneIsServed() {
    a.add(source, IN | Events.ET);
    for (int i = 0; i < 4; i++) {
      Wait wait = waiters.awaiting(a, 1).get(0);
      Wait second = waiters.awaiting(a, 1).get(0);
      assertThat(later(a)).isEmpty();
      source.become(IN);
      assertThat(second.source()).as("the last that came").isSameAs(source);
      assertThat(later(a)).as("one sleeps, and nothing is listed").isEmpty();
      source.become(IN);
      wait.result();
      assertThat(later(a)).isEmpty();
    }
  }

  @Test
  void notWoken_notOfAnItemThatNobodyWaitsFor() {
    a.add(source, IN);
    source.become(IN);
    assertThat(a.checkStalls()).isEmpty();
    assertThat(later(a)).isEmpty();
    assertThat(later(a)).isEmpty();
  }

  // ------------------------------------------------------------------------ NOT_HARVESTED

  @Test
  void notHarvested_aChosenWaiterThatDoesNotCome() {
    EpItem item = a.add(source, IN);
    Hold stopped = steps.hold(Step.STOPPED);
    waiters.awaiting(a, 2);
    source.become(IN);
    stopped.reached();
    assertThat(a.checkStalls()).isEmpty();
    time.advance(SECOND);
    List<Stall> found = a.checkStalls();
    assertThat(kinds(found)).containsExactly(Kind.NOT_HARVESTED);
    assertThat(found.get(0).item()).isSameAs(item);
    assertThat(found.get(0).text()).contains(stopped.waiter().thread.getName(), "chosen");
    stopped.release();
    Waiters.until(() -> waiters.returned() == 2, waiters::toString); // level: the next is woken too
    assertThat(later(a)).isEmpty();
    assertThat(later(a)).isEmpty();
  }

  @Test
  void notHarvested_aSourceThatDoesNotAnswer() {
    a.add(source, IN);
    Hold asked = steps.hold(Step.SCAN_ASKED);
    Wait wait = waiters.awaiting(a, 1).get(0);
    source.become(IN);
    asked.reached();
    assertThat(a.checkStalls()).isEmpty();
    assertThat(later(a)).containsExactly(Kind.NOT_HARVESTED);
    asked.release();
    wait.result();
    assertThat(later(a)).isEmpty();
  }

  @Test
  void notHarvested_notIfAnotherHasTakenTheEvent() {
    a.add(source, IN | Events.ET);
    Hold stopped = steps.hold(Step.STOPPED);
    Wait slow = waiters.awaiting(a, 1).get(0);
    source.become(IN);
    stopped.reached();
    assertThat(a.checkStalls()).isEmpty();
    assertThat(now(a)).isEqualTo(1);
    assertThat(later(a)).isEmpty();
    assertThat(later(a)).isEmpty();
    stopped.release();
    source.become(IN);
    slow.result();
  }

  @Test
  void notHarvested_aWaiterThatWasInterruptedHasLooked() {
    a.add(source, IN);
    Wait wait = waiters.awaiting(a, 1).get(0);
    a.wakeup();
    assertThat(wait.result()).isZero();
    assertThat(a.sleepers.lastChosen()).isNull();
    FakeSource failing = FakeSource.idle("failing");
    a.add(failing, IN);
    Wait failed = waiters.awaiting(a, 1).get(0);
    failing.failWith(new StackOverflowError("thrown by the source"));
    failing.ring(IN);
    assertThat(failed.failure()).isInstanceOf(StackOverflowError.class);
    assertThat(a.checkStalls()).isEmpty();
    assertThat(later(a)).as("listed, and nobody waits").isEmpty();
  }

  // -------------------------------------------------------------------------- NOT_CHANGED

  private void harvest(EventPoll poll, long times) {
    for (long i = 0; i < times; i++) {
      poll.awaitNow(ready);
    }
  }

  @Test
  void notChanged_aCounterThatNobodyReads() {
    EpItem item = a.add(memory, IN);
    memory.tryWrite(1);
    assertThat(a.checkStalls()).isEmpty();
    harvest(a, StallCheck.BUSY);
    assertThat(later(a)).as("suspected").isEmpty();
    harvest(a, StallCheck.BUSY);
    assertThat(later(a)).as("seen").isEmpty();
    harvest(a, StallCheck.BUSY);
    time.advance(SECOND);
    List<Stall> found = a.checkStalls();
    assertThat(kinds(found)).containsExactly(Kind.NOT_CHANGED);
    assertThat(found.get(0).item()).isSameAs(item);
    assertThat(found.get(0).text()).contains("EventFd[1] is delivered again and again");
    memory.tryRead();
    harvest(a, StallCheck.BUSY);
    assertThat(later(a)).isEmpty();
    assertThat(memory.waitQueue().holdsOnly(item)).as("nothing is left in its queue").isTrue();
  }

  @Test
  void notChanged_aPollThatIsDeliveredAndNeverAsked() {
    EventPoll inner = time.poll();
    inner.add(memory, IN);
    a.add(inner, IN);
    memory.tryWrite(1);
    a.checkStalls();
    for (int i = 0; i < 2; i++) {
      harvest(a, StallCheck.BUSY);
      assertThat(later(a)).isEmpty();
    }
    harvest(a, StallCheck.BUSY);
    assertThat(later(a)).containsExactly(Kind.NOT_CHANGED);
    harvest(a, StallCheck.BUSY);
    assertThat(inner.awaitNow(ready)).isEqualTo(1);
    assertThat(later(a)).as("the inner poll was asked").isEmpty();
  }

  @Test
  void notChanged_notWhileItIsReadOrRungOrDrained() {
    EventFd used = EventFd.create();
    QueueSource<Integer> queue = QueueSource.unbounded();
    a.add(used, IN);
    a.add(queue, IN);
    a.add(source, IN);
    source.become(IN);
    used.tryWrite(1);
    for (int i = 0; i < 10; i++) {
      queue.offer(i);
    }
    a.checkStalls();
    for (int i = 0; i < 8; i++) {
      harvest(a, StallCheck.BUSY / 2);
      used.tryRead();
      used.tryWrite(1);
      queue.poll(); // no ring, another text
      source.ring(IN);
      harvest(a, StallCheck.BUSY / 2);
      assertThat(later(a)).isEmpty();
    }
  }

  @Test
  void notChanged_notOfAPipeThatIsReadOrWrittenInSmallPieces() {
    BytePipe full = BytePipe.create();
    BytePipe empty = BytePipe.create();
    full.writeEnd().tryWrite(ByteBuffer.allocate(1000));
    a.add(full.readEnd(), IN);
    a.add(empty.writeEnd(), Events.OUT);
    a.checkStalls();
    for (int i = 0; i < 8; i++) {
      harvest(a, StallCheck.BUSY);
      full.readEnd().tryRead(ByteBuffer.allocate(1));
      empty.writeEnd().tryWrite(ByteBuffer.allocate(1));
      empty.readEnd().tryRead(ByteBuffer.allocate(1));
      assertThat(later(a)).isEmpty();
    }
  }

  @Test
  void notChanged_notOfAPollThatIsWaitedOnNowAndThen() {
    a.add(memory, IN);
    memory.tryWrite(1);
    a.checkStalls();
    for (int i = 0; i < 5; i++) {
      harvest(a, StallCheck.BUSY - 1);
      assertThat(later(a)).isEmpty();
    }
    assertThat(a.waitQueue().hasEntries()).isFalse();
  }

  @Test
  void notChanged_notOfEdgeTriggeredAndOneShotItems() {
    a.add(memory, 1, IN_ET, null);
    a.add(memory, 2, IN_ONESHOT, null);
    memory.tryWrite(1);
    a.checkStalls();
    for (int i = 0; i < 5; i++) {
      assertThat(a.awaitNow(ready)).isPositive();
      for (long j = 0; j < StallCheck.BUSY; j++) {
        listInSilence(a, a.find(memory, 1));
        assertThat(a.awaitNow(ready)).isPositive();
      }
      listInSilence(a, a.find(memory, 1));
      assertThat(later(a)).isEmpty();
    }
  }

  @Test
  void notChanged_aClosedPollLeavesNothingInTheQueuesOfItsSources() {
    a.add(memory, IN);
    memory.tryWrite(1);
    a.checkStalls();
    harvest(a, StallCheck.BUSY);
    later(a);
    assertThat(memory.waitQueue().snapshot()).hasSize(2);
    a.close();
    assertThat(memory.waitQueue().hasEntries()).isFalse();
    assertThat(later(a)).isEmpty();
  }

  // ------------------------------------------------------------------------------ NOT_LED

  @Test
  void notLed_aThreadThatLeavesAndTellsNobody() {
    a.add(c, IN_ET);
    seatOf(a);
    Wait leader = leading(a);
    Wait follower = parked(a);
    Hold freed = steps.hold(Step.TURN_FREED);
    c.arrive(1);
    freed.reached();
    assertThat(a.checkStalls()).isEmpty();
    time.advance(SECOND);
    List<Stall> found = a.checkStalls();
    assertThat(kinds(found)).containsExactly(Kind.NOT_LED);
    assertThat(found.get(0).item()).isNull();
    assertThat(found.get(0).text())
        .contains("nobody sleeps in " + driver, follower.thread.getName() + " parked");
    freed.release();
    leader.result();
    leads(follower, a);
    assertThat(later(a)).isEmpty();
    assertThat(later(a)).isEmpty();
    a.wakeup();
  }

  @Test
  void notLed_notWhereTheTurnGoesRound() {
    a.add(c, IN);
    b.add(d, IN);
    for (int i = 0; i < 3; i++) {
      Wait leader = leading(a);
      Wait follower = parked(b);
      assertThat(later(b)).isEmpty();
      a.wakeup();
      leader.result();
      leads(follower, b);
      assertThat(later(b)).isEmpty();
      b.wakeup();
      follower.result();
      assertThat(later(b)).as("nobody leads and nobody waits").isEmpty();
    }
  }

  // ------------------------------------------------------------------------------ warnings

  @Test
  void oneWarningInAMinuteWithTheDump() throws Exception {
    EpItem item = a.add(source, IN);
    waiters.awaiting(a, 1);
    listInSilence(a, item);
    try (LogCapture log = new LogCapture()) {
      a.checkStalls();
      assertThat(later(a)).isNotEmpty();
      assertThat(log.warnings()).isEqualTo(1);
      assertThat(log.text())
          .contains(a + " may be stalled:\n  source is on the ready list")
          .contains(a.dump());
      for (int i = 0; i < 59; i++) {
        assertThat(later(a)).isNotEmpty();
      }
      assertThat(log.warnings()).as("within a minute").isEqualTo(1);
      assertThat(later(a)).isNotEmpty();
      assertThat(log.warnings()).isEqualTo(2);
      assertThat(log.text()).contains("(59 looks found something since the last warning)");
    }
    a.wakeup();
  }
}
