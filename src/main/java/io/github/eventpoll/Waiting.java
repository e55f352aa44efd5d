package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Probe;

/**
 * The wait: harvest, and if there was nothing, sleep until there may be something (Linux:
 * fs/eventpoll.c:ep_poll). Any number of threads wait on one poll.
 */
final class Waiting {
  /** The deadline of a wait that never sleeps; before every instant. */
  static final long NOW = -1;

  /** How often a wait may find something without having looked at the channels. */
  private static final int LOOKS_BETWEEN_PASSES = 64;

  private static final int SPINS_BETWEEN_LOOKS_AT_THE_CLOCK = 16;

  // How a sleep ended, if not because there is something to look at.
  private static final int AWOKEN = 1;
  private static final int TIMED_OUT = 2;

  private final EventPoll poll;

  // The poll's own parts, to be reached without passing through it.
  private final CallbackPath path;
  private final Deadlines deadlines;
  private final Drivers drivers;
  private final DrivenItems driven;
  private final Harvest harvest;

  /**
   * Looks that found something since the last pass. A count that two waiters lose is made up for.
   */
  private int looksWithoutPass;

  Waiting(EventPoll poll) {
    this.poll = poll;
    this.path = poll.path;
    this.deadlines = poll.deadlines;
    this.drivers = poll.drivers;
    this.driven = poll.registry.driven;
    this.harvest = poll.harvest;
  }

  /** Waits until the deadline and fills the batch; 0 on timeout and on {@code wakeup()} only. */
  int await(ReadyEvents out, long deadline) throws InterruptedException {
    // First: if everybody is chosen from here on, this wait is one of them.
    return await(out, deadline, poll.sleepers.crowds());
  }

  private int await(ReadyEvents out, long deadline, int crowds) throws InterruptedException {
    poll.requireNotAsking("await");
    out.begin();
    int found = 0;
    try {
      found = awaitEvents(out, deadline, crowds);
      return found;
    } finally {
      out.leading.release();
      out.forget(found);
      out.end();
      if (poll.counters != null) {
        poll.counters.waited(found);
      }
      poll.at(Probe.Step.RETURNED, poll, found);
    }
  }

