package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import java.io.PrintStream;

/** A poll in a poll: what is urgent is asked for first. */
public final class Nested {
  private Nested() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws InterruptedException {
    run(System.out);
  }

  static void run(PrintStream out) throws InterruptedException {
    // snippet: nested
    QueueSource<String> work = QueueSource.unbounded();
    try (EventFd alarm = EventFd.create();
        EventPoll urgent = EventPoll.create();
        EventPoll all = EventPoll.create()) {
      urgent.add(alarm, Events.IN, "alarm");
      all.add(work, Events.IN, "work");
      all.add(urgent, Events.IN, "urgent");
      work.offer("a job");
      alarm.write(1);

      ReadyEvents ready = new ReadyEvents(1);
      for (int round = 0; round < 2; round++) {
        int n = urgent.awaitNow(ready); // first, and without waiting
        if (n == 0) {
          n = all.await(ready); // then everything, urgent things included
        }
        out.println("round " + round + ": " + ready.attachment(0));
        alarm.tryRead();
      }
    }
    // end snippet
  }
}
