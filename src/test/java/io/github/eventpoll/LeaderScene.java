package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Driver;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.testkit.ScriptedChannel;
import io.github.eventpoll.testkit.ScriptedDriver;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;

/** Two polls on one scripted driver, and who leads it: the stage of the races of leaders. */
abstract class LeaderScene {
  static final int IN = Events.IN;
  static final int IN_ET = Events.IN | Events.ET;
  static final int IN_ONESHOT = Events.IN | Events.ONESHOT;
  static final int IN_EXCLUSIVE = Events.IN | Events.EXCLUSIVE;
  static final Duration SECOND = Duration.ofSeconds(1);

  final Steps steps = new Steps();
  final Waiters waiters = new Waiters();
  final VirtualTime time = VirtualTime.create();
  final ScriptedDriver driver = ScriptedDriver.on(time);
  final ScriptedChannel c = driver.channel("c");
  final ScriptedChannel d = driver.channel("d");
  final EventFd memory = EventFd.create();
  final EventPoll a = steps.poll(time);
  final EventPoll b = steps.poll(time);

  @AfterEach
  void letGo() {
    try (waiters) {
      steps.close();
    }
    assertThat(driver.overlaps()).as("two threads at once in the driver (KR-25)").isZero();
  }

  /** The record of the driver that a poll depends on. */
  Seat seatOf(EventPoll poll) {
    steps.watchDriversOf(poll);
    Seat[] seats = poll.drivers.seats();
    assertThat(seats).hasSize(1);
    return seats[0];
  }

  /** A thread awaits one event on a poll, and leads its driver. */
  Wait leading(EventPoll poll) {
    return leads(waiters.await(poll), poll);
  }

  /** Waits until a thread sleeps in the driver of its poll. */
  Wait leads(Wait wait, EventPoll poll) {
    Waiters.until(() -> isLedBy(wait, poll), () -> wait + " leads, " + state(poll));
    return wait;
  }

  private static boolean isLedBy(Wait wait, EventPoll poll) {
    if (wait.isDone()) {
      wait.result();
      throw new AssertionError("should lead: " + wait);
    }
    Object blocker = LockSupport.getBlocker(wait.thread);
    if (!(blocker instanceof Driver || blocker instanceof Seat)) {
      return false;
    }
    return Arrays.stream(poll.drivers.seats())
        .map(Seat::leader)
        .anyMatch(leader -> leader != null && leader.thread == wait.thread && leader.isAsleep());
  }

  /** A thread awaits one event on a poll, and parks because somebody leads. */
  Wait parked(EventPoll poll) {
    return parks(waiters.await(poll), poll);
  }

  /** Waits until a thread sleeps and leads nothing. */
  Wait parks(Wait wait, EventPoll poll) {
    Waiters.until(
        () ->
            poll.sleepers.snapshot().stream()
                .anyMatch(w -> w.thread == wait.thread && w.isAsleep() && w.leads() == null),
        () -> wait + " parks, " + state(poll));
    return wait;
  }

  static String state(EventPoll poll) {
    return poll.dump() + Arrays.toString(poll.drivers.seats());
  }

  /** What an await with timeout zero takes, at most one event. */
  static int now(EventPoll poll) {
    return poll.awaitNow(new ReadyEvents(1));
  }
}
