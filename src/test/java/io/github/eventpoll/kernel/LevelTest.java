package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.OUT;
import static io.github.eventpoll.kernel.Comparison.compare;

import io.github.eventpoll.EveryPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Level-triggered watching, and batches smaller than what is ready. */
@EveryPath
@Tag("kernel")
class LevelTest {
  @Test
  void s019_s020_writableAndReadable() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle[] all = {r.counter("a"), r.counter("b"), r.counter("c")};
          for (Handle one : all) {
            r.add(e, one, IN | OUT);
          }
          r.await(e);
          r.write(all[2], 1);
          r.await(e);
        });
  }

  @Test
  void s022_anEmptyMask() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, 0);
          r.await(e);
          r.write(a, 1);
          r.await(e);
          r.modify(e, a, IN);
          r.await(e);
        });
  }

  @Test
  void s023_s026_stateIsTakenAtDelivery() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN);
          r.write(a, 1);
          r.read(a);
          r.await(e);
          r.ask(e, IN);
          r.write(a, 1);
          r.await(e);
          r.read(a);
          r.await(e);
        });
  }

  @Test
  void s025_levelRepeats() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a");
          r.add(e, a, IN);
          r.write(a, 1);
          r.await(e);
          r.await(e);
          r.await(e);
        });
  }

  @Test
  void s031_anEmptyPollTimesOut() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          r.await(e);
          r.await(e, 1, 2);
          r.ask(e, IN | OUT);
        });
  }

  @Test
  void s062_rotationOfFiveByTwo() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          for (int i = 0; i < 5; i++) {
            r.add(e, r.counter("c" + i, 1), IN);
          }
          for (int i = 0; i < 50; i++) {
            r.await(e, 2);
          }
        });
  }

  @Test
  void s061_maxOneKeepsTheRest() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          for (int i = 0; i < 64; i++) {
            r.add(e, r.counter("c" + i, 1), IN | ET);
          }
          for (int i = 0; i < 65; i++) {
            r.await(e, 1);
          }
        });
  }

  @Test
  void s059_eachOnce() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          for (int i = 0; i < 18; i++) {
            r.add(e, r.counter("c" + i, i % 7 < 5 ? 1 : 0), IN | ET);
          }
          for (int i = 0; i < 6; i++) {
            r.await(e, 3);
          }
        });
  }

  @Test
  void s065_theHeadOfTheListCloses() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle a = r.counter("a", 1);
          r.add(e, a, IN);
          r.add(e, r.counter("b", 1), IN);
          r.add(e, r.counter("c", 1), IN);
          r.close(a);
          r.await(e, 1);
          r.await(e, 1);
          r.await(e, 1);
        });
  }

  /** KERNEL-SEMANTICS 1.3: leftovers of the batch, then what is queued again. */
  @Test
  void levelAndEdgeInOneRotation() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          Handle[] all = new Handle[5];
          for (int i = 0; i < 5; i++) {
            all[i] = r.counter("c" + i, 1);
            r.add(e, all[i], i % 2 == 0 ? IN : IN | ET);
          }
          r.await(e, 2);
          r.write(all[1], 1);
          r.await(e, 2);
          r.read(all[4]);
          r.write(all[3], 1);
          r.await(e, 2);
          r.write(all[4], 1);
          r.await(e, 3);
          r.await(e, 3);
          r.await(e, 3);
        });
  }

  @Test
  void maxeventsOutOfRange() throws Exception {
    compare(
        r -> {
          Handle e = r.poll("e");
          r.add(e, r.counter("a", 1), IN);
          r.await(e, 0);
          r.await(e, -1);
          r.await(e, Integer.MIN_VALUE);
          r.await(e, Integer.MAX_VALUE);
          r.await(e, 178_956_971);
          r.await(e, 178_956_970);
        });
  }
}
