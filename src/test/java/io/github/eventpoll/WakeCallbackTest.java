package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** KERNEL-SEMANTICS §3.2 to §3.4: what a callback accepts, and whom it tells. */
@EveryPath
class WakeCallbackTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();
  private final FakeSource source = FakeSource.idle("source");

  @ParameterizedTest
  @CsvSource({
    "IN, IN, true", "IN, OUT, false", "OUT, IN, false", "IN, IN|OUT, true", "0, IN, false",
    "0, HUP, true", "0, ERR, true", "IN, HUP, true", "RDNORM, IN, false", "RDNORM, RDNORM, true",
    "PRI, IN|OUT, false", "RDHUP, IN|RDHUP, true", "MSG, MSG, true", "IN, 0, true", "0, 0, true"
  })
  void aKeyMustHaveABitInCommonWithTheMaskOrBeUnknown(String mask, String key, boolean accepted) {
    EpItem item = poll.add(source, bits(mask));
    source.ring(bits(key));
    assertThat(item.isQueued()).isEqualTo(accepted);
    assertThat(poll.path.available()).isEqualTo(accepted);
  }

  private static int bits(String names) {
    int bits = 0;
    for (int bit = 1; bit < Events.EXCLUSIVE; bit <<= 1) {
      if (List.of(names.split("\\|")).contains(Events.toString(bit))) {
        bits |= bit;
      }
    }
    return bits;
  }

  @Test
  void anUnknownKeyQueuesAndTheHarvestDecides() {
    EpItem item = poll.add(source, Events.IN);
    source.ring(0);
    assertThat(item.isQueued()).isTrue();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(item.isQueued()).isFalse();
    source.set(Events.HUP | Events.IN);
    source.ring(0);
    assertThat(Taken.now(poll)).containsExactly("source IN|HUP");
  }

  @Test
  void theKeyIsNotTheEvent() {
    poll.add(source, Events.IN | Events.OUT);
    source.set(Events.OUT);
    source.ring(Events.IN);
    assertThat(Taken.now(poll)).containsExactly("source OUT");
  }

  @ParameterizedTest
  @CsvSource({"1", "0", "16", "8"})
  void aDisarmedOneShotIsNeitherQueuedNorToldAbout(int key) {
    EventPoll watcher = Polls.create();
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
    watcher.add(poll, IN_ET, "edge");
    source.become(Events.IN);
    assertThat(Taken.now(poll)).hasSize(1);
    Taken.now(watcher);
    source.ring(key);
    assertThat(item.isQueued()).isFalse();
    assertThat(poll.path.available()).isFalse();
    assertThat(Taken.now(watcher)).isEmpty();
  }

  @Test
  void aQueuedItemIsNotQueuedTwiceButWatchersAreToldAgain() {
    EventPoll watcher = Polls.create();
    watcher.add(poll, IN_ET, "edge");
    poll.add(source, Events.IN);
    source.set(Events.IN);
    for (int i = 0; i < 3; i++) {
      source.ring(Events.IN);
      assertThat(Taken.now(watcher)).containsExactly("edge IN");
      assertThat(Taken.now(watcher)).isEmpty();
    }
    assertThat(Taken.now(poll)).containsExactly("source IN");
  }

  @Test
  void aMismatchTellsNoWatcher() {
    EventPoll watcher = Polls.create();
    EpItem nested = watcher.add(poll, IN_ET, "edge");
    poll.add(source, Events.IN);
    source.ring(Events.OUT);
    assertThat(nested.isQueued()).isFalse();
  }

  @Test
  void watchersOfAPollAreWokenWithInWhateverHappenedBelow() {
    EventPoll forOut = Polls.create();
    EventPoll forHup = Polls.create();
    EventPoll forIn = Polls.create();
    poll.add(source, Events.OUT | Events.PRI);
    EpItem out = forOut.add(poll, Events.OUT);
    EpItem hup = forHup.add(poll, 0);
    EpItem in = forIn.add(poll, Events.IN, "inner");
    source.become(Events.OUT | Events.HUP);
    assertThat(out.isQueued()).isFalse();
    assertThat(hup.isQueued()).isFalse();
    assertThat(in.isQueued()).isTrue();
    assertThat(Taken.now(forIn)).containsExactly("inner IN");
  }

  @Test
  void anOuterItemForRdnormOnlyIsNeverWokenButFoundByAddAndModify() {
    EventPoll outer = Polls.create();
    poll.add(source, Events.IN);
    EpItem nested = outer.add(poll, Events.RDNORM, "inner");
    source.become(Events.IN);
    assertThat(nested.isQueued()).isFalse();
    assertThat(Taken.now(outer)).isEmpty();
    nested.modify(Events.RDNORM);
    assertThat(Taken.now(outer)).containsExactly("inner RDNORM");
    assertThat(Taken.now(outer)).as("level-triggered: queued now").hasSize(1);
    nested.remove();
    outer.add(poll, Events.RDNORM | Events.IN, "inner");
    assertThat(Taken.now(outer)).containsExactly("inner IN|RDNORM");
  }

  // ------------------------------------------------------------- the result, exclusive items

  @Test
  void withoutAnySleeperEveryExclusivePollGetsTheEvent() {
    EventPoll second = Polls.create();
    EventPoll plain = Polls.create();
    poll.add(source, Events.IN | Events.EXCLUSIVE);
    second.add(source, IN_ET | Events.EXCLUSIVE);
    plain.add(source, Events.IN);
    source.become(Events.IN);
    assertThat(Taken.now(poll)).hasSize(1);
    assertThat(Taken.now(second)).hasSize(1);
    assertThat(Taken.now(plain)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    // mask, key, consumed
    "IN, IN, true", // exactly IN, and wanted
    "OUT, OUT, true",
    "IN|OUT, IN, true",
    "IN|OUT, OUT, true",
    "IN|OUT, IN|OUT, false", // both directions at once: the next one may be needed for the other
    "IN, IN|OUT, false",
    "IN, HUP, true", // neither direction
    "OUT, HUP, true",
    "0, ERR, true",
    "IN, 0, true",
    "OUT, IN|HUP, false", // accepted because of HUP, but IN is not for this one
    "IN, OUT|ERR, false"
  })
  void whichKeysAnExclusiveItemThatWokeSomebodyUsesUp(String mask, String key, boolean consumed) {
    EpItem item = poll.add(source, bits(mask) | Events.EXCLUSIVE);
    assertThat(item.woken(bits(key))).as("nobody sleeps").isFalse();
    Waiter waiter = new Waiter(Thread.currentThread());
    assertThat(poll.sleepers.enlist(waiter)).isTrue();
    assertThat(item.woken(bits(key))).isEqualTo(consumed);
    assertThat(waiter.isChosen()).as("woken in any case").isTrue();
  }

  @ParameterizedTest
  @CsvSource({"OUT, IN", "IN, OUT", "IN, PRI"})
  void aMismatchWakesNobodyAndUsesUpNothing(String mask, String key) {
    EpItem item = poll.add(source, bits(mask) | Events.EXCLUSIVE);
    Waiter waiter = new Waiter(Thread.currentThread());
    assertThat(poll.sleepers.enlist(waiter)).isTrue();
    assertThat(item.woken(bits(key))).isFalse();
    assertThat(waiter.isChosen()).isFalse();
    poll.sleepers.withdraw(waiter);
  }

  @Test
  void anOuterPollThatWatchesIsNoSleeper() {
    EventPoll outer = Polls.create();
    EventPoll second = Polls.create();
    outer.add(poll, Events.IN, "inner");
    poll.add(source, Events.IN | Events.EXCLUSIVE);
    second.add(source, Events.IN | Events.EXCLUSIVE, "second");
    source.become(Events.IN);
    assertThat(Taken.now(outer)).containsExactly("inner IN");
    assertThat(Taken.now(second)).containsExactly("second IN");
  }
}
