package io.github.eventpoll.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.nio.ChannelSource;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples in the Javadoc of the packages. */
@Timeout(60)
class PackagePagesTest {
  @Test
  void root() throws Exception {
    List<String> seen = new ArrayList<>();
    // snippet: root
    try (EventFd counter = EventFd.create();
        EventPoll poll = EventPoll.create()) {
      poll.add(counter, Events.IN, "a counter");
      counter.write(1); // by any thread

      ReadyEvents ready = new ReadyEvents(16);
      int n = poll.await(ready); // sleeps until there is something
      for (int i = 0; i < n; i++) {
        seen.add(ready.attachment(i) + " is ready for " + Events.toString(ready.events(i)));
      }
    }
    // end snippet
    assertThat(seen).containsExactly("a counter is ready for IN");
  }

  @Test
  void source() throws Exception {
    String answer;
    // snippet: source
    QueueSource<String> answers = QueueSource.unbounded();
    try (Timer deadline = Timer.create();
        EventPoll poll = EventPoll.create()) {
      poll.add(answers, Events.IN);
      poll.add(deadline, Events.IN);
      deadline.set(Duration.ofSeconds(30));
      answers.offer("yes"); // by any thread

      ReadyEvents ready = new ReadyEvents(1);
      poll.await(ready);
      answer = ready.source(0) == answers ? answers.poll() : "too late";
    }
    // end snippet
    assertThat(answer).isEqualTo("yes");
  }

  @Test
  void nio() throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    // snippet: nio
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    try (Pipe.SinkChannel out = pipe.sink();
        ChannelSource in = ChannelSource.of(pipe.source());
        EventPoll poll = EventPoll.create()) {
      poll.add(in, Events.IN);
      out.write(ByteBuffer.wrap(new byte[] {1, 2, 3})); // by any thread or process

      poll.await(new ReadyEvents(1)); // sleeps in a selector
      in.read(bytes); // through the source, which learns of ends and errors this way
    }
    // end snippet
    assertThat(bytes.position()).isBetween(1, 3);
  }

  @Test
  void testkit() {
    // snippet: testkit
    VirtualTime time = VirtualTime.create();
    try (Timer timer = time.timer();
        EventPoll poll = time.poll()) {
      poll.add(timer, Events.IN);
      timer.set(Duration.ofHours(1));

      ReadyEvents ready = new ReadyEvents(1);
      time.advance(Duration.ofMinutes(59));
      assertThat(poll.awaitNow(ready)).isEqualTo(0);
      time.advance(Duration.ofMinutes(1));
      assertThat(poll.awaitNow(ready)).isEqualTo(1);
    }
    // end snippet
  }
}
