package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import io.github.eventpoll.kernel.Step.Kind;
import io.github.eventpoll.kernel.WaiterThread.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the operations of a program in one world and writes down what came of each. */
final class Recorder extends Transcript implements AutoCloseable {
  /** More than any program has ready, except where the limit is the point. */
  private static final int PLENTY = 64;

  private final World world;
  private final Waiters waiters;

  Recorder(World world) {
    this.world = world;
    this.waiters = new Waiters(world);
  }

  // -------------------------------------------------------------------------------- things

  Handle poll(String name) {
    return named(name, world.poll());
  }

  Handle counter(String name) {
    return counter(name, 0);
  }

  Handle counter(String name, int initial) {
    return named(name, world.counter(initial, false));
  }

  Handle semaphore(String name, int initial) {
    return named(name, world.counter(initial, true));
  }

  Handle timer(String name) {
    return named(name, world.timer());
  }

  /** The end to read from, and the end to write to. */
  Handle[] pipe(String readEnd, String writeEnd) {
    int[] ends = world.pipe();
    return new Handle[] {named(readEnd, ends[0]), named(writeEnd, ends[1])};
  }

  Handle unwatchable(String name) {
    return named(name, world.unwatchable());
  }

  Handle alias(String name, Handle of) {
    return named(name, world.alias(of.number()));
  }

  void close(Handle thing) {
    step(Kind.CLOSE, "close(" + thing + ")", 0, () -> world.close(thing.number()));
  }

  // --------------------------------------------------------------------------------- control

  void add(Handle poll, Handle source, int mask) {
    add(poll, source, mask, source.data());
  }

  void add(Handle poll, Handle source, int mask, long data) {
    step(
        Kind.ADD,
        control("add", poll, source, mask, data),
        mask,
        () -> world.add(poll.number(), source.number(), mask, data));
  }

  /** Two threads let two polls watch each other at the same time. */
  void addEachOther(Handle one, Handle other) {
    step(
        Kind.ADD,
        "add(" + one + ", " + other + ") and add(" + other + ", " + one + ")",
        0,
        () ->
            Stream.of(List.of(one, other), List.of(other, one))
                .parallel()
                .map(edge -> watch(edge.get(0), edge.get(1)))
                .sorted()
                .toList());
  }

  private String watch(Handle outer, Handle inner) {
    try {
      world.add(outer.number(), inner.number(), Events.IN, inner.data());
      return "ok";
    } catch (Refused refused) {
      return refused.errno();
    }
  }

  /**
   * Adds with bits that mean nothing, and takes the item away again where the world took it. With
   * those bits nothing can happen meanwhile.
   */
  void addUnknown(Handle poll, Handle counter, int mask) {
    step(
        Kind.ADD,
        control("add", poll, counter, mask, counter.data()) + " and remove",
        mask,
        () -> {
          world.add(poll.number(), counter.number(), mask, counter.data());
          world.remove(poll.number(), counter.number());
        });
  }

  void modify(Handle poll, Handle source, int mask) {
    modify(poll, source, mask, source.data());
  }

  void modify(Handle poll, Handle source, int mask, long data) {
    step(
        Kind.MODIFY,
        control("modify", poll, source, mask, data),
        mask,
        () -> world.modify(poll.number(), source.number(), mask, data));
  }

  void remove(Handle poll, Handle source) {
    step(
        Kind.REMOVE,
        "remove(" + poll + ", " + source + ")",
        0,
        () -> world.remove(poll.number(), source.number()));
  }

  /** The masks in force. WAKEUP is left out: the kernel strips it where there is no suspend. */
  void interests(Handle poll) {
    step(
        Kind.INTERESTS,
        "interests(" + poll + ")",
        0,
        () ->
            world.interests(poll.number()).stream()
                .filter(i -> i.data() != Waiters.RELEASE)
                .map(i -> name(i.data()) + ":" + Events.toString(i.mask() & ~Events.WAKEUP))
                .sorted()
                .collect(Collectors.toList()));
  }

  // --------------------------------------------------------------------- counters and timers

  void write(Handle counter, long value) {
    step(
        Kind.WRITE,
        "write(" + counter + ", " + Long.toUnsignedString(value) + ")",
        0,
        () -> world.write(counter.number(), value));
  }

  void read(Handle source) {
    step(
        Kind.READ,
        "read(" + source + ")",
        0,
        () -> Long.toUnsignedString(world.read(source.number())));
  }

  void put(Handle writeEnd, int bytes) {
    step(
        Kind.PUT,
        "put(" + writeEnd + ", " + bytes + ")",
        0,
        () -> world.put(writeEnd.number(), bytes));
  }

  void take(Handle readEnd, int bytes) {
    step(
        Kind.TAKE,
        "take(" + readEnd + ", " + bytes + ")",
        0,
        () -> world.take(readEnd.number(), bytes));
  }

  /** Reads a count that depends on the time: only whether it is at least this is written down. */
  void readAtLeast(Handle source, long least) {
    step(
        Kind.READ,
        "read(" + source + ") >= " + least,
        0,
        () -> Long.compareUnsigned(world.read(source.number()), least) >= 0);
  }

  void setTimer(Handle timer, long firstNanos, long intervalNanos) {
    step(
        Kind.TIMER,
        "set(" + timer + ", " + firstNanos + " ns, every " + intervalNanos + " ns)",
        0,
        () -> world.setTimer(timer.number(), false, firstNanos, intervalNanos));
  }

  void setTimerAt(Handle timer, long nanosFromNow, long intervalNanos) {
    step(
        Kind.TIMER,
        "setAbsolute(" + timer + ", now " + nanosFromNow + " ns, every " + intervalNanos + " ns)",
        0,
        () -> world.setTimer(timer.number(), true, nanosFromNow, intervalNanos));
  }

