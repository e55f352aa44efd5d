package io.github.eventpoll.scenarios;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import java.util.ArrayList;
import java.util.List;

/** Events as text, {@code "a IN|OUT"}: the attachment, or else the source, and the bits. */
public final class Taken {
  private static final int MANY = 1000;

  private Taken() {}

  /** What an await with timeout zero takes. */
  public static List<String> now(EventPoll poll) {
    return now(poll, MANY);
  }

  /** What an await with timeout zero takes into a batch of this capacity. */
  public static List<String> now(EventPoll poll, int capacity) {
    ReadyEvents ready = new ReadyEvents(capacity);
    int n = poll.awaitNow(ready);
    if (n != ready.size()) {
      throw new AssertionError("returned " + n + " with " + ready.size() + " in the batch");
    }
    return in(ready);
  }

  /** What a batch holds. */
  public static List<String> in(ReadyEvents ready) {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < ready.size(); i++) {
      Object who = ready.attachment(i);
      events.add((who == null ? ready.source(i) : who) + " " + Events.toString(ready.events(i)));
    }
    return events;
  }
}
