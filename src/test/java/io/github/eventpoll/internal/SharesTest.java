package io.github.eventpoll.internal;

import static io.github.eventpoll.internal.Shares.IN;
import static io.github.eventpoll.internal.Shares.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a driver for a channel: untold directions of armed items (KR-31, 32, 36). */
class SharesTest {
  private static final int ET = Events.ET;
  private static final int ONESHOT = Events.ONESHOT;
  private static final int EXCLUSIVE = Events.EXCLUSIVE;

  private final Shares shares = new Shares();
  private final Object a = "a";
  private final Object b = "b";

  /** The driver reports, and everybody hears of it. */
  private void report(int directions) {
    shares.report(directions);
    shares.tell(a);
    shares.tell(b);
  }

  // ------------------------------------------------------------------------------ asking

  @Test
  void asksWhatItemsWantTogether() {
    assertThat(shares.asked()).isZero();
    assertThat(shares.isEmpty()).isTrue();
    assertThat(shares.add(a, Events.IN)).as("more is asked").isTrue();
    assertThat(shares.add(b, Events.IN)).as("nothing new").isFalse();
    assertThat(shares.asked()).isEqualTo(IN);
    assertThat(shares.rearmed(b, Events.IN | Events.OUT)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN | OUT);
    assertThat(shares.isEmpty()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {Events.RDNORM, Events.IN, Events.IN | Events.RDHUP})
  void severalBitsMeanReading(int mask) {
    assertThat(Shares.directions(mask)).isEqualTo(IN);
  }

  @ParameterizedTest
  @ValueSource(ints = {Events.WRNORM, Events.OUT})
  void severalBitsMeanWriting(int mask) {
    assertThat(Shares.directions(mask | Events.ERR | Events.HUP)).isEqualTo(OUT);
  }

  @Test
  void modeFlagsAreNoDirections() {
    assertThat(Shares.directions(ET | ONESHOT | EXCLUSIVE | Events.PRI)).isZero();
  }

  @Test
  void kr32_oneItemsChangeLeavesTheOthersInterest() {
    shares.add(a, Events.IN | Events.OUT);
    shares.add(b, Events.IN | ONESHOT);
    report(IN);
    shares.delivered(b, Events.IN); // fired: wants nothing
    assertThat(shares.asked()).as("what a has not been told").isEqualTo(OUT);
    assertThat(shares.rearmed(a, Events.IN | Events.OUT)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN | OUT);
    assertThat(shares.remove(b)).isTrue();
    assertThat(shares.remove(b)).as("gone already").isFalse();
    assertThat(shares.asked()).isEqualTo(IN | OUT);
  }

  // ---------------------------------------------------------------------- told and untold

  @Test
  void kr34_toldDirectionsAreNotAskedFor() {
    shares.add(a, Events.IN | Events.OUT);
    shares.report(IN);
    assertThat(shares.tell(a)).isTrue();
    assertThat(shares.asked()).isEqualTo(OUT);
    shares.report(IN);
    assertThat(shares.tell(a)).as("no news").isFalse();
  }

  @Test
  void anItemIsToldOnlyWhatItWants() {
    shares.add(a, Events.OUT);
    shares.report(IN);
    assertThat(shares.tell(a)).isFalse();
    assertThat(shares.tell(b)).as("no item").isFalse();
    assertThat(shares.asked()).isEqualTo(OUT);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ET, ONESHOT, ET | ONESHOT, EXCLUSIVE, EXCLUSIVE | ET})
  void kr31_aDroppedItemIsUntold(int mode) {
    shares.add(a, Events.IN | mode);
    report(IN);
    assertThat(shares.asked()).isZero();
    assertThat(shares.dropped(a)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void kr31a_aNewPassUntellsNobody() {
    shares.add(a, Events.IN | ET);
    report(IN);
    report(OUT);
    report(IN);
    assertThat(shares.asked()).isZero();
  }

  @Test
  void kr31b_levelBesideEdge() {
    shares.add(a, Events.IN);
    shares.add(b, Events.IN | ET);
    report(IN);
    assertThat(shares.delivered(a, Events.IN)).isTrue();
    assertThat(shares.asked()).as("level: to be confirmed").isEqualTo(IN);
    shares.report(IN);
    assertThat(shares.tell(a)).isTrue();
    assertThat(shares.tell(b)).as("the edge was told").isFalse();
    shares.dropped(b);
    shares.report(IN);
    assertThat(shares.tell(b)).as("dropped: untold").isTrue();
  }

  @Test
  void levelIsUntoldOnlyInTheDirectionDelivered() {
    shares.add(a, Events.IN | Events.OUT);
    report(IN | OUT);
    shares.delivered(a, Events.OUT);
    assertThat(shares.asked()).isEqualTo(OUT);
  }

  @Test
  void edgeIsUntoldByWouldBlockNotByDelivery() {
    shares.add(a, Events.IN | Events.OUT | ET);
    report(IN | OUT);
    assertThat(shares.delivered(a, Events.IN | Events.OUT)).isFalse();
    assertThat(shares.used(IN, false)).isFalse();
    assertThat(shares.used(IN, true)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ET, ONESHOT})
  void modifyUntells(int mode) {
    shares.add(a, Events.IN | mode);
    report(IN);
    shares.delivered(a, Events.IN);
    assertThat(shares.rearmed(a, Events.IN | mode)).isEqualTo(mode != 0);
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void oneShotWantsNothingOnceFired() {
    shares.add(a, Events.IN | Events.OUT | ONESHOT);
    report(IN);
    assertThat(shares.delivered(a, Events.IN)).isFalse();
    assertThat(shares.asked()).isZero();
    assertThat(shares.used(IN | OUT, true)).isFalse();
    shares.report(OUT);
    assertThat(shares.tell(a)).isFalse();
  }

  @Test
  void onlyLevelItemsUseUpWhatIsBelieved() {
    shares.add(a, Events.IN);
    assertThat(shares.spent(a, Events.IN)).isEqualTo(IN);
    assertThat(shares.spent(b, Events.IN)).isZero();
    shares.add(b, Events.IN | ET);
    assertThat(shares.spent(b, Events.IN)).isZero();
    shares.rearmed(a, Events.IN | ONESHOT);
    assertThat(shares.spent(a, Events.IN)).isZero();
  }

  @Test
  void levelItemsOfAGroup_useItUpTogether() {
    shares.add(a, Events.IN, "poll");
    shares.add(b, Events.IN, "poll");
    report(IN);
    assertThat(shares.tell(a)).isTrue();
    assertThat(shares.tell(b)).isTrue();
    assertThat(shares.spent(a, Events.IN)).isZero();
    assertThat(shares.spent(b, Events.IN)).isEqualTo(IN);
  }

  // -------------------------------------------------------------------------- exclusive

  @Test
  void kr36_oneIsOfferedAndTheOthersAreNotAskedForEither() {
    shares.add(a, Events.IN | EXCLUSIVE);
    shares.add(b, Events.IN | EXCLUSIVE);
    shares.report(IN);
    assertThat(shares.tell(a)).isTrue(); // and used up: nobody asks for b
    assertThat(shares.asked()).isZero();
    assertThat(shares.delivered(a, Events.IN)).as("not at delivery").isFalse();
    assertThat(shares.asked()).isZero();
  }

  @Test
  void kr36_offeredAgainWhenTheHolderDoesInputWithoutWouldBlock() {
    holdExclusively(0);
    assertThat(shares.used(IN, false)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void kr36_offeredAgainWhenTheHolderMeetsWouldBlock() {
    holdExclusively(0);
    assertThat(shares.used(IN, true)).isTrue();
  }

  @Test
  void kr36_offeredAgainWhenTheHolderWaitsAgain() {
    holdExclusively(0);
    assertThat(shares.resumed(b)).as("not the holder").isFalse();
    assertThat(shares.resumed(a)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void kr36_offeredAgainWhenTheHolderIsRemoved() {
    holdExclusively(0);
    shares.remove(a);
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void kr36_theHoldersReQueuedItemLetsNothingGo() {
    holdExclusively(0);
    assertThat(shares.dropped(a)).isFalse();
    assertThat(shares.dropped(b)).isFalse();
    assertThat(shares.asked()).isZero();
  }

  @Test
  void kr18_anItemThatWasToldAndRemovedLetsGo() {
    shares.add(a, Events.IN | EXCLUSIVE);
    report(IN);
    shares.add(b, Events.IN | EXCLUSIVE);
    shares.remove(a);
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void anExclusiveItemThatComesAfterAReportToOthersIsAskedFor() {
    shares.add(a, Events.IN);
    report(IN);
    assertThat(shares.add(b, Events.IN | EXCLUSIVE)).isTrue();
    assertThat(shares.asked()).isEqualTo(IN);
  }

  @Test
  void anExclusiveEdgeIsOfferedOnAndNotToItsHolderAgain() {
    holdExclusively(ET);
    shares.resumed(a);
    shares.report(IN);
    assertThat(shares.tell(a)).as("had this edge").isFalse();
    assertThat(shares.tell(b)).isTrue();
    shares.used(IN, true);
    shares.report(IN);
    assertThat(shares.tell(a)).as("a new edge").isTrue();
  }

  /** Both want it; a was told and delivered. */
  private void holdExclusively(int mode) {
    shares.add(a, Events.IN | EXCLUSIVE | mode);
    shares.add(b, Events.IN | EXCLUSIVE | mode);
    shares.report(IN);
    assertThat(shares.tell(a)).isTrue();
    shares.delivered(a, Events.IN);
    assertThat(shares.asked()).isZero();
  }
}
