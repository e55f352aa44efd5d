package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.Stall;
import io.github.eventpoll.Stats;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.testkit.VirtualTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What can be seen of a running poll: its text, its counts, its flight records, its stalls. */
public final class Inside {
  private Inside() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws Exception if interrupted while it waits, or the recording cannot be written
   */
  public static void main(String[] args) throws Exception {
    dump(System.out);
    stats(System.out);
    record(System.out);
    stalls(System.out);
  }

  static void dump(PrintStream out) {
    // snippet: dump
    try (EventPoll poll = EventPoll.create();
        EventPoll inner = EventPoll.create();
        EventFd counter = EventFd.create()) {
      QueueSource<String> orders = QueueSource.unbounded();
      poll.add(orders, Events.IN | Events.ET);
      poll.add(inner, Events.IN);
      inner.add(counter, Events.IN);
      orders.offer("tea");

      out.print(poll.dump());
    }
    // end snippet
  }

  static void stats(PrintStream out) throws InterruptedException {
    // snippet: stats
    try (EventPoll poll = EventPoll.builder().countStats(true).build();
        EventFd counter = EventFd.create()) {
      poll.add(counter, Events.IN);
      Stats stats = poll.stats(); // once; it shows the present figures whenever it is read

      counter.write(1);
      poll.await(new ReadyEvents(16));
      out.println(stats.waits() + " wait, " + stats.events() + " event");
      out.println(stats.items() + " item, " + stats.waiters() + " waiters");
    }
    // end snippet
  }

  static void record(PrintStream out) throws IOException, InterruptedException {
    Path file = Files.createTempFile("poll", ".jfr");
    // snippet: record
    try (Recording recording = new Recording();
        EventPoll poll = EventPoll.create()) {
      recording.enable("io.github.eventpoll.Wait");
      recording.start();
      poll.await(new ReadyEvents(16), Duration.ofMillis(5));
      recording.stop();
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        out.println(event.getEventType().getLabel() + ", chosen: " + event.getBoolean("chosen"));
      }
    }
    // end snippet
    Files.delete(file);
  }

  static void stalls(PrintStream out) throws InterruptedException {
    VirtualTime time = VirtualTime.create(); // so that the example need not last
    // snippet: stalls
    try (EventPoll poll = time.poll();
        EventFd counter = EventFd.create()) {
      poll.add(counter, Events.IN);
      counter.write(1); // and nobody ever reads it

      ReadyEvents ready = new ReadyEvents(16);
      for (int second = 0; second <= 3; second++) {
        for (Stall stall : poll.checkStalls()) {
          out.println(stall.kind() + ": " + stall.text());
        }
        for (int i = 0; i < 1_000; i++) {
          poll.await(ready);
        }
        time.advance(Duration.ofSeconds(1));
      }
    }
    // end snippet
  }

  static EventPoll watched() {
    // snippet: watched
    EventPoll poll = EventPoll.builder().watchForStalls(Duration.ofSeconds(2)).build();
    // end snippet
    return poll;
  }
}
