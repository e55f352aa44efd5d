package io.github.eventpoll;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Events of JDK Flight Recorder, all off unless a recording asks for them by name. Whether one is
 * on is asked of an instance that is never committed: a constant, and a flag behind it once there
 * is a recording. Asking for the type instead would start the recorder.
 */
final class JfrRecorder extends Recorder {
  private static final Wait WAIT = new Wait();
  private static final Wake WAKE = new Wake();
  private static final Overflow OVERFLOW = new Overflow();
  private static final Pass PASS = new Pass();
  private static final HelperStarted HELPER_STARTED = new HelperStarted();
  private static final LoopCheck LOOP_CHECK = new LoopCheck();

  @Override
  @Nullable Object beginWait() {
    if (!WAIT.isEnabled()) {
      return null;
    }
    Wait event = new Wait();
    event.begin();
    return event;
  }

  @Override
  void endWait(@Nullable Object begun, EventPoll poll, Waiter waiter, @Nullable Seat led) {
    if (begun instanceof Wait event) {
      event.end();
      if (event.shouldCommit()) {
        event.poll = poll.toString();
        event.driver = led == null ? null : led.driver.toString();
        event.chosen = waiter.isChosen();
        event.commit();
      }
    }
  }

  @Override
  void wake(Waiter waiter, @Nullable Seat from) {
    if (WAKE.isEnabled()) {
      Wake event = new Wake();
      event.woken = waiter.thread;
      event.driver = from == null ? null : from.driver.toString();
      event.chosen = waiter.isChosen();
      event.commit();
    }
  }

  @Override
  boolean wantsOverflow() {
    return OVERFLOW.isEnabled();
  }

  @Override
  void overflow(EventPoll poll, int items) {
    try {
      Overflow event = new Overflow();
      event.poll = poll.toString();
      event.items = items;
      event.commit();
    } catch (Throwable e) {
      // The scan has events in hand that would be lost: rather lose this record.
    }
  }

  @Override
  @Nullable Object beginPass() {
    if (!PASS.isEnabled()) {
      return null;
    }
    Pass event = new Pass();
    event.begin();
    return event;
  }

  @Override
  void endPass(@Nullable Object begun, Seat seat, boolean slept) {
    if (begun instanceof Pass event) {
      event.end();
      if (event.shouldCommit()) {
        event.driver = seat.driver.toString();
        event.slept = slept;
        event.commit();
      }
    }
  }

  @Override
  void helperStarted(Seat seat) {
    if (HELPER_STARTED.isEnabled()) {
      HelperStarted event = new HelperStarted();
      event.driver = seat.driver.toString();
      event.commit();
    }
  }

  @Override
  @Nullable Object beginLoopCheck() {
    if (!LOOP_CHECK.isEnabled()) {
      return null;
    }
    LoopCheck event = new LoopCheck();
    event.begin();
    return event;
  }

  @Override
  void endLoopCheck(
      @Nullable Object begun, EventPoll outer, EventPoll inner, int polls, boolean refused) {
    if (begun instanceof LoopCheck event) {
      event.end();
      if (event.shouldCommit()) {
        event.outer = outer.toString();
        event.inner = inner.toString();
        event.polls = polls;
        event.refused = refused;
        event.commit();
      }
    }
  }

  @Name("io.github.eventpoll.Wait")
  @Label("Wait")
  @Category("eventpoll")
  @Description("A thread slept in await of a poll")
  @Enabled(false)
  @StackTrace(false)
  static final class Wait extends Event {
    @Label("Poll")
    @Nullable String poll;

    @Label("Driver")
    @Description("The driver in which it slept; none if it was parked")
    @Nullable String driver;

    @Label("Chosen")
    @Description("It was chosen for an event, by wakeup() or by close()")
    boolean chosen;
  }

  @Name("io.github.eventpoll.Wake")
  @Label("Wake")
  @Category("eventpoll")
  @Description("A thread that slept was woken by this one")
  @Enabled(false)
  @StackTrace(false)
  static final class Wake extends Event {
    @Label("Woken Thread")
    @Nullable Thread woken;

    @Label("Driver")
    @Description("The driver in which it slept; none if it was parked")
    @Nullable String driver;

    @Label("Chosen")
    @Description("For an event, by wakeup() or by close(); otherwise to look again")
    boolean chosen;
  }

  @Name("io.github.eventpoll.Overflow")
  @Label("Overflow")
  @Category("eventpoll")
  @Description("Items of a poll were listed while a scan of it ran")
  @Enabled(false)
  @StackTrace(false)
  static final class Overflow extends Event {
    @Label("Poll")
    @Nullable String poll;

    @Label("Items")
    int items;
  }

  @Name("io.github.eventpoll.Pass")
  @Label("Pass")
  @Category("eventpoll")
  @Description("A thread looked for ready channels, and told what it found")
  @Enabled(false)
  @StackTrace(false)
  static final class Pass extends Event {
    @Label("Driver")
    @Nullable String driver;

    @Label("Slept")
    @Description("It was ready to sleep until a channel is ready")
    boolean slept;
  }

  @Name("io.github.eventpoll.HelperStarted")
  @Label("Helper Started")
  @Category("eventpoll")
  @Description("No thread that waits could sleep in a driver: one was started for it")
  @Enabled(false)
  @StackTrace(false)
  static final class HelperStarted extends Event {
    @Label("Driver")
    @Nullable String driver;
  }

  @Name("io.github.eventpoll.LoopCheck")
  @Label("Loop Check")
  @Category("eventpoll")
  @Description("The graph of polls was walked, because one poll was added to another")
  @Enabled(false)
  @StackTrace(false)
  static final class LoopCheck extends Event {
    @Label("Outer Poll")
    @Nullable String outer;

    @Label("Inner Poll")
    @Nullable String inner;

    @Label("Polls")
    @Description("How many polls were visited")
    int polls;

    @Label("Refused")
    boolean refused;
  }
}
