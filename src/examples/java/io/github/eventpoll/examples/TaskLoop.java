package io.github.eventpoll.examples;

import static io.github.eventpoll.testkit.Interleavings.point;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An event loop with a queue of tasks, which saves itself system calls as many loops do: whoever
 * submits a task wakes the loop only if nobody has since the loop last slept. The flag that says so
 * must be reset before the queue is looked at; {@link Order} makes it the other way round as well,
 * for the test that finds the mistake.
 */
public final class TaskLoop {
  /** When the loop resets the flag. */
  public enum Order {
    /** Right: a task that comes while the loop looks wakes it again. */
    RESET_THEN_LOOK,
    /** Wrong: a task that comes between look and reset wakes nobody, and nor does any after it. */
    LOOK_THEN_RESET
  }

  private final EventPoll poll;
  private final Order order;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final EventFd wakeups = EventFd.create();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final ReadyEvents ready = new ReadyEvents(8);

  /**
   * Makes a loop.
   *
   * @param poll the poll that it sleeps in
   * @param order when it resets the flag
   */
  public TaskLoop(EventPoll poll, Order order) {
    this.poll = poll;
    this.order = order;
    poll.add(wakeups, Events.IN | Events.ET);
  }

  // snippet: submit
  /** Has the loop run a task. Any thread. */
  public void submit(Runnable task) {
    point("to add a task", tasks);
    tasks.add(task);
    point("to test the flag", woken);
    if (woken.compareAndSet(false, true)) {
      wakeups.tryWrite(1);
    }
  }

  // end snippet

  /**
   * Sleeps until it is woken, and runs all tasks. The loop's thread only.
   *
   * @return how many tasks it has run
   * @throws InterruptedException if it was interrupted
   */
  // snippet: run-once
  public int runOnce() throws InterruptedException {
    poll.await(ready);
    if (order == Order.RESET_THEN_LOOK) {
      reset();
      return runTasks();
    }
    int ran = runTasks();
    reset(); // a task that was submitted just now has found the flag set, and woke nobody
    return ran;
  }

  private void reset() {
    point("to reset the flag", woken);
    woken.set(false);
  }

  private int runTasks() {
    int ran = 0;
    for (; ; ) {
      point("to look at the queue", tasks);
      Runnable task = tasks.poll();
      if (task == null) {
        return ran;
      }
      task.run();
      ran++;
    }
  }
  // end snippet
}
