package io.github.eventpoll.examples;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;

/** The example of README.md, which repeats what stands between the marks; a test compares them. */
public final class QuickStart {
  private QuickStart() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws InterruptedException {
    // README begin
    QueueSource<String> orders = QueueSource.unbounded();
    Timer clock = Timer.create();
    EventFd stop = EventFd.create();
    try (EventPoll poll = EventPoll.create()) {
      poll.add(orders, Events.IN);
      poll.add(clock, Events.IN);
      poll.add(stop, Events.IN);
      clock.set(Duration.ofMillis(50), Duration.ofMillis(50)); // first, then every

      orders.offer("tea"); // any thread may do this, at any time
      orders.offer("cake");

      ReadyEvents ready = new ReadyEvents(16);
      while (stop.count() == 0) {
        int n = poll.await(ready); // sleeps until one of the three has something
        for (int i = 0; i < n; i++) {
          if (ready.source(i) == orders) {
            orders.drain(order -> System.out.println("order: " + order), 16);
          } else if (ready.source(i) == clock) {
            System.out.println(clock.tryRead() + " tick, closing time");
            stop.tryWrite(1);
          }
        }
      }
    }
    // README end
  }
}
