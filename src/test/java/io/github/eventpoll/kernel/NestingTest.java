package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.Events.RDBAND;
import static io.github.eventpoll.Events.RDNORM;
import static io.github.eventpoll.Events.WRNORM;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Polls that watch polls. */
@EveryPath
@Tag("kernel")
class NestingTest {
  @Test
  void s083_anInnerDrainedBeforeTheOuterWaits() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          r.add(outer, inner, IN);
          r.write(a, 1);
          r.read(a);
          r.await(outer);
          r.ask(outer, IN);
          r.write(a, 1);
          r.await(inner);
          r.read(a);
          r.await(outer);
          r.await(inner);
        });
  }

  @Test
  void s085_anOuterEdge() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          r.add(outer, inner, IN | ET);
          r.write(a, 1);
          r.await(outer);
          r.await(outer);
          r.await(inner);
          r.await(outer);
          r.write(a, 1);
          r.await(outer);
          r.await(outer);
          r.write(a, 0);
          r.await(outer);
          r.read(a);
          r.await(outer);
          r.await(inner);
        });
  }

  @Test
  void s086_anOuterLevelAndAnInnerTakenInParts() throws Exception {
    for (int outerMode : new int[] {0, ET, ONESHOT}) {
      for (int innerMode : new int[] {0, ET, ONESHOT}) {
        compare(
            r -> {
              Handle inner = r.poll("inner");
              Handle outer = r.poll("outer");
              Handle a = r.counter("a", 1);
              Handle b = r.counter("b", 1);
              r.add(inner, a, IN | innerMode);
              r.add(inner, b, IN | innerMode);
              r.add(outer, inner, IN | outerMode);
              r.await(outer);
              r.await(inner, 1);
              r.await(outer);
              r.await(inner, 1);
              r.await(outer);
              r.write(b, 1);
              r.await(outer);
              r.await(inner);
              r.await(outer);
              r.modify(outer, inner, IN | outerMode);
              r.await(outer);
              r.modify(inner, a, IN | innerMode);
              r.await(outer);
              r.await(outer);
            });
      }
    }
  }

  @Test
  void s089_anAdditionToTheInnerIsAnEdge() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a", 1);
          Handle idle = r.counter("idle");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(outer, inner, IN | ET);
          r.await(outer);
          r.add(inner, idle, IN);
          r.await(outer);
          r.add(inner, a, IN);
          r.await(outer);
          r.modify(inner, a, IN); // still queued: no edge
          r.await(outer);
          r.await(inner);
          r.modify(inner, a, IN | ET); // queued again by level
          r.await(outer);
          r.await(inner);
          r.modify(inner, a, IN | ET); // no longer queued
          r.await(outer);
          r.await(outer);
        });
  }

  /** KERNEL-SEMANTICS 3.4: an outer edge for each inner callback, also if nothing was taken. */
  @Test
  void everyInnerCallbackIsAnOuterEdge() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          r.add(outer, inner, IN | ET);
          for (int i = 0; i < 3; i++) {
            r.write(a, 1);
            r.await(outer);
            r.await(outer);
          }
          r.modify(inner, a, PRI);
          r.write(a, 1); // dropped by the mask: no edge
          r.await(outer);
          r.modify(inner, a, IN | ONESHOT);
          r.await(outer);
          r.await(inner);
          r.write(a, 1); // disarmed: no edge
          r.await(outer);
        });
  }

  /** KERNEL-SEMANTICS 3.4: the wake of a poll carries IN only; asking it says IN and RDNORM. */
  @Test
  void whatAnInnerReports() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle normal = r.poll("normal");
          Handle all = r.poll("all");
          r.add(inner, a, IN);
          r.add(normal, inner, RDNORM);
          r.add(all, inner, IN | PRI | OUT | RDNORM | RDBAND | WRNORM);
          r.write(a, 1);
          r.ask(inner, IN | OUT | RDNORM | PRI);
          r.await(all);
          r.await(normal); // never told by a wake
          r.modify(normal, inner, RDNORM);
          r.await(normal);
          r.await(normal);
          r.modify(all, inner, OUT | WRNORM);
          r.await(all);
        });
  }

  /** KERNEL-SEMANTICS 5.1: asking a poll drops what is stale and keeps the order of the rest. */
  @Test
  void askingPrunesAndKeepsTheOrder() throws Exception {
    compare(
        r -> {
          Handle[] all = new Handle[4];
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          for (int i = 0; i < 4; i++) {
            all[i] = r.counter("c" + i, 1);
            r.add(inner, all[i], IN | ET);
          }
          r.add(outer, inner, IN);
          r.read(all[0]);
          r.read(all[2]);
          r.await(outer);
          r.write(all[0], 1);
          r.await(outer);
          r.await(inner);
          r.await(outer);
        });
  }

  @Test
  void s091_theInnerCloses() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          r.add(outer, inner, IN);
          r.write(a, 1);
          r.await(outer);
          r.close(inner);
          r.await(outer);
          r.interests(outer);
          r.write(a, 1);
          r.await(outer);
          r.ask(outer, IN);
        });
  }

  @Test
  void theOuterCloses() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle inner = r.poll("inner");
          Handle outer = r.poll("outer");
          r.add(inner, a, IN);
          r.add(outer, inner, IN);
          r.write(a, 1);
          r.close(outer);
          r.await(inner);
          r.write(a, 1);
          r.await(inner);
          Handle again = r.poll("again");
          r.add(again, inner, IN);
          r.await(again);
        });
  }

  @Test
  void aChainOfFive() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] chain = new Handle[5];
          for (int i = 0; i < 5; i++) {
            chain[i] = r.poll("e" + i);
            r.add(chain[i], i == 0 ? a : chain[i - 1], IN | (i % 2 == 1 ? ET : 0));
          }
          r.write(a, 1);
          for (int round = 0; round < 2; round++) {
            for (int i = 4; i >= 0; i--) {
              r.await(chain[i]);
            }
          }
          r.write(a, 1);
          r.read(a);
          for (int i = 4; i >= 0; i--) {
            r.await(chain[i]);
          }
        });
  }

  @Test
  void s094_depthBuiltFromTheInside() throws Exception {
    compare(
        r -> {
          Handle below = r.counter("a");
          for (int i = 1; i <= 6; i++) {
            Handle above = r.poll("e" + i);
            r.add(above, below, IN);
            r.interests(above);
            below = above;
          }
        });
  }

  @Test
  void s094_depthBuiltFromTheOutside() throws Exception {
    compare(
        r -> {
          Handle outer = r.poll("e0");
          for (int i = 1; i <= 6; i++) {
            Handle inner = r.poll("e" + i);
            r.add(outer, inner, IN);
            r.interests(outer);
            outer = inner;
          }
        });
  }

  /** KERNEL-SEMANTICS 5.2: chains of every length joined, and the structure used afterwards. */
  @Test
  void s094_chainsJoined() throws Exception {
    for (int upper = 1; upper <= 5; upper++) {
      for (int lower = 1; lower <= 5; lower++) {
        int above = upper;
        int below = lower;
        compare(
            r -> {
              Handle[] up = chain(r, "up", above);
              Handle[] down = chain(r, "down", below);
              Handle a = r.counter("a");
              r.add(down[below - 1], a, IN);
              r.add(up[above - 1], down[0], IN);
              r.add(up[above - 1], down[0], IN);
              r.add(down[below - 1], up[0], IN);
              r.write(a, 1);
              r.await(up[0]);
              r.await(down[0]);
            });
      }
    }
  }

  private static Handle[] chain(Recorder r, String name, int length) {
    Handle[] polls = new Handle[length];
    for (int i = 0; i < length; i++) {
      polls[i] = r.poll(name + i);
      if (i > 0) {
        r.add(polls[i - 1], polls[i], IN);
      }
    }
    return polls;
  }

  @Test
  void s095_circlesOfTwoThreeAndFive() throws Exception {
    for (int length : new int[] {2, 3, 4, 5}) {
      compare(
          r -> {
            Handle[] polls = chain(r, "e", length);
            Handle a = r.counter("a", 1);
            r.add(polls[length - 1], polls[0], IN);
            r.add(polls[length - 1], polls[0], IN | ET);
            r.add(polls[length - 1], a, IN);
            r.await(polls[0]);
            r.await(polls[length - 1]);
            r.remove(polls[0], polls[1]);
            r.add(polls[length - 1], polls[0], IN); // the circle is open now
            r.await(polls[0]);
          });
    }
  }

  @Test
  void diamonds() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle left = r.poll("left");
          Handle right = r.poll("right");
          Handle top = r.poll("top");
          r.add(left, a, IN);
          r.add(right, a, IN | ET);
          r.add(top, left, IN | ET);
          r.add(top, right, IN | ET);
          r.add(top, a, IN);
          r.write(a, 1);
          r.await(top);
          r.await(top);
          r.await(left);
          r.await(right);
          r.write(a, 1);
          r.read(a);
          r.await(top);
          r.add(left, right, IN);
          r.add(right, left, IN);
          r.write(a, 1);
          r.await(top);
          r.await(left);
        });
  }

  /** Exactly one of the two succeeds, every time; and what was refused has left nothing. */
  @Test
  void s097_concurrentReverseAdditions() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a", 1);
          for (int i = 0; i < 100; i++) {
            Handle one = r.poll("one" + i);
            Handle other = r.poll("other" + i);
            r.addEachOther(one, other);
            r.add(one, a, IN);
            r.add(other, a, IN | ET);
            r.close(one);
            r.await(other);
            r.close(other);
          }
        });
  }

  /** A refused addition leaves nothing: the same polls go together in another way afterwards. */
  @Test
  void afterARefusal() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a", 1);
          Handle[] polls = chain(r, "e", 5);
          Handle sixth = r.poll("sixth");
          r.add(sixth, polls[0], IN);
          r.add(polls[4], sixth, IN);
          r.interests(sixth);
          r.add(polls[4], polls[1], IN);
          r.interests(polls[4]);
          r.add(polls[4], a, IN);
          r.await(polls[0]);
          r.remove(polls[0], polls[1]);
          r.add(sixth, polls[1], IN);
          r.await(sixth);
          r.add(polls[0], sixth, IN);
          r.await(polls[0]);
        });
  }
}