  /** The same, but an interrupt only sets the thread's status, at the end. */
  int awaitUninterruptibly(ReadyEvents out, long deadline) {
    boolean interrupted = false;
    int crowds = poll.sleepers.crowds();
    try {
      for (; ; ) {
        try {
          return await(out, deadline, crowds);
        } catch (InterruptedException e) {
          interrupted = true; // the status is clear now, or the next sleep would not sleep (KR-43)
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int awaitEvents(ReadyEvents out, long deadline, int crowds) throws InterruptedException {
    driven.resume();
    int found = look(out);
    if (found == 0 && deadline == NOW && passAll()) {
      found = look(out);
    }
    if (found > 0 || deadline == NOW) {
      return found;
    }
    if (poll.busyPollNanos > 0 && busyPoll(deadline, crowds)) {
      found = look(out);
      if (found > 0) {
        return found;
      }
    }
    for (; ; ) {
      int end = sleep(out, deadline, crowds);
      found = lookAgain(out); // a waiter that was chosen must not leave the event behind (KR-3)
      if (found > 0) {
        return found;
      }
      if ((end & AWOKEN) != 0) {
        if (poll.counters != null) {
          poll.counters.wakeups.increment();
        }
        return 0;
      }
      if (Thread.interrupted()) { // also if a source that keeps ringing lets nobody sleep
        throw new InterruptedException();
      }
      if ((end & TIMED_OUT) != 0 || (deadline != Clock.NEVER && poll.clock.now() >= deadline)) {
        if (poll.counters != null) {
          poll.counters.timeouts.increment();
        }
        return 0;
      }
    }
  }

  private int lookAgain(ReadyEvents out) {
    try {
      return look(out);
    } finally {
      poll.sleepers.looked();
    }
  }

  /** Takes what is there; never sleeps. */
  private int look(ReadyEvents out) {
    poll.requireOpen();
    if (deadlines.nearest() != Clock.NEVER) {
      poll.expireDue(poll.clock.now());
    }
    if (!path.available()) {
      return 0;
    }
    if (drivers.seats().length != 0 && ++looksWithoutPass >= LOOKS_BETWEEN_PASSES) {
      looksWithoutPass = 0;
      passAll(); // or a list that is never empty would hide the channels for ever (KR-44)
    }
    return harvest.take(out);
  }

  /**
   * Looks again and again for a while, without being a waiter: who brings something meanwhile has
   * nobody to wake. Whatever else may end a wait is found by the sleep that follows.
   *
   * @return true if there is something
   */
  private boolean busyPoll(long deadline, int crowds) {
    long start = System.nanoTime();
    long budget = poll.busyPollNanos;
    if (deadline != Clock.NEVER) {
      budget = Math.min(budget, deadline - poll.clock.now());
    }
    while (drivers.seats().length == 0 && deadlines.nearest() == Clock.NEVER && !poll.isClosed()) {
      for (int i = 0; i < SPINS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
        if (path.available()) {
          return true;
        }
        Thread.onSpinWait();
      }
      if (System.nanoTime() - start >= budget
          || poll.sleepers.isAwoken(crowds)
          || Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
    return false;
  }

  /** One pass of every driver that nobody leads; false if this poll depends on none. */
  private boolean passAll() {
    Seat[] seats = drivers.seats();
    for (Seat seat : seats) {
      if (seat.pass() && poll.counters != null) {
        poll.counters.passes.increment();
      }
    }
    return seats.length != 0;
  }

  private int sleep(ReadyEvents out, long deadline, int crowds) {
    out.forget(0);
    Waiter waiter = new Waiter(Thread.currentThread(), poll.clock.sleeper());
    poll.at(Probe.Step.ENLISTING, waiter);
    out.leading.continueAs(waiter);
    if (!poll.sleepers.enlist(waiter, crowds)) {
      return AWOKEN;
    }
    int end = 0;
    boolean complete = false;
    try {
      poll.at(Probe.Step.ENLISTED, waiter);
      end = sleepEnlisted(waiter, out, deadline);
      complete = true;
    } finally {
      poll.at(Probe.Step.STOPPED, waiter);
      poll.sleepers.leave(waiter, deadlines);
      poll.at(Probe.Step.LEFT, waiter);
      if (!complete && waiter.isChosen()) {
        poll.sleepers.looked();
        poll.passOn();
      }
    }
    return waiter.isAwoken() ? end | AWOKEN : end;
  }

  /** Looks at every reason not to sleep, then sleeps; again and again, until there is one. */
  private int sleepEnlisted(Waiter waiter, ReadyEvents out, long deadline) {
    for (; ; ) {
      waiter.beginLook();
      if (waiter.isChosen() || poll.isClosed() || path.available()) {
        return 0;
      }
      Seat[] seats = drivers.seats();
      waiter.becomeCandidate(seats);
      long until = poll.sleepers.plan(waiter, deadline, deadlines);
      if (waiter.thread.isInterrupted()) {
        return 0;
      }
      long now = 0;
      if (until != Clock.NEVER) {
        now = poll.clock.now();
        if (now >= deadline) {
          return TIMED_OUT;
        }
        if (now >= until) {
          poll.expireDue(now); // still a waiter: what this brings is given to this thread first
          continue;
        }
      }
      out.leading.lead(waiter, seats);
      Seat led = out.leading.led();
      poll.at(Probe.Step.LOOKED, waiter);
      Object record = Recorder.IT.beginWait();
      if (led == null) {
        park(waiter, until);
      } else {
        Leading.sleep(waiter, led, poll.clock, until, now);
      }
      Recorder.IT.endWait(record, poll, waiter, led);
      if (poll.counters != null) {
        poll.counters.slept(led != null);
      }
      poll.at(Probe.Step.AWAKE, waiter);
    }
  }

  private void park(Waiter waiter, long until) {
    // Nothing may stand between the last test of the word and the park (KR-2).
    if (waiter.tryPark()) {
      poll.clock.sleeper().park(poll, until);
      waiter.awake();
    }
  }
}
