package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.source.EventFd;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * KR-18: an exclusive wake that one poll has used up and cannot serve goes to the next. In each
 * test the waiter that was chosen is held before it looks at the list.
 */
@EveryPath
class ExclusiveGiveBackTest {
  private static final int IN_ET = Events.IN | Events.EXCLUSIVE | Events.ET;

  private final EventFd source = EventFd.create();
  private final Gate gate = Gate.at(Probe.Step.LEFT, 1);
  private final EventPoll first = gate.poll();
  private final EventPoll next = Polls.create();
  private final EpItem item = first.add(source, IN_ET);

  /** Chooses the sleeper of the first poll and sees that the next one's sleeps on. */
  private Wait chooseTheFirst(Waiters waiters) {
    next.add(source, IN_ET);
    Wait chosen = waiters.awaiting(first, 1).get(0);
    waiters.awaiting(next, 1);
    source.tryWrite(1);
    gate.awaitArrivals(1);
    assertThat(Waiters.asleep(next)).as("the wake was used up").isEqualTo(1);
    assertThat(next.path.available()).isFalse();
    return chosen;
  }

  @Test
  @DisplayName("KR-18: by remove")
  void remove() {
    try (Waiters waiters = new Waiters()) {
      Wait chosen = chooseTheFirst(waiters);
      item.remove();
      gate.open();
      waiters.settle();
      assertThat(waiters.served()).as("the next poll's waiter").isEqualTo(1);
      assertThat(chosen.isDone()).as("found nothing and sleeps again").isFalse();
    }
  }

  @Test
  @DisplayName("KR-18: by close of the poll")
  void close() {
    try (Waiters waiters = new Waiters()) {
      Wait chosen = chooseTheFirst(waiters);
      first.close();
      gate.open();
      assertThat(chosen.failure()).isInstanceOf(ClosedEventPollException.class);
      waiters.settle();
      assertThat(Waiters.asleep(next)).isZero();
    }
  }

  @Test
  @DisplayName("KR-18: by a source's error that keeps the chosen waiter from harvesting")
  void errorInTheHarvest() {
    Gate both = Gate.at(Probe.Step.LEFT, 2);
    EventPoll failing = both.poll();
    Faulty faulty = new Faulty();
    failing.add(faulty, Events.IN);
    failing.add(source, IN_ET);
    next.add(source, IN_ET);
    item.remove();
    try (Waiters waiters = new Waiters()) {
      List<Wait> chosen = waiters.awaiting(failing, 2);
      Wait behind = waiters.awaiting(next, 1).get(0);
      faulty.ring(); // chooses one, and is queued ahead of the exclusive item
      source.tryWrite(1); // chooses the other
      both.awaitArrivals(2);
      assertThat(Waiters.asleep(next)).as("the wake was used up").isEqualTo(1);
      both.open();
      assertThat(chosen).allMatch(wait -> wait.failure() instanceof StackOverflowError);
      assertThat(behind.source()).isSameAs(source);
    }
  }

  @Test
  @DisplayName("KR-18: given back to the next in order only if it sleeps, else to the one behind")
  void skipsPollsWithoutSleeper() {
    EventPoll idle = Polls.create();
    idle.add(source, IN_ET);
    try (Waiters waiters = new Waiters()) {
      chooseTheFirst(waiters);
      item.remove();
      gate.open();
      waiters.settle();
      assertThat(waiters.served()).isEqualTo(1);
      assertThat(idle.path.available()).as("holds the event as well").isTrue();
    }
  }

  @Test
  @DisplayName(
      "KR-18, KR-14: whoever does not want it must not use it up, though the source throws")
  void sourceThatThrowsIsGivenBackToThoseWhoWantIt() {
    Scripted throwing = new Scripted();
    EpItem gone = first.add(throwing, IN_ET);
    EventPoll writable = Polls.create();
    writable.add(throwing, Events.OUT | Events.EXCLUSIVE);
    next.add(throwing, IN_ET);
    try (Waiters waiters = new Waiters()) {
      waiters.awaiting(first, 1);
      waiters.awaiting(writable, 1);
      Wait wait = waiters.awaiting(next, 1).get(0);
      throwing.ready(Events.IN);
      gate.awaitArrivals(1);
      throwing.failOnce(new IllegalArgumentException("on purpose"));
      gone.remove();
      gate.open();
      assertThat(wait.source()).isSameAs(throwing);
    }
  }

  @Test
  @DisplayName("KR-18: a non-exclusive watcher is not told twice")
  void plainWatchersAreNotToldAgain() {
    EventPoll plain = Polls.create();
    plain.add(source, Events.IN | Events.ET);
    try (Waiters waiters = new Waiters()) {
      chooseTheFirst(waiters);
      assertThat(plain.awaitNow(new ReadyEvents(1))).isEqualTo(1);
      item.remove();
      gate.open();
      waiters.settle();
      assertThat(plain.path.available()).isFalse();
    }
  }

  /** Its readiness() ends in an Error while it is armed to. */
  private static final class Faulty implements Pollable {
    private final WaitQueue queue = new WaitQueue();
    private volatile boolean rung;

    void ring() {
      rung = true;
      queue.wake(Events.IN);
    }

    @Override
    public int readiness() {
      if (rung) {
        throw new StackOverflowError("on purpose");
      }
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
