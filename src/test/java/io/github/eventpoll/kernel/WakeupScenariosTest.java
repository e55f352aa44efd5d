package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sequential scenarios of the kernel's wake-up self-test, on counters that are never read. */
@EveryPath
@Tag("kernel")
class WakeupScenariosTest {
  private static final int[] MODES = {0, ET};

  @Test
  void scenarios1To2_onePollOneSource() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            Handle s = r.counter("s");
            Handle e0 = r.poll("e0");
            r.add(e0, s, IN | mode);
            r.write(s, 1);
            r.await(e0, 1);
            r.await(e0, 1);
          });
    }
  }

  @Test
  void scenarios3To4_onePollTwoSources() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            Handle e0 = twoSources(r, mode);
            r.await(e0, 2);
            r.await(e0, 2);
          });
    }
  }

  @Test
  void scenarios5To6_pollOfAPoll() throws Exception {
    for (int mode : MODES) {
      compare(
          r -> {
            Handle s = r.counter("s");
            Handle e0 = r.poll("e0");
            r.add(e0, s, IN | mode);
            r.write(s, 1);
            askAndAwaitTwice(r, e0, 1);
          });
    }
  }

  @Test
  void scenarios7To8_pollOfAPollWithTwoSources() throws Exception {
    for (int mode : MODES) {
      compare(r -> askAndAwaitTwice(r, twoSources(r, mode), 2));
    }
  }

  @Test
  void scenarios17To24_nested() throws Exception {
    for (int outer : MODES) {
      for (int inner : MODES) {
        compare(
            r -> {
              Handle e0 = nested(r, outer, inner);
              r.await(e0, 1);
              r.await(e0, 1);
            });
        compare(r -> askAndAwaitTwice(r, nested(r, outer, inner), 1));
      }
    }
  }

  @Test
  void scenarios49To52_twoNested() throws Exception {
    for (int outer : MODES) {
      compare(
          r -> {
            Handle e0 = twoNested(r, outer);
            r.await(e0, 2);
            r.await(e0, 2);
          });
      compare(r -> askAndAwaitTwice(r, twoNested(r, outer), 2));
    }
  }

  private static void askAndAwaitTwice(Recorder r, Handle poll, int most) {
    for (int i = 0; i < 2; i++) {
      r.ask(poll, IN);
      r.await(poll, most);
    }
  }

  private static Handle twoSources(Recorder r, int mode) {
    Handle s0 = r.counter("s0");
    Handle s2 = r.counter("s2");
    Handle e0 = r.poll("e0");
    r.add(e0, s0, IN | mode);
    r.add(e0, s2, IN | mode);
    r.write(s0, 1);
    r.write(s2, 1);
    return e0;
  }

  private static Handle nested(Recorder r, int outer, int inner) {
    Handle s = r.counter("s");
    Handle e1 = r.poll("e1");
    Handle e0 = r.poll("e0");
    r.add(e1, s, IN | inner);
    r.add(e0, e1, IN | outer);
    r.write(s, 1);
    return e0;
  }

  private static Handle twoNested(Recorder r, int outer) {
    Handle s0 = r.counter("s0");
    Handle s2 = r.counter("s2");
    Handle e1 = r.poll("e1");
    Handle e2 = r.poll("e2");
    Handle e0 = r.poll("e0");
    r.add(e1, s0, IN);
    r.add(e2, s2, IN);
    r.add(e0, e1, IN | outer);
    r.add(e0, e2, IN | outer);
    r.write(s0, 1);
    r.write(s2, 1);
    return e0;
  }
}