  /** Sets a timer to a moment that has passed, and returns when it has expired. */
  void expire(Handle timer, long intervalNanos) {
    step(
        Kind.TIMER,
        "expire(" + timer + ", every " + intervalNanos + " ns)",
        0,
        () -> {
          world.setTimer(timer.number(), true, -1, intervalNanos);
          return Events.toString(
              world.ask(timer.number(), Events.IN, WaiterThread.FAIL_SAFE_MILLIS));
        });
  }

  /** What the timer is set to; of the time left only whether it lies between 0 and this. */
  void timer(Handle timer, long mostNanosLeft) {
    step(
        Kind.TIMER,
        "get(" + timer + "), at most " + mostNanosLeft + " ns left",
        0,
        () -> {
          World.Setting is = world.timer(timer.number());
          String left = is.left() == 0 ? "disarmed" : is.left() <= mostNanosLeft ? "yes" : "no";
          return left + ", every " + is.interval() + " ns";
        });
  }

  // ---------------------------------------------------------------------------------- waits

  void await(Handle poll) {
    await(poll, PLENTY);
  }

  void await(Handle poll, int most) {
    step(
        Kind.AWAIT,
        "await(" + poll + ", at most " + most + ")",
        0,
        () -> events(world.await(poll.number(), most, 0)));
  }

  void await(Handle poll, int most, int timeoutMillis) {
    step(
        Kind.AWAIT,
        "await(" + poll + ", at most " + most + ", " + timeoutMillis + " ms)",
        0,
        () -> events(world.await(poll.number(), most, timeoutMillis)));
  }

  void ask(Handle source, int mask) {
    step(
        Kind.ASK,
        "ask(" + source + ", " + Events.toString(mask) + ")",
        mask,
        () -> Events.toString(world.ask(source.number(), mask, 0)));
  }

  // -------------------------------------------------------------------------------- waiters

  /** Starts a thread that waits for one batch, and returns when it sleeps or has its events. */
  void waiter(String name, Handle poll, int most) {
    waiter(name, poll, most, WaiterThread.FAIL_SAFE_MILLIS);
  }

  void waiterWithNegativeTime(String name, Handle poll, int timeoutMillis) {
    waiter(name, poll, PLENTY, timeoutMillis);
  }

  private void waiter(String name, Handle poll, int most, int timeoutMillis) {
    String negative = timeoutMillis < 0 ? ", negative time" : "";
    String call = "await(" + poll + ", at most " + most + negative + ")";
    start(name, Call.AWAIT, poll, call, () -> world.await(poll.number(), most, timeoutMillis));
  }

  /** Starts a thread that waits for the poll as one source, and then takes what is there. */
  void asker(String name, Handle poll, int most) {
    int number = poll.number();
    start(
        name,
        Call.ASK,
        poll,
        "ask(" + poll + "), then await(" + poll + ", at most " + most + ")",
        () -> {
          world.ask(number, Events.IN, WaiterThread.FAIL_SAFE_MILLIS);
          return world.await(number, most, 0);
        });
  }

  private void start(
      String name, Call call, Handle poll, String operation, Supplier<List<World.Event>> body) {
    waiters.prepareRelease(poll.number());
    WaiterThread waiter = new WaiterThread(name, call, poll.number(), body);
    step(
        Kind.WAITER,
        "waiter " + name + ": " + operation,
        0,
        () -> {
          waiters.start(waiter);
          return outcome(waiter);
        });
  }

  /**
   * Waits until every waiter sleeps or is done, and writes down who was woken since the last time.
   */
  void settle() {
    settle("");
  }

  void settle(String when) {
    step(
        Kind.SETTLE,
        "who wakes" + (when.isEmpty() ? "" : " " + when),
        0,
        () -> {
          List<String> woken = new ArrayList<>();
          for (WaiterThread waiter : waiters.settle()) {
            woken.add(waiter.getName() + " " + outcome(waiter));
          }
          return woken.isEmpty() ? "nobody" : String.join(", ", woken);
        });
  }

  /** The same where it is a race who gets what: how many have events, and all events together. */
  void settleTogether() {
    step(
        Kind.SETTLE,
        "how many wake",
        0,
        () -> {
          List<String> all = new ArrayList<>();
          int count = 0;
          for (WaiterThread waiter : waiters.settle()) {
            count += waiter.hasEvents() ? 1 : 0;
            all.addAll(events(Objects.requireNonNullElse(waiter.events(), List.of())));
          }
          return count + " with " + all.stream().sorted().toList();
        });
  }

  /** The same where it is a race how much each one gets. */
  void settleCount() {
    step(
        Kind.SETTLE,
        "how many wake",
        0,
        () -> waiters.settle().stream().filter(WaiterThread::hasEvents).count());
  }

  /** The same where it is a race what the others get. */
  void settleFor(String name) {
    step(
        Kind.SETTLE,
        "does " + name + " get it",
        0,
        () -> {
          waiters.settle();
          return waiters.find(name).hasEvents();
        });
  }

  /** Waits until a waiter is done, for what comes with time. */
  void join(String waiter) {
    step(Kind.SETTLE, "join " + waiter, 0, () -> outcome(waiters.join(waiter)));
  }

  private String outcome(WaiterThread waiter) {
    List<World.Event> events = waiter.events();
    if (events != null) {
      return events(events).toString();
    }
    String failure = waiter.failure();
    return failure == null ? "asleep" : failure;
  }

  /** Ends every wait that goes on, and the world. */
  @Override
  public void close() {
    waiters.release();
    world.close();
  }
}
