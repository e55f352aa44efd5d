package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * KR-8 for level-triggered items: an event that comes after a scan has asked the source, and before
 * it takes the item off the list, is not lost, though callbacks may rely on the scan until then.
 */
@EveryPath
class LevelHandoverTest {
  private final EventPoll poll = Polls.create();
  private final ReadyEvents ready = new ReadyEvents(4);

  @AfterEach
  void close() {
    poll.close();
  }

  @Test
  void kr08_anEventComesWhileAScanFindsALevelItemNotReady() {
    for (int traits : new int[] {0, Pollable.ORDERED_STATE}) {
      readyWhileItIsFoundNotReady(traits, () -> poll.awaitNow(ready));
    }
  }

  @Test
  void kr08_anEventComesWhileALevelItemIsFoundNotReadyForAnOuterPoll() {
    for (int traits : new int[] {0, Pollable.ORDERED_STATE}) {
      readyWhileItIsFoundNotReady(traits, poll::readiness);
    }
  }

  private void readyWhileItIsFoundNotReady(int traits, IntSupplier scan) {
    Scripted source = new Scripted(traits);
    EpItem item = poll.add(source, Events.IN);
    source.ready(Events.IN); // listed, and callbacks may rely on it
    source.store(0);
    source.readyJustAfterItIsAsked(Events.IN);
    assertThat(scan.getAsInt()).isGreaterThanOrEqualTo(0);
    assertThat(item.isQueued()).isTrue();
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    source.store(0);
    assertThat(poll.awaitNow(ready)).isZero();
    EngineInvariants.check(poll);
    item.remove();
  }
}
