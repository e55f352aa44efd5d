package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that sleep in polls: how many of them a write wakes, and which. */
@EveryPath
@Tag("kernel")
class WaitersTest {
  private static void threeWaiters(Recorder r, Handle poll, int most) {
    r.waiter("A", poll, most);
    r.waiter("B", poll, most);
    r.waiter("C", poll, most);
  }

  /** The last to come is woken first, and one only. */
  @Test
  void s100_s101_onePollEdge() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          threeWaiters(r, e, 1);
          r.write(a, 1);
          r.settle();
          r.write(a, 1);
          r.settle();
          r.await(e);
          r.write(a, 0);
          r.settle();
        });
  }

  /** Unread, a level-triggered event wakes one after the other. */
  @Test
  void onePollLevel() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN);
          threeWaiters(r, e, 1);
          r.write(a, 1);
          r.settle();
          r.await(e);
        });
  }

  @Test
  void onePollOneShot() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ONESHOT);
          threeWaiters(r, e, 1);
          r.write(a, 1);
          r.settle();
          r.write(a, 1);
          r.settle();
          r.modify(e, a, IN | ONESHOT);
          r.settle();
        });
  }

  @Test
  void s109_twoEventsTwoWaiters() throws Exception {
    for (int mode : new int[] {0, ET, ONESHOT}) {
      compare(
          r -> {
            Handle e = r.poll("e");
            Handle inner = r.poll("inner");
            Handle a = r.counter("a");
            Handle b = r.counter("b");
            r.add(inner, a, IN | mode);
            r.add(inner, b, IN | mode);
            r.write(a, 1);
            r.write(b, 1);
            r.add(e, inner, IN | mode);
            r.await(e, 1);
            r.waiter("A", inner, 1); // two are ready: returns one, and leaves one
            r.waiter("B", inner, 1);
            r.waiter("C", inner, 1);
            r.settle();
          });
    }
  }

  @Test
  void s104_everyPollIsTold() throws Exception {
    for (int mode : new int[] {0, ET, ONESHOT}) {
      compare(
          r -> {
            Handle a = r.counter("a");
            for (int i = 0; i < 8; i++) {
              Handle e = r.poll("e" + i);
              r.add(e, a, IN | mode);
              r.waiter("W" + i, e, 1);
            }
            r.write(a, 1);
            r.settle();
          });
    }
  }

  @Test
  void s028_s029_additionAndModificationWake() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          Handle b = r.counter("b", 1);
          Handle idle = r.counter("idle");
          threeWaiters(r, e, 1);
          r.add(e, idle, IN);
          r.settle();
          r.add(e, a, IN | ET);
          r.settle();
          r.add(e, b, 0);
          r.settle();
          r.modify(e, b, IN | ET);
          r.settle();
          r.modify(e, idle, OUT | ET);
          r.settle();
        });
  }

  /** KERNEL-SEMANTICS 2.4: to modify an item that is queued already wakes nobody. */
  @Test
  void whatWakesNobody() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          r.add(e, a, IN);
          r.add(e, b, OUT | ONESHOT);
          r.await(e);
          r.waiter("A", e, 8);
          r.read(a); // refused
          r.settle();
          r.write(b, 1); // disarmed
          r.settle();
          r.remove(e, a);
          r.write(a, 1);
          r.settle();
          r.add(e, a, PRI);
          r.write(a, 1); // not wanted
          r.settle();
          r.modify(e, a, OUT);
          r.settle();
        });
  }

  /** A write of 0 to an empty counter wakes a waiter, which finds nothing and sleeps again. */
  @Test
  void wokenForNothing() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          threeWaiters(r, e, 1);
          r.write(a, 0);
          r.settle();
          r.write(a, 1);
          r.settle();
          r.write(a, 0);
          r.settle();
        });
  }

  /** KERNEL-SEMANTICS 4.5: who waits on the outer poll, and who on the inner. */
  @Test
  void waitersOnOuterAndInner() throws Exception {
    for (int outerMode : new int[] {0, ET}) {
      compare(
          r -> {
            Handle a = r.counter("a");
            Handle inner = r.poll("inner");
            Handle outer = r.poll("outer");
            r.add(inner, a, IN);
            r.add(outer, inner, IN | outerMode);
            r.waiter("O1", outer, 1);
            r.waiter("O2", outer, 1);
            r.write(a, 1);
            r.settle();
            r.waiter("O3", outer, 1);
            r.waiter("I", inner, 1);
            r.read(a);
            r.write(a, 1);
            r.settle();
          });
    }
  }

  @Test
  void s088_s092_nestedLate() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          for (int i = 0; i < 4; i++) {
            r.await(inner);
            r.await(inner, 1, 2);
          }
          r.waiter("A", outer, 1);
          r.add(outer, inner, IN);
          r.settle();
          r.write(a, 1);
          r.settle();
          r.read(a);
          r.waiter("B", outer, 1);
          r.write(a, 1);
          r.settle();
        });
  }

  @Test
  void s113_lateWaiters() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          r.write(a, 1);
          r.waiter("late", e, 1);
          r.write(a, 1);
          r.read(a);
          r.waiter("later", e, 1);
          r.settle();
        });
  }

  /** The source of a sleeping thread's poll closes: nobody is woken, and the poll goes on. */
  @Test
  void aSourceClosesUnderAWaiter() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle inner = r.poll("inner");
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          r.add(e, a, IN);
          r.add(e, inner, IN);
          r.add(inner, b, IN);
          r.waiter("A", e, 4);
          r.close(a);
          r.settle();
          r.close(inner);
          r.settle();
          r.write(b, 1);
          r.settle();
          r.add(e, b, IN | ET);
          r.settle();
        });
  }

  @Test
  void s119_aNegativeTime() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          r.waiterWithNegativeTime("A", e, -1);
          r.waiterWithNegativeTime("B", e, Integer.MIN_VALUE);
          Handle ready = r.poll("ready");
          r.add(ready, r.counter("a", 1), IN);
          r.waiterWithNegativeTime("C", ready, -2);
        });
  }

  @Test
  void s116_thePollClosesUnderAWaiter() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          r.waiter("A", e, 1);
          r.close(e);
          r.settle("after close");
        });
  }
}
