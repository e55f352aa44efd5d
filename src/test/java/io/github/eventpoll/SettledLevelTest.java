package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.Taken;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A level-triggered item on a channel is off the list from its delivery to the next report. */
@EveryPath
class SettledLevelTest extends LeaderScene {
  @Test
  void isNotQueuedUntilItIsReportedAnew() {
    EpItem item = a.add(c, IN);
    c.arrive(1);
    assertThat(now(a)).isEqualTo(1);
    assertThat(item.isQueued()).as("only a pass can tell").isFalse();
    assertThat(a.readiness()).isZero();
    assertThat(now(a)).isEqualTo(1);
    assertThat(c.take()).isTrue();
    assertThat(now(a)).isZero();
  }

  @Test
  @DisplayName("KR-31: what it was told and another poll has used up is asked for anew")
  void isToldAgainWhatAnotherHasUsedUp() {
    a.add(c, IN | Events.OUT, "a");
    EpItem other = b.add(c, IN, "b");
    c.arrive(1);
    c.makeRoom(1);
    assertThat(Taken.now(b)).containsExactly("b IN");
    other.remove();
    assertThat(Taken.now(a)).containsExactly("a OUT");
    assertThat(Taken.now(a)).containsExactly("a IN|OUT");
  }

  @Test
  void staysQueuedWhileAnotherItemOfItsPollHasNotHadIt() {
    EpItem first = a.add(c, 1, IN, "first");
    EpItem second = a.add(c, 2, IN, "second");
    c.arrive(1);
    assertThat(Taken.now(a, 1)).as("the newest is told first").containsExactly("second IN");
    assertThat(second.isQueued()).isTrue();
    assertThat(Taken.now(a, 1)).containsExactly("first IN");
    assertThat(first.isQueued()).isFalse();
  }
}
