package io.github.eventpoll;

import io.github.eventpoll.internal.Clock;
import io.github.eventpoll.internal.Demand;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Small parts that the stress tests build their states from; jcstress makes millions of states. */
final class Fixtures {
  /** Lends a clock and a name to parts that are tested alone; nobody registers or waits here. */
  static final EventPoll POLL = EventPoll.create();

  /** Never started: unparking it does nothing and costs little. */
  private static final Thread NOBODY = new Thread(() -> {}, "nobody");

  private static final Pollable SILENT = new Plain();

  private Fixtures() {}

  /** A handle for a field of a test in this package. */
  static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A waiter whose thread is not needed. */
  static Waiter waiter() {
    return new Waiter(NOBODY);
  }

  /** A waiter that is on the list already. */
  static Waiter enlisted(Sleepers sleepers) {
    Waiter waiter = waiter();
    sleepers.enlist(waiter);
    return waiter;
  }

  /** An item that is registered nowhere, for tests of the callback path alone. */
  static EpItem looseItem(int mask) {
    return new EpItem(POLL, SILENT, SILENT.waitQueue(), 0, mask, null);
  }

  /** A poll that allows no source to be reached through two polls. */
  static EventPoll pathless() {
    return EventPoll.builder().pathLimits(0, 0, 0, 0).build();
  }

  /** A poll that allows one path through two polls from each source. */
  static EventPoll onePath() {
    return EventPoll.builder().pathLimits(1, 0, 0, 0).build();
  }

  /** Adds a source; false if the graph of polls does not allow it. */
  static boolean adds(EventPoll poll, Pollable source) {
    try {
      poll.add(source, Events.IN);
      return true;
    } catch (EventPollArgumentException refused) {
      return false;
    }
  }

  /** A callback path alone. */
  static CallbackPath path(LockKind kind) {
    return CallbackPath.of(EventPoll.builder().lock(kind).notifiedFastPath(true), null);
  }

  /** What a scan does with an item in hand that is not ready. */
  static void drop(CallbackPath path, EpItem item) {
    path.letGo(item);
    path.drop(item);
  }

  /** A poll with both filters in front of the path. */
  static EventPoll poll(LockKind kind) {
    return EventPoll.builder().lock(kind).maskPreCheck(true).notifiedFastPath(true).build();
  }

  /** A source with trait ORDERED_STATE: volatile state, rung without a fence. */
  static final class Ordered implements Pollable {
    private static final VarHandle STATE = field(Ordered.class, "state", int.class);

    final WaitQueue queue = new WaitQueue();
    volatile int state;

    Ordered() {}

    Ordered(int initial) {
      state = initial;
    }

    /** Makes the source ready for IN by a store, and rings. */
    void fire() {
      state = Events.IN;
      queue.wakeOrdered(Events.IN);
    }

    /** Makes the source ready for more bits by a read-modify-write, and rings. */
    void fire(int bits) {
      STATE.getAndBitwiseOr(this, bits);
      queue.wakeOrdered(bits);
    }

    /** Takes what is there, as a reader of a counter does. */
    int drain() {
      return (int) STATE.getAndSet(this, 0);
    }

    @Override
    public int readiness() {
      return state;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }

    @Override
    public int traits() {
      return ORDERED_STATE;
    }
  }

  /** A source without traits: plain state. */
  static final class Plain implements Pollable {
    final WaitQueue queue;
    int state;

    Plain() {
      this(new WaitQueue());
    }

    Plain(WaitQueue queue) {
      this.queue = queue;
    }

    @Override
    public int readiness() {
      return state;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }

  /** What a timer shows its waiters: one deadline. */
  static final class OneDeadline implements Demand {
    volatile long deadline = Clock.NEVER;

    @Override
    public long nearestDeadline() {
      return deadline;
    }

    @Override
    public void expire(long now) {}

    @Override
    public Clock clock() {
      return Clock.system();
    }
  }

  /** A source that wants a turn at a deadline and is never ready. */
  static final class Timer implements Pollable {
    final OneDeadline demand = new OneDeadline();
    final WaitQueue queue = new WaitQueue(demand);

    /** Publishes a deadline and tells the queue, as a timer does. */
    void set(long deadline) {
      demand.deadline = deadline;
      queue.demandChanged();
    }

    @Override
    public int readiness() {
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return queue;
    }
  }
}
