package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue by itself and in one poll, in one thread. */
@EveryPath
class QueueSourceTest {
  private static final int IN_OUT = Events.IN | Events.OUT;
  private static final int MANY = 10_000;

  private final QueueSource<Integer> queue = QueueSource.unbounded();
  private final QueueSource<Integer> two = QueueSource.bounded(2);
  private final EventPoll poll = Polls.create();

  // ------------------------------------------------------------------------------- elements

  @Test
  void firstInFirstOut() {
    for (int i = 0; i < MANY; i++) {
      assertThat(queue.offer(i)).isTrue();
    }
    assertThat(queue.size()).isEqualTo(MANY);
    for (int i = 0; i < MANY; i++) {
      assertThat(queue.poll()).isEqualTo(i);
    }
    assertThat(queue.poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 100})
  void theBoundIsExact(int bound) {
    QueueSource<Integer> bounded = QueueSource.bounded(bound);
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < bound; i++) {
        assertThat(bounded.readiness() & Events.OUT).isNotZero();
        assertThat(bounded.offer(i)).isTrue();
      }
      assertThat(bounded.readiness()).isEqualTo(Events.IN);
      assertThat(bounded.offer(-1)).isFalse();
      assertThat(bounded.size()).isEqualTo(bound);
      assertThat(bounded.poll()).isZero();
      assertThat(bounded.offer(bound)).isTrue();
      assertThat(bounded.offer(-1)).isFalse();
      for (int i = 1; i <= bound; i++) {
        assertThat(bounded.poll()).isEqualTo(i);
      }
      assertThat(bounded.poll()).isNull();
    }
  }

  @Test
  void badInputIsRefusedAndNamed() {
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null)).withMessage("element");
    assertThat(queue.isEmpty()).isTrue();
    for (int bound : new int[] {0, -1, (1 << 30) + 1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> QueueSource.bounded(bound))
          .withMessageContaining("bound of " + bound);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.drain(e -> {}, -1))
        .withMessageContaining("-1");
    assertThatNullPointerException().isThrownBy(() -> queue.drain(null, 1));
  }

  @Test
  void drainTakesUpToTheLimit() {
    List<Integer> taken = new ArrayList<>();
    fill(queue, 5);
    assertThat(queue.drain(taken::add, 0)).isZero();
    assertThat(queue.drain(taken::add, 3)).isEqualTo(3);
    assertThat(queue.drain(taken::add, Integer.MAX_VALUE)).isEqualTo(2);
    assertThat(queue.drain(taken::add, 3)).isZero();
    assertThat(taken).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aConsumerThatThrowsLosesOnlyWhatItWasGiven() {
    List<Integer> taken = new ArrayList<>();
    fill(queue, 4);
    assertThatThrownBy(
            () ->
                queue.drain(
                    element -> {
                      if (element == 1) {
                        throw new UnsupportedOperationException("no ones");
                      }
                      taken.add(element);
                    },
                    10))
        .hasMessage("no ones");
    assertThat(queue.size()).isEqualTo(2);
    queue.drain(taken::add, 10);
    assertThat(taken).containsExactly(0, 2, 3);
  }

  @Test
  void aConsumerMayUseTheQueue() {
    List<Integer> taken = new ArrayList<>();
    fill(two, 2);
    int drained =
        two.drain(
            element -> {
              taken.add(element);
              if (element < 5) {
                assertThat(two.offer(element + 2)).isTrue(); // there is room for it already
              } else {
                taken.add(two.poll());
              }
            },
            100);
    assertThat(taken).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(drained).isEqualTo(6);
  }

  // ------------------------------------------------------------------------------ readiness

  @Test
  void readyForInWhileNotEmptyAndForOutWhileThereIsRoom() {
    assertThat(two.readiness()).isEqualTo(Events.OUT);
    two.offer(1);
    assertThat(two.readiness()).isEqualTo(IN_OUT);
    two.offer(2);
    assertThat(two.readiness()).isEqualTo(Events.IN);
    two.poll();
    assertThat(two.readiness()).isEqualTo(IN_OUT);
    fill(queue, MANY);
    assertThat(queue.readiness()).isEqualTo(IN_OUT);
  }

  @Test
  void everyOfferIsAnEdge() {
    poll.add(queue, Events.IN | Events.ET, "queue");
    for (int i = 0; i < 3; i++) {
      queue.offer(i);
      assertThat(Taken.now(poll)).containsExactly("queue IN");
      assertThat(Taken.now(poll)).isEmpty();
    }
  }

  @Test
  void everyElementTakenFromABoundedQueueIsAnOutEdge() {
    poll.add(two, Events.OUT | Events.ET, "queue");
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
    fill(two, 2);
    assertThat(two.offer(3)).isFalse();
    assertThat(Taken.now(poll)).isEmpty();
    for (int i = 0; i < 2; i++) {
      two.poll();
      assertThat(Taken.now(poll)).containsExactly("queue OUT");
    }
    two.poll(); // there was nothing
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s203_twoItemsOnOneQueue() {
    poll.add(two, 1, Events.IN, "reader");
    poll.add(two, 2, Events.OUT, "writer");
    assertThat(Taken.now(poll)).containsExactly("writer OUT");
    two.offer(1);
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("reader IN", "writer OUT");
    two.offer(2);
    assertThat(Taken.now(poll)).containsExactly("reader IN");
    two.drain(e -> {}, 2);
    assertThat(Taken.now(poll)).containsExactly("writer OUT");
  }

  // ------------------------------------------------------------------------------------ end

  @Test
  void closedWithElementsInside() {
    poll.add(two, IN_OUT, "queue");
    fill(two, 2);
    two.close();
    two.close();
    assertThat(two.isClosed()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> two.offer(3))
        .withMessageContaining("QueueSource[2 of 2, closed] is closed");
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    assertThat(two.poll()).isZero();
    assertThat(Taken.now(poll)).containsExactly("queue IN"); // room, but nobody may use it
    assertThat(two.poll()).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(Taken.now(poll)).containsExactly("queue HUP");
    }
    assertThat(two.poll()).isNull();
    assertThatIllegalStateException().isThrownBy(() -> two.offer(3));
  }

  @Test
  void closedEmptyReportsHupAtOnceAndOnceToEdgeTriggeredItems() {
    poll.add(queue, Events.ET, "queue"); // HUP is always watched
    queue.close();
    assertThat(Taken.now(poll)).containsExactly("queue HUP");
    queue.close();
    assertThatIllegalStateException().isThrownBy(() -> queue.offer(3));
    assertThat(queue.poll()).isNull();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void theLastElementOfAClosedQueueIsTheHupEdge() {
    poll.add(queue, Events.ET | Events.IN, "queue");
    fill(queue, 2);
    queue.close();
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    queue.poll();
    assertThat(Taken.now(poll)).isEmpty();
    queue.poll();
    assertThat(Taken.now(poll)).containsExactly("queue HUP");
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void aClosedQueueStaysRegisteredUntilItIsRemoved() {
    EpItem item = poll.add(queue, Events.IN, "queue");
    queue.close();
    assertThat(item.isValid()).isTrue();
    item.remove();
    assertThat(Taken.now(poll)).isEmpty();
    poll.add(queue, Events.IN, "again");
    assertThat(Taken.now(poll)).containsExactly("again HUP");
  }

  @Test
  void disposedItIsEmptyAndGone() {
    EpItem item = poll.add(queue, Events.IN, "queue");
    fill(queue, 5);
    queue.dispose();
    queue.dispose();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.poll()).isNull();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(Taken.now(poll)).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> queue.offer(3));
    assertThatIllegalStateException().isThrownBy(() -> poll.add(queue, Events.IN));
  }

  @Test
  void aPlaceThatCouldNotBeFilledIsGivenBack() {
    QueueSource<Integer> failing =
        new QueueSource<>(
            new MpscUnboundedAtomicArrayQueue<>(2) {
              @Override
              public boolean offer(Integer element) {
                if (element < 0) {
                  throw new OutOfMemoryError("as when a chunk cannot be allocated");
                }
                return super.offer(element);
              }
            },
            1);
    poll.add(failing, IN_OUT | Events.ET, "queue");
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
    assertThatThrownBy(() -> failing.offer(-1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(failing.isEmpty()).isTrue();
    assertThat(failing.readiness()).isEqualTo(Events.OUT);
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
    assertThat(failing.offer(1)).isTrue();
    assertThat(failing.poll()).isEqualTo(1);
  }

  @Test
  void itsTextTellsWhatIsInside() {
    assertThat(queue).hasToString("QueueSource[0]");
    queue.offer(1);
    two.offer(1);
    two.close();
    assertThat(queue).hasToString("QueueSource[1]");
    assertThat(two).hasToString("QueueSource[1 of 2, closed]");
  }

  private static void fill(QueueSource<Integer> to, int elements) {
    for (int i = 0; i < elements; i++) {
      assertThat(to.offer(i)).isTrue();
    }
  }
}
