package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Closing polls and sources, in every order. */
@EveryPath
class ClosingTest {
  private static final int THINGS = 5;

  /** A chain of three polls, each with a source of its own, above one source they all watch. */
  private static final class House {
    final EventPoll top = Polls.create();
    final EventPoll middle = Polls.create();
    final EventPoll bottom = Polls.create();
    final FakeSource shared = FakeSource.ready("shared", Events.IN);
    final FakeSource own = FakeSource.ready("own", Events.IN);
    final List<EpItem> items = new ArrayList<>();
    final List<Object> closed = new ArrayList<>();

    House() {
      items.add(top.add(middle, Events.IN, "middle"));
      items.add(middle.add(bottom, Events.IN | Events.ET, "bottom"));
      for (EventPoll poll : polls()) {
        items.add(poll.add(shared, Events.IN, "shared"));
      }
      items.add(bottom.add(own, Events.IN | Events.EXCLUSIVE, "own"));
    }

    List<EventPoll> polls() {
      return List.of(top, middle, bottom);
    }

    List<AutoCloseable> things() {
      return List.of(top, middle, bottom, shared, own);
    }

    void close(int which) throws Exception {
      AutoCloseable thing = things().get(which);
      thing.close();
      closed.add(thing);
    }

    /** Every item is valid exactly as long as its poll and its source are open. */
    void check() {
      for (EpItem item : items) {
        boolean open = !closed.contains(item.poll()) && !closed.contains(item.source());
        assertThat(item.isValid()).as(item.toString()).isEqualTo(open);
      }
      for (EventPoll poll : polls()) {
        List<EpItem> valid =
            items.stream().filter(item -> item.poll() == poll && item.isValid()).toList();
        assertThat(poll.size()).isEqualTo(valid.size());
        assertThat(poll.items()).containsExactlyInAnyOrderElementsOf(valid);
        assertThat(poll.control.isLocked()).isFalse();
        if (!closed.contains(poll)) {
          assertThat(Taken.now(poll)).hasSizeLessThanOrEqualTo(valid.size());
          boolean sharedOpen = !closed.contains(shared);
          assertThat(Taken.now(poll).contains("shared IN")).isEqualTo(sharedOpen);
        } else {
          assertThatThrownBy(() -> Taken.now(poll)).isInstanceOf(ClosedEventPollException.class);
        }
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> inEveryOrder() {
    List<List<Integer>> orders = new ArrayList<>();
    permute(new ArrayList<>(), orders);
    return orders.stream()
        .map(
            order ->
                dynamicTest(
                    order.toString(),
                    () -> {
                      House house = new House();
                      house.check();
                      for (int which : order) {
                        house.close(which);
                        house.check();
                      }
                      assertThat(house.shared.waitQueue().hasEntries()).isFalse();
                    }));
  }

  private static void permute(List<Integer> begun, List<List<Integer>> orders) {
    if (begun.size() == THINGS) {
      orders.add(List.copyOf(begun));
    }
    for (int i = 0; i < THINGS; i++) {
      if (!begun.contains(i)) {
        begun.add(i);
        permute(begun, orders);
        begun.remove(begun.size() - 1);
      }
    }
  }

  @Test
  void closingAPollClosesNoSource() {
    EventPoll poll = Polls.create();
    FakeSource source = FakeSource.ready("source", Events.IN);
    EventPoll inner = Polls.create();
    poll.add(source, Events.IN);
    poll.add(inner, Events.IN);
    poll.close();
    assertThat(source.waitQueue().isClosed()).isFalse();
    assertThat(source.waitQueue().hasEntries()).isFalse();
    assertThat(inner.isClosed()).isFalse();
    assertThat(inner.waitQueue().hasEntries()).isFalse();
    Polls.create().add(source, Events.IN);
  }

  @Test
  void closingAPollStopsAllItsCallbacks() {
    EventPoll poll = Polls.create();
    List<FakeSource> sources = Stream.of("a", "b", "c").map(FakeSource::idle).toList();
    sources.forEach(source -> poll.add(source, Events.IN));
    EpItem item = poll.find(sources.get(0));
    poll.close();
    sources.forEach(source -> source.become(Events.IN));
    assertThat(item.woken(Events.IN)).isFalse();
    assertThat(poll.path.available()).isFalse();
  }

  @Test
  void aSourceThatThrowsWhenToldDoesNotStopTheClosing() {
    EventPoll poll = Polls.create();
    List<EpItem> items = new ArrayList<>();
    List<FakeSource> sources = Stream.of("a", "b", "c").map(FakeSource::tracking).toList();
    for (FakeSource source : sources) {
      items.add(poll.add(source, Events.IN));
      source.whenTold(() -> FakeSource.sneak(new StackOverflowError("told")));
    }
    poll.close();
    assertThat(items).noneMatch(EpItem::isValid);
    assertThat(poll.size()).isZero();
    assertThat(sources).noneMatch(source -> source.waitQueue().hasEntries());
    assertThat(items).allMatch(item -> item.failure() == null);
  }

  @Test
  void theQuotaOfTheProcessIsGivenBack() {
    WatchQuota process = new WatchQuota("all of us", 2);
    for (int i = 0; i < 3; i++) {
      EventPollBuilder settings = Polls.builder();
      settings.processQuota = process;
      EventPoll poll = settings.build();
      poll.add(FakeSource.idle("a"), Events.IN);
      poll.add(FakeSource.idle("b"), Events.IN);
      assertThat(process.tryTake()).isFalse();
      poll.close();
    }
    assertThat(process.tryTake()).isTrue();
  }

  @Test
  void aFixedPointInTimeThatHasPassedDoesNotWait() throws InterruptedException {
    EventPoll poll = Polls.create();
    assertThat(poll.awaitUntil(new ReadyEvents(1), System.nanoTime())).isZero();
    assertThat(poll.awaitUntil(new ReadyEvents(1), System.nanoTime() - 1_000_000)).isZero();
  }
}
