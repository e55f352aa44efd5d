package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.kernel.Comparison.compare;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several threads that sleep in one poll: how many of them a write wakes, and which. */
@Tag("kernel")
class WaitersTest {
  @Test
  void s100_onePollEdgeOneWrite() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          r.waiter("A", e, 1);
          r.waiter("B", e, 1);
          r.waiter("C", e, 1);
          r.write(a, 1);
          r.settle();
          r.write(a, 1);
          r.settle();
        });
  }
}
