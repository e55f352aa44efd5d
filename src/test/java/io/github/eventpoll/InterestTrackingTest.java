package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import org.junit.jupiter.api.Test;

/** A source with trait TRACKS_INTEREST hears what is wanted of it and what was delivered. */
@EveryPath
class InterestTrackingTest {
  private final EventPoll poll = Polls.create();
  private final FakeSource source = FakeSource.tracking("source");

  @Test
  void hearsOfAddModifyAndRemove() {
    EpItem first = poll.add(source, Events.IN | Events.ET);
    assertThat(source.newlyTold()).containsExactly("wanted IN|ERR|HUP");
    EpItem second = poll.add(source, 1, Events.OUT, null);
    assertThat(source.newlyTold()).containsExactly("wanted IN|OUT|ERR|HUP");
    first.modify(Events.PRI);
    assertThat(source.newlyTold()).containsExactly("wanted PRI|OUT|ERR|HUP");
    second.remove();
    assertThat(source.newlyTold()).containsExactly("wanted PRI|ERR|HUP");
    first.remove();
    assertThat(source.newlyTold()).containsExactly("wanted 0");
  }

  @Test
  void hearsOfItBeforeItIsAsked() {
    source.whenAsked(() -> assertThat(source.told()).hasSize(1));
    EpItem item = poll.add(source, Events.IN);
    source.newlyTold();
    item.modify(Events.OUT);
    assertThat(source.newlyTold()).containsExactly("wanted OUT|ERR|HUP");
  }

  @Test
  void hearsOfDeliveries() {
    poll.add(source, Events.IN | Events.OUT);
    source.become(Events.IN | Events.PRI);
    source.newlyTold();
    Taken.now(poll);
    Taken.now(poll);
    assertThat(source.newlyTold()).containsExactly("delivered IN", "delivered IN");
    source.set(0);
    Taken.now(poll);
    assertThat(source.newlyTold()).as("dropped").isEmpty();
  }

  @Test
  void hearsThatAOneShotHasFired() {
    EpItem item = poll.add(source, Events.IN | Events.ONESHOT);
    source.become(Events.IN);
    source.newlyTold();
    Taken.now(poll);
    assertThat(source.newlyTold()).containsExactly("delivered IN", "wanted 0");
    item.modify(Events.OUT | Events.ONESHOT);
    assertThat(source.newlyTold()).containsExactly("wanted OUT|ERR|HUP");
  }

  @Test
  void hearsThatAFailureHasDisarmedAnItem() {
    poll.add(source, Events.IN);
    source.become(Events.IN);
    source.newlyTold();
    source.failWith(new IllegalStateException("thrown by the source"));
    assertThat(Taken.now(poll)).containsExactly("source ERR");
    assertThat(source.newlyTold()).containsExactly("delivered ERR", "wanted 0");
  }

  @Test
  void hearsThatThePollHasClosed() {
    EventPoll second = Polls.create();
    poll.add(source, Events.IN);
    second.add(source, Events.OUT);
    source.newlyTold();
    poll.close();
    assertThat(source.newlyTold()).containsExactly("wanted OUT|ERR|HUP");
    second.close();
    assertThat(source.newlyTold()).containsExactly("wanted 0");
  }

  @Test
  void hearsNothingAfterItHasClosed() {
    poll.add(source, Events.IN);
    source.newlyTold();
    source.close();
    poll.close();
    assertThat(source.told()).isEmpty();
  }

  @Test
  void withoutTheTraitASourceHearsNothing() {
    FakeSource plain = FakeSource.ready("plain", Events.IN);
    EpItem item = poll.add(plain, Events.IN | Events.ONESHOT);
    Taken.now(poll);
    item.modify(Events.OUT);
    item.remove();
    assertThat(plain.told()).isEmpty();
  }

  @Test
  void traitsAreAskedOncePerRegistration() {
    int[] asked = new int[1];
    source.whenTraits(() -> asked[0]++);
    EpItem item = poll.add(source, Events.IN);
    source.become(Events.IN);
    Taken.now(poll);
    item.modify(Events.OUT);
    assertThat(poll.find(source)).isSameAs(item);
    poll.dump();
    item.remove();
    assertThat(asked[0]).isEqualTo(1);
  }
}
