package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
import static io.github.eventpoll.Events.HUP;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.RDHUP;
import static io.github.eventpoll.Events.RDNORM;
import static io.github.eventpoll.Events.WRNORM;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import io.github.eventpoll.source.BytePipe;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pipes of two pages beside those of pipe(2): what their ends are ready for, and their edges. */
@EveryPath
@Tag("kernel")
class PipeTest {
  private static final int PAGE = BytePipe.PAGE;
  private static final int[] MASKS = {
    0, IN, OUT, IN | OUT, RDNORM, WRNORM, RDNORM | WRNORM | RDHUP, HUP
  };

  /** A pipe and a poll that watches its ends. */
  private record Ends(Recorder r, Handle poll, Handle in, Handle out) {
    static Ends watched(Recorder r, int readMask, int writeMask) {
      Handle[] ends = r.pipe("in", "out");
      Ends made = new Ends(r, r.poll("e"), ends[0], ends[1]);
      r.add(made.poll, made.in, readMask);
      r.add(made.poll, made.out, writeMask);
      made.await();
      return made;
    }

    void put(int bytes) {
      r.put(out, bytes);
    }

    void take(int bytes) {
      r.take(in, bytes);
    }

    /** Twice: what is left the second time is level. */
    void await() {
      r.await(poll);
      r.await(poll);
    }

    void putAndAwait(int... puts) {
      for (int bytes : puts) {
        put(bytes);
        await();
      }
    }

    void takeAndAwait(int... takes) {
      for (int bytes : takes) {
        take(bytes);
        await();
      }
    }
  }

