package io.github.eventpoll.testkit;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollBuilder;
import io.github.eventpoll.internal.Bridge;
import io.github.eventpoll.internal.Probe;
import io.github.eventpoll.internal.SourceDoor;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a scenario of {@link Interleavings} is built on: its polls, its timers and its time, all of
 * one run. To be used by the scenario's builder, by its threads and by its check, and by nobody
 * afterwards.
 *
 * <p>Time stands still while any thread can go on. If none can, it moves by itself to the nearest
 * deadline of a sleeping thread; and a thread may move it with {@link #advance}, which is then one
 * of the steps whose order is tried.
 *
 * @since 0.1
 */
public final class Stage {
  private final Run run;
  private int polls;

  Stage(Run run) {
    this.run = run;
  }

  /**
   * Makes a poll whose points are the scenario's points, with the library's settings.
   *
   * @return a new poll
   */
  public EventPoll poll() {
    return poll(EventPoll.builder());
  }

  /**
   * Makes a poll whose points are the scenario's points. It is not for channels.
   *
   * @param settings other settings; to be used for this poll only
   * @return a new poll
   */
  public EventPoll poll(EventPollBuilder settings) {
    Bridge.get().seams(settings, run.clock, probe(polls++));
    return settings.build();
  }

  private Probe probe(int poll) {
    Map<Probe.Step, Label> labels = new EnumMap<>(Probe.Step.class);
    for (Probe.Step step : Probe.Step.values()) {
      labels.put(step, Label.of(step, poll));
    }
    return (step, who) -> {
      if (step.isReport()) {
        run.reported(step, poll);
      } else {
        run.point(Objects.requireNonNull(labels.get(step)), who);
      }
    };
  }

  /**
   * Makes a timer that lives by this run's time.
   *
   * @return a new timer, not set
   */
  public Timer timer() {
    run.timed = true;
    return (Timer) SourceDoor.get().timer(run.clock);
  }

  /**
   * The time of this run.
   *
   * @return nanoseconds, 0 at first
   */
  public long nanoTime() {
    return run.clock.raw();
  }

  /**
   * Moves time on: threads whose deadlines have come can go on from now.
   *
   * @param by how far; not negative
   * @throws IllegalArgumentException if negative
   */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + by);
    }
    run.touched(Footprint.changing(Footprints.CLOCK));
    run.clock.moveTo(run.clock.peek() + by.toNanos());
  }

  /**
   * Interrupts one of the scenario's threads.
   *
   * @param name its name
   * @throws IllegalArgumentException if there is none of that name
   */
  public void interrupt(String name) {
    LogicalThread thread = named(name);
    run.touched(Footprint.changing(Footprints.thread(thread.index)));
    thread.interrupt();
  }

  /**
   * Tells whether one of the scenario's threads sleeps in the library; in a check: whether it
   * sleeps for ever.
   *
   * @param name its name
   * @return true if it sleeps
   * @throws IllegalArgumentException if there is none of that name
   */
  public boolean isAsleep(String name) {
    run.touched(Footprint.ALL);
    return named(name).blocker != null;
  }

  private LogicalThread named(String name) {
    for (LogicalThread thread : run.threads) {
      if (thread.getName().equals(name)) {
        return thread;
      }
    }
    throw new IllegalArgumentException("no thread " + name);
  }
}
