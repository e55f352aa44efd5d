package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.QueueSource;
import java.io.PrintStream;

/** Edge-triggered watching: a source is reported when it has rung, and then not again. */
public final class Edge {
  private Edge() {}

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
    // snippet: edge
    QueueSource<String> orders = QueueSource.unbounded();
    try (EventPoll poll = EventPoll.create()) {
      poll.add(orders, Events.IN | Events.ET);
      orders.offer("tea");
      orders.offer("milk");

      ReadyEvents ready = new ReadyEvents(16);
      out.println("two offers, one event: " + poll.await(ready));
      out.println("taken: " + orders.poll());
      out.println("nothing new, though milk is there: " + poll.awaitNow(ready));

      orders.offer("sugar");
      out.println("rung again: " + poll.await(ready));
      for (String order = orders.poll(); order != null; order = orders.poll()) {
        out.println("drained: " + order); // to the end: only then is it right to wait again
      }
    }
    // end snippet
  }
}
