package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.Events.RDNORM;
import static io.github.eventpoll.Events.WRNORM;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters as eventfd(2): bounds, semaphore, and what is reported at the bounds. */
@EveryPath
@Tag("kernel")
class CounterTest {
  private static final long ALMOST = -2; // 2^64 - 2, the most that fits
  private static final long REFUSED = -1; // 2^64 - 1

  @Test
  void s146_outAtTheUpperBound() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | OUT | ET);
          r.write(a, ALMOST - 1);
          r.await(e);
          r.ask(a, IN | OUT | PRI | RDNORM | WRNORM);
          r.write(a, 1);
          r.await(e);
          r.ask(a, IN | OUT);
          r.write(a, 1);
          r.await(e);
          r.write(a, 0);
          r.await(e);
          r.read(a);
          r.await(e);
          r.ask(a, IN | OUT);
          r.await(e);
        });
  }

  @Test
  void whatIsRefused() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          r.write(a, REFUSED);
          r.read(a);
          r.write(a, 0);
          r.read(a);
          r.write(a, ALMOST);
          r.write(a, ALMOST);
          r.write(a, REFUSED);
          r.write(a, 1);
          r.read(a);
          r.write(a, Long.MAX_VALUE);
          r.write(a, Long.MAX_VALUE);
          r.write(a, 1);
          r.read(a);
          r.write(a, Long.MIN_VALUE);
          r.write(a, Long.MIN_VALUE);
          r.write(a, Long.MAX_VALUE);
          r.write(a, Long.MAX_VALUE - 1);
          r.read(a);
        });
  }

  @Test
  void s148_accumulatesAndZeroes() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a", 3);
          r.write(a, 4);
          r.write(a, 0);
          r.read(a);
          r.read(a);
          Handle most = r.counter("most", -1); // unsigned 2^32 - 1
          r.read(most);
        });
  }

  @Test
  void s149_semaphore() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.semaphore("a", 0);
          r.add(e, a, IN | OUT | ET);
          r.await(e);
          r.write(a, 3);
          for (int i = 0; i < 4; i++) {
            r.await(e);
            r.read(a);
          }
          r.await(e);
          r.write(a, ALMOST);
          r.await(e);
          r.write(a, 1);
          r.read(a);
          r.await(e);
          r.write(a, 1);
          r.await(e);
        });
  }

  /** KERNEL-SEMANTICS 7.1: keys are IN for a write and OUT for a read, and gate the callback. */
  @Test
  void keysOfReadAndWrite() throws Exception {
    compare(
        r -> {
          Handle out = r.poll("out");
          Handle in = r.poll("in");
          Handle other = r.poll("other");
          Handle a = r.counter("a", 1);
          r.add(out, a, OUT | ET);
          r.add(in, a, IN | ET);
          r.add(other, a, PRI | RDNORM | WRNORM | ET);
          r.await(out);
          r.await(in);
          r.await(other);
          r.write(a, 1);
          r.await(out);
          r.await(in);
          r.await(other);
          r.read(a);
          r.await(out);
          r.await(in);
          r.await(other);
          r.read(a); // refused: no edge
          r.await(out);
          r.write(a, 0);
          r.await(in);
        });
  }
}
