package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The threaded scenarios of the kernel's wake-up self-test, on counters that are never read. A
 * thread waits in a poll or, where the name says "asked", for the poll as poll(2) does, and then
 * takes what is there. Where the test says that one of two threads may get nothing, only the other
 * is compared.
 */
@EveryPath
@Tag("kernel")
class WakeupThreadsTest {
  private static final int[] MODES = {0, ET};

  @Test
  void scenarios9To10_twoThreadsInOnePoll() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            OnePoll t = new OnePoll(r, mode);
            r.waiter("main", t.e0, 1);
            r.waiter("other", t.e0, 1);
            r.write(t.s0, 1);
            r.settleTogether();
          });
    }
  }

  @Test
  void scenarios11To12_twoSources() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            OnePoll t = new OnePoll(r, mode);
            int most = mode == 0 ? 2 : 1;
            r.waiter("main", t.e0, most);
            r.waiter("other", t.e0, most);
            r.write(t.s0, 1);
            r.write(t.s2, 1);
            r.settleCount();
          });
    }
  }

  @Test
  void scenarios13To14_oneThreadAsks() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            OnePoll t = new OnePoll(r, mode);
            r.waiter("main", t.e0, 1);
            r.asker("asked", t.e0, 1);
            r.write(t.s0, 1);
            r.settleTogether();
          });
    }
  }

  @Test
  void scenario15_oneThreadAsksOfTwoSources() throws Exception {
    compare(
        r -> {
          OnePoll t = new OnePoll(r, 0);
          r.waiter("main", t.e0, 2);
          r.asker("asked", t.e0, 2);
          r.write(t.s0, 1);
          r.write(t.s2, 1);
          r.settleCount();
        });
  }

  @Test
  void scenarios25To32_bothOnTheOuter() throws Exception {
    for (int outer : MODES) {
      for (int inner : MODES) {
        nested(
            outer,
            inner,
            t -> {
              t.r.waiter("main", t.e0, 1);
              t.r.waiter("other", t.e0, 1);
              t.r.write(t.s0, 1);
              t.r.settleTogether();
            });
        nested(
            outer,
            inner,
            t -> {
              t.r.waiter("main", t.e0, 1);
              t.r.asker("asked", t.e0, 1);
              t.r.write(t.s0, 1);
              t.r.settleTogether();
            });
      }
    }
  }

  @Test
  void scenarios33To48_oneOnTheInner() throws Exception {
    for (int outer : MODES) {
      for (int inner : MODES) {
        for (boolean mainAsks : new boolean[] {false, true}) {
          for (boolean otherAsks : new boolean[] {false, true}) {
            nested(
                outer,
                inner,
                t -> {
                  start(t.r, "main", t.e1, mainAsks);
                  start(t.r, "other", t.e0, otherAsks);
                  t.r.write(t.s0, 1);
                  if (inner == 0) {
                    t.r.settleTogether();
                  } else {
                    t.r.settleFor("main"); // and may leave nothing for the other
                  }
                });
          }
        }
      }
    }
  }

  @Test
  void scenarios53To58_twoPollsBelow() throws Exception {
    for (int outer : MODES) {
      for (int asking = 0; asking < 3; asking++) {
        boolean mainAsks = asking == 2;
        boolean otherAsks = asking > 0;
        if (outer == ET && mainAsks) {
          continue; // between the writes one may take the only event, and the other find nothing
        }
        compare(
            r -> {
              Handle s0 = r.counter("s0");
              Handle s2 = r.counter("s2");
              Handle e1 = r.poll("e1");
              Handle e2 = r.poll("e2");
              Handle e0 = r.poll("e0");
              r.add(e1, s0, IN);
              r.add(e2, s2, IN);
              r.add(e0, e1, IN | outer);
              r.add(e0, e2, IN | outer);
              start(r, "main", e0, mainAsks);
              start(r, "other", e0, otherAsks);
              r.write(s0, 1);
              r.write(s2, 1);
              if (outer == ET && otherAsks) {
                r.settleFor("main"); // the other may have looked between the writes
              } else {
                r.settleCount();
              }
            });
      }
    }
  }

  /** Ten edges, ten threads: everybody gets one (scenario 60). */
  @Test
  void scenario60_tenEdgesTenThreads() throws Exception {
    for (int round = 0; round < 5; round++) {
      compare(
          r -> {
            Handle e0 = r.poll("e0");
            Handle[] all = new Handle[10];
            for (int i = 0; i < 10; i++) {
              all[i] = r.counter("c" + i);
              r.add(e0, all[i], IN | ET);
            }
            for (int i = 0; i < 10; i++) {
              r.waiter("W" + i, e0, 1);
            }
            for (Handle one : all) {
              r.write(one, 1);
            }
            r.settleTogether();
          });
    }
  }

  private static void start(Recorder r, String name, Handle poll, boolean asks) {
    if (asks) {
      r.asker(name, poll, 1);
    } else {
      r.waiter(name, poll, 1);
    }
  }

  private static void nested(int outer, int inner, Consumer<Nested> program) throws Exception {
    compare(r -> program.accept(new Nested(r, outer, inner)));
  }

  /** e0 watches s0 and s2. */
  private static final class OnePoll {
    final Handle s0;
    final Handle s2;
    final Handle e0;

    OnePoll(Recorder r, int mode) {
      s0 = r.counter("s0");
      s2 = r.counter("s2");
      e0 = r.poll("e0");
      r.add(e0, s0, IN | mode);
      r.add(e0, s2, IN | mode);
    }
  }

  /** e0 watches e1, which watches s0. */
  private static final class Nested {
    final Recorder r;
    final Handle s0;
    final Handle e1;
    final Handle e0;

    Nested(Recorder r, int outer, int inner) {
      this.r = r;
      s0 = r.counter("s0");
      e1 = r.poll("e1");
      e0 = r.poll("e0");
      r.add(e1, s0, IN | inner);
      r.add(e0, e1, IN | outer);
    }
  }
}
