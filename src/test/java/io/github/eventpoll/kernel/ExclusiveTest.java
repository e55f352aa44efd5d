package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ERR;
import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
import static io.github.eventpoll.Events.HUP;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.MSG;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.Events.PRI;
import static io.github.eventpoll.Events.RDBAND;
import static io.github.eventpoll.Events.RDHUP;
import static io.github.eventpoll.Events.RDNORM;
import static io.github.eventpoll.Events.WAKEUP;
import static io.github.eventpoll.Events.WRBAND;
import static io.github.eventpoll.Events.WRNORM;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** EXCLUSIVE: the masks that go with it, who has the event, and who is woken. */
@EveryPath
@Tag("kernel")
class ExclusiveTest {
  /** One source is told EXCLUSIVE with every bit and flag, alone and beside IN. */
  @Test
  void exclusiveMaskMatrix() throws Exception {
    int[] bits = {
      0, IN, PRI, OUT, ERR, HUP, RDNORM, RDBAND, WRNORM, WRBAND, MSG, RDHUP, WAKEUP, ONESHOT, ET
    };
    compare(
        r -> {
          for (int bit : bits) {
            for (int with : new int[] {0, IN, IN | OUT | ET}) {
              Handle e = r.poll("e");
              Handle a = r.counter("a", 1);
              Handle inner = r.poll("inner");
              r.add(e, a, bit | with | EXCLUSIVE);
              r.add(e, inner, bit | with | EXCLUSIVE);
              r.interests(e);
              r.await(e);
              r.modify(e, a, bit | with);
              r.interests(e);
              r.remove(e, a);
              r.add(e, a, bit | with);
              r.modify(e, a, bit | with | EXCLUSIVE);
              r.interests(e);
            }
          }
        });
  }

  @Test
  void withoutSleepersEveryExclusivePollHasTheEvent() throws Exception {
    for (int mode : new int[] {0, ET}) {
      compare(
          r -> {
            Handle a = r.counter("a");
            Handle[] polls = exclusives(r, a, 4, mode);
            Handle plain = r.poll("plain");
            r.add(plain, a, IN | mode);
            r.write(a, 1);
            for (Handle poll : polls) {
              r.await(poll);
            }
            r.await(plain);
            r.write(a, 1);
            r.read(a);
            for (Handle poll : polls) {
              r.await(poll);
            }
            r.await(plain);
          });
    }
  }

  private static Handle[] exclusives(Recorder r, Handle source, int count, int mode) {
    Handle[] polls = new Handle[count];
    for (int i = 0; i < count; i++) {
      polls[i] = r.poll("e" + i);
      r.add(polls[i], source, IN | EXCLUSIVE | mode);
    }
    return polls;
  }

  /** KERNEL-SEMANTICS 2.3: every exclusive poll that adds a ready source gets it. */
  @Test
  void anAdditionOfAReadySource() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a", 1);
          Handle[] polls = exclusives(r, a, 3, ET);
          for (Handle poll : polls) {
            r.await(poll);
            r.await(poll);
          }
        });
  }

  @Test
  void removedAndAddedAgainGoesToTheEnd() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = exclusives(r, a, 3, ET);
          r.remove(polls[0], a);
          r.add(polls[0], a, IN | EXCLUSIVE | ET);
          r.waiter("A", polls[0], 1);
          r.waiter("B", polls[2], 1);
          r.write(a, 1);
          r.settle();
          for (Handle poll : polls) {
            r.await(poll);
          }
        });
  }

  /** Golden: 8 polls with one waiter each; one write wakes one, whatever the mode. */
  @Test
  void eightPollsEightWaiters() throws Exception {
    for (int mode : new int[] {0, ET}) {
      compare(
          r -> {
            Handle a = r.counter("a");
            Handle[] polls = exclusives(r, a, 8, mode);
            for (int i = 0; i < 8; i++) {
              r.waiter("W" + i, polls[i], 1);
            }
            for (int i = 0; i < 3; i++) {
              r.write(a, 1);
              r.settle();
            }
            for (Handle poll : polls) {
              r.await(poll);
            }
          });
    }
  }

  @Test
  void s106_threePlainAndFiveExclusive() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = exclusives(r, a, 5, ET);
          for (int i = 0; i < 3; i++) {
            Handle plain = r.poll("p" + i);
            r.add(plain, a, IN | ET);
            r.waiter("P" + i, plain, 1);
          }
          for (int i = 0; i < 5; i++) {
            r.waiter("X" + i, polls[i], 1);
          }
          r.write(a, 1);
          r.settle();
          r.write(a, 1);
          r.settle();
        });
  }

  /**
   * Golden: polls before the one that has a waiter also hold the item ready, those behind do not.
   */
  @Test
  void s107_onlyOneOfFivePollsHasAWaiter() throws Exception {
    for (int position = 0; position < 5; position++) {
      int only = position;
      for (int mode : new int[] {0, ET}) {
        compare(
            r -> {
              Handle a = r.counter("a");
              Handle[] polls = exclusives(r, a, 5, mode);
              r.waiter("W", polls[only], 1);
              r.write(a, 1);
              r.settle();
              for (Handle poll : polls) {
                r.await(poll);
              }
            });
      }
    }
  }

  /** KERNEL-SEMANTICS 3.3: a watcher whose mask does not match does not use the wake up. */
  @Test
  void aMismatchPassesTheWakeOn() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = {r.poll("out"), r.poll("err"), r.poll("in"), r.poll("late")};
          r.add(polls[0], a, OUT | EXCLUSIVE | ET);
          r.add(polls[1], a, EXCLUSIVE | ET);
          r.add(polls[2], a, IN | EXCLUSIVE | ET);
          r.add(polls[3], a, IN | OUT | EXCLUSIVE | ET);
          r.await(polls[0]);
          r.await(polls[3]);
          for (int i = 0; i < 4; i++) {
            r.waiter("W" + i, polls[i], 1);
          }
          r.write(a, 1); // IN
          r.settle();
          r.read(a); // OUT
          r.settle();
          r.read(a); // refused
          r.settle();
          r.write(a, 1);
          r.settle();
        });
  }

  /** An item that is queued already still chooses a waiter, and that uses the wake up. */
  @Test
  void queuedAlreadyAndAWaiter() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = exclusives(r, a, 3, ET);
          r.write(a, 1); // queued everywhere
          r.await(polls[1]);
          r.waiter("A", polls[1], 1);
          r.write(a, 1);
          r.settle();
          for (Handle poll : polls) {
            r.await(poll);
          }
        });
  }

  /** A poll that is only watched by another poll has no sleeper of its own. */
  @Test
  void aWatchedPollIsNotASleeper() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = exclusives(r, a, 2, ET);
          Handle outer = r.poll("outer");
          r.add(outer, polls[0], IN | ET);
          r.waiter("outer", outer, 1);
          r.waiter("second", polls[1], 1);
          r.write(a, 1);
          r.settle();
          r.await(polls[0]);
          r.await(polls[1]);
        });
  }

  /** The kernel loses the wake that an exclusive item took with it; the library gives it back. */
  @Test
  void removedBetweenItsWakeAndTheWait() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle[] polls = exclusives(r, a, 3, ET);
          r.waiter("A", polls[1], 1);
          r.write(a, 1); // queued in e0, which nobody waits for, and given to A
          r.settle();
          r.waiter("B", polls[2], 1);
          r.remove(polls[0], a);
          r.settle("after the item was removed");
          r.await(polls[0]);
        });
  }
}