  @Test
  void level() throws Exception {
    for (int mask : MASKS) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, mask, mask);
            pipe.putAndAwait(1, PAGE, PAGE, 100);
            pipe.takeAndAwait(1, 100, PAGE, PAGE, PAGE);
            r.ask(pipe.in, mask & ~HUP);
            r.ask(pipe.out, mask & ~HUP);
          });
    }
  }

  @Test
  void s157_theReaderCloses() throws Exception {
    for (int mask : MASKS) {
      for (int inside : new int[] {1, 2 * PAGE}) {
        compare(
            r -> {
              Ends pipe = Ends.watched(r, mask, mask);
              pipe.put(inside);
              pipe.await();
              r.close(pipe.in);
              pipe.await();
              pipe.putAndAwait(0, 1);
              pipe.take(1);
              r.remove(pipe.poll, pipe.in);
              r.ask(pipe.out, mask & ~HUP);
              r.close(pipe.out);
              pipe.await();
            });
      }
    }
  }

  @Test
  void s158_theWriterCloses() throws Exception {
    for (int mask : MASKS) {
      for (int inside : new int[] {0, 1, 2 * PAGE}) {
        compare(
            r -> {
              Ends pipe = Ends.watched(r, mask, mask);
              pipe.put(inside);
              pipe.await();
              r.close(pipe.out);
              pipe.await();
              pipe.takeAndAwait(0, 1, PAGE, PAGE, 1);
              pipe.put(1);
              r.ask(pipe.in, mask & ~HUP);
              r.close(pipe.in);
              pipe.await();
            });
      }
    }
  }

  /** One byte read from a full pipe frees nothing; the last one of a page does, and only that. */
  @Test
  void s041_theOutThreshold() throws Exception {
    for (int mask : new int[] {OUT | ET, WRNORM | ET, OUT, IN | OUT | ET}) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, 0, mask);
            pipe.putAndAwait(2 * PAGE, 1);
            pipe.takeAndAwait(1, PAGE - 2, 1, 1, PAGE - 1, 1);
            pipe.putAndAwait(PAGE, 1, PAGE - 1, 1);
            pipe.takeAndAwait(3 * PAGE);
          });
    }
  }

  @Test
  void s034_s040_everyWriteIsAnEdgeOfTheReader() throws Exception {
    for (int mask : new int[] {IN | ET, RDNORM | ET, IN | OUT | ET, OUT | ET}) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, mask, 0);
            pipe.putAndAwait(2, 1);
            pipe.takeAndAwait(1);
            pipe.take(2);
            pipe.putAndAwait(1);
            pipe.put(1);
            pipe.putAndAwait(1, 3 * PAGE, 1, PAGE);
            pipe.takeAndAwait(PAGE, 5 * PAGE, 1);
          });
    }
  }

  @Test
  void theEndsAreEdgesOnce() throws Exception {
    for (int inside : new int[] {0, 1, 2 * PAGE}) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, IN | ET, OUT | ET);
            pipe.put(inside);
            pipe.await();
            r.close(pipe.out);
            pipe.await();
            pipe.takeAndAwait(1, 2 * PAGE);
          });
      compare(
          r -> {
            Ends pipe = Ends.watched(r, IN | ET, OUT | ET);
            pipe.put(inside);
            pipe.await();
            r.close(pipe.in);
            pipe.await();
            pipe.putAndAwait(1);
          });
    }
  }

  @Test
  void s053_oneShot() throws Exception {
    for (int mode : new int[] {ONESHOT, ONESHOT | ET}) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, IN | mode, OUT | mode);
            pipe.putAndAwait(1, 1);
            r.modify(pipe.poll, pipe.in, IN | mode);
            pipe.await();
            r.close(pipe.out);
            pipe.await();
            r.modify(pipe.poll, pipe.in, mode);
            pipe.await();
            r.modify(pipe.poll, pipe.in, IN);
            pipe.await();
          });
      compare(
          r -> {
            Ends pipe = Ends.watched(r, 0, OUT | mode);
            r.close(pipe.in);
            pipe.await();
            r.modify(pipe.poll, pipe.out, 0);
            pipe.await();
          });
    }
  }

  /** What is no more than a page goes in as a whole, behind what is there if it fits. */
  @Test
  void whatFits() throws Exception {
    int[][] all = {
      {4000, 4000, 96, 97, 96},
      {PAGE - 1, PAGE, 1, 1},
      {1, PAGE, PAGE - 1, 1},
      {1, 2 * PAGE, 1, PAGE},
      {100, 5000, 5000, 1},
      {3 * PAGE + 1, 1},
      {PAGE, PAGE + 5, 1},
      {10, PAGE + 4086, 1},
      {10, PAGE + 4087, 1},
      {0, 2 * PAGE, 0, 1}
    };
    for (int[] puts : all) {
      compare(
          r -> {
            Ends pipe = Ends.watched(r, IN | ET, OUT | ET);
            pipe.putAndAwait(puts);
            pipe.takeAndAwait(0, 50, PAGE, 10);
            pipe.putAndAwait(puts);
            pipe.takeAndAwait(PAGE + 1, PAGE, 5 * PAGE);
          });
    }
  }

  @Test
  void exclusiveReadersShareWritesAndAllHearTheEnd() throws Exception {
    compare(
        r -> {
          Handle[] ends = r.pipe("in", "out");
          Handle[] polls = new Handle[3];
          for (int i = 0; i < polls.length; i++) {
            polls[i] = r.poll("e" + i);
            r.add(polls[i], ends[0], IN | EXCLUSIVE | ET);
            r.waiter("W" + i, polls[i], 1);
          }
          r.put(ends[1], 1);
          r.settle();
          r.take(ends[0], 1);
          r.close(ends[1]);
          r.settle();
          for (Handle poll : polls) {
            r.await(poll);
          }
        });
  }

  @Test
  void exclusiveWritersShareRoomAndAllHearTheEnd() throws Exception {
    compare(
        r -> {
          Handle[] ends = r.pipe("in", "out");
          r.put(ends[1], 2 * PAGE);
          Handle[] polls = new Handle[3];
          for (int i = 0; i < polls.length; i++) {
            polls[i] = r.poll("e" + i);
            r.add(polls[i], ends[1], OUT | EXCLUSIVE | ET);
            r.waiter("W" + i, polls[i], 1);
          }
          r.take(ends[0], 1);
          r.settle();
          r.take(ends[0], PAGE);
          r.settle();
          r.close(ends[0]);
          r.settle();
          for (Handle poll : polls) {
            r.await(poll);
          }
        });
  }

  @Test
  void aPollOfAPollHearsOfBothEnds() throws Exception {
    for (int mode : new int[] {0, ET}) {
      compare(
          r -> {
            Handle outer = r.poll("outer");
            Ends pipe = Ends.watched(r, IN | mode, OUT | mode);
            r.add(outer, pipe.poll, IN | mode);
            r.await(outer);
            r.await(outer);
            for (int bytes : new int[] {1, 2 * PAGE, PAGE, 1}) {
              pipe.put(bytes);
              r.await(outer);
              pipe.take(bytes);
              r.await(outer);
              r.await(outer);
            }
            r.close(pipe.out);
            r.await(outer);
            r.await(outer);
            pipe.await();
          });
    }
  }

  @Test
  void whatIsClosedRefuses() throws Exception {
    compare(
        r -> {
          Handle[] ends = r.pipe("in", "out");
          Handle e = r.poll("e");
          r.close(ends[0]);
          r.take(ends[0], 1);
          r.take(ends[0], 0);
          r.add(e, ends[0], IN);
          r.put(ends[1], 0);
          r.put(ends[1], 1);
          r.close(ends[1]);
          r.put(ends[1], 1);
          r.put(ends[1], 0);
          r.add(e, ends[1], OUT);
        });
  }
}
