package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.EXCLUSIVE;
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

/** Add, modify and remove: the checks, their order, and what is registered afterwards. */
@EveryPath
@Tag("kernel")
class ControlTest {
  @Test
  void s001_aPollCannotWatchItself() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          r.add(e, e, IN);
          r.add(e, e, IN | EXCLUSIVE);
          r.modify(e, e, IN);
          r.remove(e, e);
          r.interests(e);
        });
  }

  @Test
  void s004_s013_aSecondAddIsRefusedAndTheFirstStays() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN, 42);
          r.add(e, a, IN, 43);
          r.add(e, a, OUT | ET, 44);
          r.interests(e);
          r.write(a, 1);
          r.await(e);
        });
  }

  @Test
  void s014_whatWasNeverAddedIsNotThere() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.remove(e, a);
          r.modify(e, a, IN);
          r.add(e, a, IN);
          r.remove(e, a);
          r.remove(e, a);
          r.modify(e, a, IN);
          r.add(e, a, OUT);
          r.await(e);
        });
  }

  @Test
  void s007_aClosedPollRefusesEverything() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          Handle b = r.counter("b", 1);
          r.add(e, a, IN);
          r.close(e);
          r.add(e, b, IN);
          r.modify(e, a, IN);
          r.remove(e, a);
          r.await(e);
          r.ask(a, IN);
        });
  }

  @Test
  void s008_s074_aSourceThatClosesIsGone() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          Handle b = r.counter("b", 1);
          r.add(e, a, IN);
          r.add(e, b, IN);
          r.close(a);
          r.remove(e, a);
          r.interests(e);
          r.await(e);
          r.add(e, a, IN);
          r.await(e);
        });
  }

  @Test
  void s010_unknownBits() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | 0x800);
          r.ask(a, IN | OUT);
        });
  }

  @Test
  void s011_whatCannotBeWatched() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle f = r.unwatchable("f");
          r.add(e, f, IN);
          r.add(e, f, IN | EXCLUSIVE | ONESHOT);
          r.interests(e);
          r.await(e);
        });
  }

  /** KERNEL-SEMANTICS 2.2: the first check that fails decides, where two would. */
  @Test
  void orderOfChecks() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle inner = r.poll("inner");
          Handle f = r.unwatchable("f");
          Handle gone = r.counter("gone");
          Handle a = r.counter("a");
          r.close(gone);
          r.add(e, gone, IN | EXCLUSIVE | ONESHOT); // 3 before 7
          r.add(e, f, IN | EXCLUSIVE | PRI); // 4 before 7
          r.add(e, e, IN | EXCLUSIVE | PRI); // 6 and 7
          r.add(e, a, IN);
          r.add(e, a, IN | EXCLUSIVE | RDHUP); // 7 before 10
          r.add(e, a, IN | EXCLUSIVE); // 10
          r.modify(e, a, IN | EXCLUSIVE); // 7
          r.add(e, inner, IN);
          r.add(e, inner, IN | EXCLUSIVE); // 7 before 10
          r.add(e, inner, IN); // 10
          r.add(inner, e, IN | EXCLUSIVE); // 7 before 9
          r.add(inner, e, IN); // 9
          r.remove(e, a);
          r.modify(e, a, IN | EXCLUSIVE); // 7 before 10
          r.modify(e, a, IN); // 10
          r.interests(e);
          r.interests(inner);
        });
  }

  /** KERNEL-SEMANTICS 2.2, 4.4: ERR and HUP join every mask, and leave it when a one-shot fires. */
  @Test
  void s022_masksInForce() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          Handle b = r.counter("b", 1);
          Handle c = r.counter("c", 1);
          Handle d = r.counter("d", 1);
          r.add(e, a, 0);
          r.add(e, b, IN | ET | ONESHOT);
          r.add(e, c, ET | EXCLUSIVE);
          r.add(e, d, IN | PRI | OUT | RDNORM | RDBAND | WRNORM | WRBAND | MSG | RDHUP | WAKEUP);
          r.interests(e);
          r.await(e);
          r.interests(e);
          r.modify(e, a, IN);
          r.modify(e, b, 0);
          r.modify(e, d, 0);
          r.interests(e);
          r.await(e);
        });
  }

  @Test
  void s077_twoNamesOfOneSourceAreTwoItems() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          Handle alias = r.alias("alias", a);
          r.add(e, a, IN);
          r.add(e, alias, IN | ET);
          r.add(e, alias, IN);
          r.write(a, 1);
          r.await(e); // in the order of the callbacks: the newest registration first
          r.await(e);
          r.remove(e, alias);
          r.write(a, 1);
          r.await(e);
          r.remove(e, a);
          r.await(e);
          r.interests(e);
        });
  }

  @Test
  void s052_aOneShotThatFiredIsStillRegistered() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, IN | ONESHOT);
          r.await(e);
          r.add(e, a, IN);
          r.modify(e, a, IN | ONESHOT);
          r.await(e);
          r.remove(e, a);
          r.remove(e, a);
        });
  }

  @Test
  void s064_threeHundredBecomeReadyBetweenTwoWaits() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle[] all = new Handle[300];
          for (int i = 0; i < all.length; i++) {
            all[i] = r.counter("c" + i);
            r.add(e, all[i], IN | ET);
          }
          for (Handle one : all) {
            r.write(one, 1);
          }
          r.await(e, 4000);
          r.await(e, 4000);
        });
  }
}
