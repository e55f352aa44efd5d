package consumer;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Third use, logic with deadlines that has a unit test: orders go out by threes or after a second.
 */
final class Batch {
  private static final int SIZE = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final EventPoll poll;
  private final Timer deadline;
  private final QueueSource<String> orders = QueueSource.unbounded();
  private final ReadyEvents ready = new ReadyEvents(2);
  private final List<String> open = new ArrayList<>();

  Batch(EventPoll poll, Timer deadline) {
    this.poll = poll;
    this.deadline = deadline;
    poll.add(orders, Events.IN);
    poll.add(deadline, Events.IN);
  }

  void order(String what) {
    orders.offer(what);
  }

  /** Waits for the next batch. */
  List<String> next() throws InterruptedException {
    List<String> batch = List.of();
    while (batch.isEmpty()) {
      batch = take(poll.await(ready));
    }
    return batch;
  }

  /** Answers the next batch if it is due; an empty list if not. */
  List<String> nextNow() {
    return take(poll.awaitNow(ready));
  }

  private List<String> take(int n) {
    boolean due = false;
    for (int i = 0; i < n; i++) {
      if (ready.source(i) == orders) {
        if (open.isEmpty()) {
          deadline.set(PATIENCE);
        }
        orders.drain(open::add, SIZE - open.size());
      } else {
        due = deadline.tryRead() > 0;
      }
    }
    if (!due && open.size() < SIZE) {
      return List.of();
    }
    List<String> batch = List.copyOf(open);
    open.clear();
    deadline.disarm();
    return batch;
  }
}
