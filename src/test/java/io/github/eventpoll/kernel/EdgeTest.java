package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.ONESHOT;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Edge-triggered and one-shot watching. */
@EveryPath
@Tag("kernel")
class EdgeTest {
  @Test
  void s034_s035_everyWriteIsAnEdgeAndWritesCoalesce() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          r.write(a, 1);
          r.await(e);
          r.write(a, 1);
          r.await(e);
          r.await(e);
          r.write(a, 1);
          r.write(a, 1);
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void s037_aReadIsAnEdgeForWhoWantsOut() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | OUT | ET);
          r.await(e);
          r.write(a, 1);
          r.await(e);
          r.read(a);
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void s038_aSemaphoreReadInPart() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.semaphore("a", 7);
          r.add(e, a, IN | ET);
          r.await(e);
          r.read(a);
          r.await(e);
          r.write(a, 1);
          r.await(e);
          r.modify(e, a, IN | OUT | ET);
          r.await(e);
          r.read(a);
          r.await(e);
        });
  }

  @Test
  void s040_drainedAndWrittenBetweenWaits() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | ET);
          r.write(a, 1);
          r.await(e);
          r.read(a);
          r.write(a, 1);
          r.await(e);
          r.read(a);
          r.read(a);
          r.await(e);
          r.write(a, 1);
          r.read(a);
          r.await(e); // written and read before the wait: nothing
        });
  }

  @Test
  void s043_s047_modifiedToAnotherBitAndToLevel() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, OUT | ET);
          r.await(e);
          r.modify(e, a, IN | ET);
          r.await(e);
          r.await(e);
          r.modify(e, a, IN);
          r.await(e);
          r.await(e);
          r.modify(e, a, IN | ET);
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void s046_s199_pollsOnOneSourceAreIndependent() throws Exception {
    compare(
        r -> {
          Handle e1 = r.poll("e1");
          Handle e2 = r.poll("e2");
          Handle a = r.counter("a", 1);
          r.add(e1, a, IN | ET);
          r.await(e1);
          r.add(e2, a, IN);
          r.await(e1);
          r.await(e2);
          r.await(e2);
          r.write(a, 1);
          r.await(e2);
          r.await(e1);
          r.read(a);
          r.await(e2);
          r.await(e1);
        });
  }

  @Test
  void s044_s056_oneShot() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN | OUT | ET | ONESHOT);
          r.await(e);
          for (int i = 0; i < 10; i++) {
            r.write(a, 1);
          }
          r.await(e);
          r.ask(e, IN);
          r.modify(e, a, IN | ET | ONESHOT);
          r.await(e);
          r.await(e);
          r.modify(e, a, IN | ONESHOT);
          r.read(a);
          r.await(e); // armed, queued, no longer ready: dropped, and still armed
          r.write(a, 1);
          r.await(e);
          r.write(a, 1);
          r.await(e);
        });
  }

  @Test
  void s058_aFiredOneShotIsRemovedBeforeItsSourceRings() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, IN | ONESHOT);
          r.await(e);
          r.remove(e, a);
          r.write(a, 1);
          r.await(e);
          r.interests(e);
        });
  }

  /** Golden: the order of edge-triggered delivery is the order of activation. */
  @Test
  void orderOfActivation() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle[] all = new Handle[5];
          for (int i = 0; i < 5; i++) {
            all[i] = r.counter("c" + i);
            r.add(e, all[i], IN | ET);
          }
          for (int i : new int[] {3, 1, 4, 0, 2, 3, 1}) {
            r.write(all[i], 1);
          }
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void aWriteOfZeroIsAnEdge() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          r.add(e, a, IN | ET);
          r.add(e, b, IN | OUT | ET);
          r.await(e);
          r.write(a, 0);
          r.await(e);
          r.write(b, 0);
          r.await(e); // keyed IN, so it passes the mask; the state is OUT
          r.write(a, 5);
          r.await(e);
          r.write(a, 0);
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void s070_s071_s073_modifiedAndRemovedWhileQueued() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          Handle full = r.counter("full");
          r.write(full, -2);
          r.add(e, a, IN);
          r.add(e, full, IN);
          r.write(a, 1);
          r.modify(e, full, OUT); // queued for IN, not writable: dropped
          r.await(e);
          r.modify(e, a, IN, 77); // queued: the new number is delivered
          r.await(e);
          r.modify(e, a, OUT);
          r.await(e);
          r.remove(e, a);
          r.await(e);
          r.modify(e, full, IN);
          r.remove(e, full);
          r.await(e);
        });
  }

  /** KERNEL-SEMANTICS 2.4: the same mask again is a new edge if the source is ready. */
  @Test
  void modifyIsAnEdge() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, IN | ET);
          r.await(e);
          r.modify(e, a, IN | ET);
          r.modify(e, a, IN | ET);
          r.await(e);
          r.await(e);
          r.read(a);
          r.modify(e, a, IN | ET);
          r.await(e);
          r.modify(e, a, 0);
          r.write(a, 1);
          r.await(e);
          r.modify(e, a, IN | ET | ONESHOT);
          r.await(e);
          r.modify(e, a, IN | ET | ONESHOT);
          r.await(e);
          r.await(e);
        });
  }

  /** KERNEL-SEMANTICS 2.4: a modification never moves an item that is queued. */
  @Test
  void modifyKeepsThePlaceInTheList() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          Handle b = r.counter("b", 1);
          Handle c = r.counter("c", 1);
          r.add(e, a, IN);
          r.add(e, b, IN | ET);
          r.add(e, c, IN | ONESHOT);
          r.modify(e, a, IN | ET);
          r.modify(e, b, 0);
          r.modify(e, b, IN);
          r.await(e);
          r.modify(e, c, IN);
          r.modify(e, a, IN);
          r.await(e);
        });
  }
}
