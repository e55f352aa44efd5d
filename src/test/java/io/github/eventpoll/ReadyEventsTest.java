package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.SoloTime;
import io.github.eventpoll.scenarios.Taken;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The batch that a wait fills: capacity, reuse, one user at a time, no reference kept. */
@EveryPath
class ReadyEventsTest {
  private final SoloTime time = new SoloTime();
  private final EventPoll poll = time.poll();

  private FakeSource add(String name) {
    FakeSource source = FakeSource.ready(name, Events.IN);
    poll.add(source, Events.IN, "attachment of " + name);
    return source;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 178_956_971, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void capacityHasLimits(int capacity) {
    refused(Errno.EINVAL, () -> new ReadyEvents(capacity), capacity, "1 and 178956970");
  }

  @Test
  void aLargeCapacityCostsNothingUntilItIsUsed() {
    ReadyEvents ready = new ReadyEvents(178_956_970);
    for (int i = 0; i < 1000; i++) {
      add("" + i);
    }
    assertThat(poll.awaitNow(ready)).isEqualTo(1000);
    for (int i = 0; i < 1000; i++) {
      assertThat(ready.source(i)).hasToString("" + i);
      assertThat(ready.attachment(i)).isEqualTo("attachment of " + i);
      assertThat(ready.events(i)).isEqualTo(Events.IN);
    }
  }

  @Test
  void aNewBatchIsEmpty() {
    ReadyEvents ready = new ReadyEvents(3);
    assertThat(ready.capacity()).isEqualTo(3);
    assertThat(ready.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void onlyWhatWasTakenCanBeRead(int index) {
    ReadyEvents ready = new ReadyEvents(4);
    add("a");
    poll.awaitNow(ready);
    assertThat(ready.events(0)).isEqualTo(Events.IN);
    assertThatThrownBy(() -> ready.events(index)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ready.item(index)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ready.source(index)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ready.attachment(index)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anEntryHoldsItemSourceAttachmentAndBits() {
    FakeSource source = FakeSource.ready("a", Events.IN | Events.OUT);
    EpItem item = poll.add(source, 9, Events.OUT, "x");
    EpItem bare = poll.add(source, 10, Events.IN, null);
    ReadyEvents ready = new ReadyEvents(4);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
    assertThat(ready.item(0)).isSameAs(item);
    assertThat(ready.source(0)).isSameAs(source);
    assertThat(ready.attachment(0)).isEqualTo("x");
    assertThat(ready.events(0)).isEqualTo(Events.OUT);
    assertThat(ready.item(1)).isSameAs(bare);
    assertThat(ready.attachment(1)).isNull();
  }

  @Test
  void anEntryKeepsTheAttachmentOfTheMomentItWasTaken() {
    FakeSource source = add("a");
    ReadyEvents ready = new ReadyEvents(1);
    poll.awaitNow(ready);
    poll.find(source).modify(Events.IN, "new");
    assertThat(ready.attachment(0)).isEqualTo("attachment of a");
    poll.awaitNow(ready);
    assertThat(ready.attachment(0)).isEqualTo("new");
  }

  @Test
  void reuseReplacesTheContents() throws InterruptedException {
    ReadyEvents ready = new ReadyEvents(8);
    FakeSource a = add("a");
    FakeSource b = add("b");
    poll.awaitNow(ready);
    assertThat(Taken.in(ready)).hasSize(2);
    a.set(0);
    poll.awaitNow(ready);
    assertThat(Taken.in(ready)).containsExactly("attachment of b IN");
    b.set(0);
    assertThat(poll.awaitNanos(ready, 10)).isZero();
    assertThat(ready.size()).isZero();
    assertNothingKept(ready);
  }

  @Test
  void oneBatchServesSeveralPolls() {
    ReadyEvents ready = new ReadyEvents(8);
    EventPoll other = time.poll();
    add("a");
    other.add(FakeSource.ready("b", Events.OUT), Events.OUT);
    poll.awaitNow(ready);
    other.awaitNow(ready);
    assertThat(Taken.in(ready)).containsExactly("b OUT");
  }

  @Test
  void clearForgetsEverything() {
    ReadyEvents ready = new ReadyEvents(8);
    add("a");
    poll.awaitNow(ready);
    ready.clear();
    assertThat(ready.size()).isZero();
    assertThatThrownBy(() -> ready.item(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertNothingKept(ready);
  }

  @Test
  void i91_aSmallBatchAfterALargeOneKeepsNoReference() {
    ReadyEvents ready = new ReadyEvents(1000);
    List<FakeSource> sources = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      sources.add(add("" + i));
    }
    assertThat(poll.awaitNow(ready)).isEqualTo(500);
    sources.subList(1, 500).forEach(FakeSource::close);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(kept(ready)).isEqualTo(2); // one item, one attachment
  }

  @Test
  void anErrorLeavesTheBatchEmpty() {
    ReadyEvents ready = new ReadyEvents(8);
    FakeSource a = add("a");
    add("b");
    poll.awaitNow(ready);
    a.failWith(new StackOverflowError("thrown by the source"));
    assertThatThrownBy(() -> poll.awaitNow(ready)).isInstanceOf(StackOverflowError.class);
    assertThat(ready.size()).isZero();
    assertNothingKept(ready);
    a.failWith(null);
    assertThat(poll.awaitNow(ready)).isEqualTo(2);
  }

  @Test
  void aClosedPollLeavesTheBatchEmpty() {
    ReadyEvents ready = new ReadyEvents(8);
    add("a");
    poll.awaitNow(ready);
    poll.close();
    assertThatThrownBy(() -> poll.awaitNow(ready)).isInstanceOf(ClosedEventPollException.class);
    assertThat(ready.size()).isZero();
    assertNothingKept(ready);
  }

  @Test
  void twoWaitsMayNotUseOneBatchAtOnce() {
    ReadyEvents ready = new ReadyEvents(8);
    EventPoll other = time.poll();
    FakeSource a = add("a");
    List<Throwable> thrown = new ArrayList<>();
    a.whenAsked(
        () -> {
          try {
            other.awaitNow(ready);
          } catch (IllegalStateException e) {
            thrown.add(e);
          }
        });
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(thrown)
        .singleElement()
        .satisfies(t -> assertThat(t).hasMessageContaining("in use by another wait"));
    assertThat(Taken.in(ready)).containsExactly("attachment of a IN");
    assertThat(other.awaitNow(ready)).as("free again").isZero();
  }

  @Test
  void aRefusedWaitDoesNotMakeTheBatchLookFree() {
    ReadyEvents ready = new ReadyEvents(8);
    ready.begin();
    assertThatIllegalStateException().isThrownBy(() -> poll.awaitNow(ready));
    assertThatIllegalStateException().isThrownBy(() -> poll.awaitNow(ready));
    ready.end();
    assertThat(poll.awaitNow(ready)).isZero();
  }

  private static void assertNothingKept(ReadyEvents ready) {
    assertThat(kept(ready)).isZero();
  }

  /** How many references the batch holds to items and attachments. */
  private static int kept(ReadyEvents ready) {
    int kept = 0;
    try {
      for (String name : List.of("items", "attachments")) {
        Field field = ReadyEvents.class.getDeclaredField(name);
        field.setAccessible(true);
        for (Object reference : (Object[]) field.get(ready)) {
          kept += reference == null ? 0 : 1;
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return kept;
  }
}
