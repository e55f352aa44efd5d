package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.QueueSource;
import java.io.PrintStream;

/** One-shot watching: after one report the source belongs to whoever got it, until re-armed. */
public final class OneShot {
  private OneShot() {}

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
    // snippet: one-shot
    QueueSource<String> requests = QueueSource.unbounded();
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(requests, Events.IN | Events.ONESHOT);
      requests.offer("first");

      ReadyEvents ready = new ReadyEvents(16);
      out.println("reported: " + poll.await(ready) + ", armed: " + item.isArmed());

      requests.offer("second"); // while we are busy; no other thread is told
      out.println("meanwhile: " + poll.awaitNow(ready));
      out.println("served: " + requests.poll());

      item.modify(Events.IN | Events.ONESHOT); // asks the source: nothing was lost
      out.println("armed again: " + poll.await(ready) + ", " + requests.poll());
    }
    // end snippet
  }
}
