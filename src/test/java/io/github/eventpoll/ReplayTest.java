package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S194: on virtual time the same program gives the same events, to the letter. */
@EveryPath
class ReplayTest {
  private static final int[] MASKS = {
    Events.IN, Events.IN | Events.OUT, Events.IN | Events.ET, Events.IN | Events.ONESHOT
  };

  @Test
  @DisplayName("S194: same seed, same trace; another seed, another trace")
  void s194_seedReplay() {
    List<String> traces = IntStream.range(0, 5).mapToObj(seed -> trace(seed)).toList();
    for (int seed = 0; seed < 5; seed++) {
      assertThat(trace(seed)).isEqualTo(traces.get(seed));
    }
    assertThat(traces).doesNotHaveDuplicates();
  }

  /** A random program over counters, timers and an inner poll, and what its waits reported. */
  private static String trace(long seed) {
    Random random = new Random(seed);
    VirtualTime time = VirtualTime.create();
    EventPoll poll = Polls.on(time);
    EventPoll inner = Polls.on(time);
    poll.add(inner, Events.IN, "inner");
    List<EventFd> counters = new ArrayList<>();
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      counters.add(EventFd.create());
      timers.add(time.timer());
      (i % 2 == 0 ? poll : inner).add(counters.get(i), Events.IN, "counter" + i);
      (i % 2 == 0 ? inner : poll).add(timers.get(i), Events.IN, "timer" + i);
    }
    StringBuilder trace = new StringBuilder();
    ReadyEvents batch = new ReadyEvents(3);
    for (int step = 0; step < 2000; step++) {
      EventFd counter = counters.get(random.nextInt(6));
      Timer timer = timers.get(random.nextInt(6));
      EventPoll watching = poll.find(counter) != null ? poll : inner;
      switch (random.nextInt(8)) {
        case 0 -> counter.tryWrite(random.nextInt(3));
        case 1 -> counter.tryRead();
        case 2 -> timer.set(Duration.ofMillis(random.nextInt(20)), Duration.ofMillis(5));
        case 3 -> timer.tryRead();
        case 4 -> time.advance(Duration.ofMillis(random.nextInt(7)));
        case 5 -> watching.find(counter).modify(MASKS[random.nextInt(MASKS.length)]);
        case 6 -> note(trace, step, inner.awaitNow(batch), batch);
        default -> note(trace, step, poll.awaitNow(batch), batch);
      }
    }
    return trace.toString();
  }

  private static void note(StringBuilder trace, int step, int taken, ReadyEvents batch) {
    trace.append(step).append(':');
    for (int i = 0; i < taken; i++) {
      trace.append(' ').append(batch.attachment(i)).append(' ');
      trace.append(Events.toString(batch.events(i)));
    }
    trace.append('\n');
  }
}
