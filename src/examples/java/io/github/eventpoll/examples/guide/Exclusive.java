package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Exclusive watching: one source in several polls, and an event wakes one of them. */
public final class Exclusive {
  private Exclusive() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws InterruptedException {
    run(System.out);
  }

  // snippet: exclusive
  /** A thread with a poll of its own; all of them watch one queue of jobs. */
  static final class Loop extends Thread {
    private final EventPoll poll = EventPoll.create();
    private final QueueSource<Runnable> jobs;
    private volatile int wakes;

    Loop(QueueSource<Runnable> jobs, EventFd stop) {
      this.jobs = jobs;
      poll.add(jobs, Events.IN | Events.EXCLUSIVE);
      poll.add(stop, Events.IN); // never read: it ends every loop
    }

    @Override
    public void run() {
      ReadyEvents ready = new ReadyEvents(2);
      try (poll) {
        for (boolean more = true; more; ) {
          int n = poll.awaitUninterruptibly(ready);
          for (int i = 0; i < n; i++) {
            if (ready.source(i) == jobs) {
              wakes++; // written by this thread only
              jobs.drain(Runnable::run, 1);
            } else {
              more = false;
            }
          }
        }
      }
    }
  }

  // end snippet

  static void run(PrintStream out) throws InterruptedException {
    QueueSource<Runnable> jobs = QueueSource.unbounded();
    try (EventFd stop = EventFd.create()) {
      List<Loop> loops = List.of(new Loop(jobs, stop), new Loop(jobs, stop), new Loop(jobs, stop));
      for (Loop loop : loops) {
        loop.start();
        sleeps(loop);
      }
      CountDownLatch done = new CountDownLatch(1);
      jobs.offer(done::countDown);
      done.await();
      stop.write(1);
      for (Loop loop : loops) {
        loop.join();
      }
      out.println("woken: " + loops.stream().mapToInt(loop -> loop.wakes).sum());
    }
  }

  /** Only a loop that sleeps already can be one that is left asleep. */
  private static void sleeps(Thread loop) {
    while (loop.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
