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
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.scenarios.Taken;
import io.github.eventpoll.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An existing blocking queue as a source, in one thread: each call does its work and announces. */
@EveryPath
class BlockingQueueSourceTest {
  private final BlockingQueue<Integer> inside = new ArrayBlockingQueue<>(3);
  private final BlockingQueueSource<Integer> queue = BlockingQueueSource.of(inside);
  private final EventPoll poll = Polls.create();

  // ------------------------------------------------------------------------------- readiness

  @Test
  void readyForInWhileNotEmptyAndForOutWhileThereIsRoom() {
    poll.add(queue, Events.IN | Events.OUT, "queue");
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
    queue.add(1);
    assertThat(Taken.now(poll)).containsExactly("queue IN|OUT");
    queue.addAll(List.of(2, 3));
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    queue.clear();
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
  }

  @Test
  void whatIsInsideAlreadyIsReady() {
    inside.add(1);
    poll.add(BlockingQueueSource.of(inside), Events.IN, "queue");
    assertThat(Taken.now(poll)).containsExactly("queue IN");
  }

  @Test
  void everyCallThatPutsSomethingInIsAnInEdge() throws Exception {
    poll.add(queue, Events.IN | Events.ET, "queue");
    inEdge(() -> queue.put(1));
    inEdge(() -> assertThat(queue.add(2)).isTrue());
    inEdge(() -> assertThat(queue.offer(3)).isTrue());
    assertThat(queue.offer(4)).isFalse();
    assertThat(queue.offer(4, 0, TimeUnit.SECONDS)).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> queue.add(4)); // as every full queue
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(inside).containsExactly(1, 2, 3);
    inside.clear();
    inEdge(() -> assertThat(queue.offer(1, 1, TimeUnit.DAYS)).isTrue());
    inEdge(() -> assertThat(queue.addAll(List.of(2, 3))).isTrue());
    assertThat(inside).containsExactly(1, 2, 3);
  }

  private void inEdge(ThrowingCallable call) throws Exception {
    edge(call, "queue IN");
  }

  private void edge(ThrowingCallable call, String expected) throws Exception {
    try {
      call.call();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    assertThat(Taken.now(poll)).containsExactly(expected);
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void everyCallThatTakesSomethingOutIsAnOutEdge() throws Exception {
    poll.add(queue, Events.OUT | Events.ET, "queue");
    Taken.now(poll);
    outEdge(() -> assertThat(queue.take()).isEqualTo(1));
    outEdge(() -> assertThat(queue.poll()).isEqualTo(1));
    outEdge(() -> assertThat(queue.poll(1, TimeUnit.DAYS)).isEqualTo(1));
    outEdge(() -> assertThat(queue.remove()).isEqualTo(1));
    outEdge(() -> assertThat(queue.remove(2)).isTrue());
    List<Integer> drained = new ArrayList<>();
    outEdge(() -> assertThat(queue.drainTo(drained, 2)).isEqualTo(2));
    outEdge(() -> assertThat(queue.drainTo(drained)).isEqualTo(3));
    assertThat(drained).containsExactly(1, 2, 1, 2, 3);
    outEdge(() -> assertThat(queue.removeAll(List.of(1, 3))).isTrue());
    outEdge(() -> assertThat(queue.retainAll(List.of(3))).isTrue());
    outEdge(() -> assertThat(queue.removeIf(element -> element > 1)).isTrue());
    outEdge(queue::clear);
    outEdge(this::removeTheFirstByIterator);
  }

  /** With a full queue before. */
  private void outEdge(ThrowingCallable call) throws Exception {
    inside.clear();
    inside.addAll(List.of(1, 2, 3));
    edge(call, "queue OUT");
  }

  private void removeTheFirstByIterator() {
    Iterator<Integer> elements = queue.iterator();
    assertThat(elements.hasNext()).isTrue();
    assertThat(elements.next()).isEqualTo(1);
    elements.remove();
    assertThat(inside).containsExactly(2, 3);
  }

  /** A queue that looks at the poll in the middle of a call, before it has done anything. */
  private final class Looking extends LinkedBlockingQueue<Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean offer(Integer element) {
      assertThat(Taken.now(poll)).isEmpty();
      return super.offer(element);
    }

    @Override
    public Integer poll() {
      assertThat(Taken.now(poll)).isEmpty();
      return super.poll();
    }
  }

  @Test
  void announcedAfterItWasDoneAndNotBefore() {
    try (BlockingQueueSource<Integer> looking = BlockingQueueSource.of(new Looking())) {
      EpItem item = poll.add(looking, Events.IN | Events.ET, "queue");
      assertThat(looking.offer(1)).isTrue();
      assertThat(Taken.now(poll)).containsExactly("queue IN");
      item.modify(Events.OUT | Events.ET);
      Taken.now(poll);
      assertThat(looking.poll()).isEqualTo(1);
      assertThat(Taken.now(poll)).containsExactly("queue OUT");
    }
  }

  @Test
  void toFindNothingIsNoEdge() throws Exception {
    poll.add(queue, Events.OUT | Events.ET, "queue");
    Taken.now(poll);
    assertThat(queue.poll()).isNull();
    assertThat(queue.poll(0, TimeUnit.SECONDS)).isNull();
    assertThat(queue.remove(7)).isFalse();
    assertThatThrownBy(queue::remove).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(queue::element).isInstanceOf(NoSuchElementException.class);
    assertThat(queue.peek()).isNull();
    assertThat(Taken.now(poll)).isEmpty();
  }

  // ------------------------------------------------------------------------ select-style use

  @Test
  void s203_i103_readAndWrittenThroughTwoItems() throws Exception {
    BlockingQueueSource<Integer> channel = BlockingQueueSource.of(new ArrayBlockingQueue<>(1));
    EpItem receive = poll.add(channel, 1, Events.IN, "receive");
    EpItem send = poll.add(channel, 2, Events.OUT, "send");
    ReadyEvents ready = new ReadyEvents(2);
    for (int sent = 0, received = 0; received < 1000; ) {
      assertThat(poll.awaitNow(ready)).isEqualTo(1); // of one place either this or that
      if (ready.item(0) == send) {
        channel.put(sent++);
      } else {
        assertThat(ready.item(0)).isSameAs(receive);
        assertThat(channel.take()).isEqualTo(received++);
      }
    }
  }

  @Test
  void s205_besideATimer() {
    VirtualTime time = VirtualTime.create();
    EventPoll timed = Polls.on(time);
    Timer timer = time.timer();
    timed.add(queue, Events.IN, "queue");
    timed.add(timer, Events.IN, "timer");
    timer.set(Duration.ofMillis(10));
    time.advance(Duration.ofMillis(10));
    assertThat(Taken.now(timed)).containsExactly("timer IN");
    timer.tryRead();
    queue.add(1);
    assertThat(Taken.now(timed)).containsExactly("queue IN");
  }

  // ---------------------------------------------------------------------- what throws half-way

  @Test
  void whatWasPutInBeforeAFailureIsAnnounced() {
    poll.add(queue, Events.IN | Events.ET, "queue");
    assertThatNullPointerException().isThrownBy(() -> queue.addAll(Arrays.asList(1, null, 2)));
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    assertThatIllegalStateException().isThrownBy(() -> queue.addAll(List.of(2, 3, 4))); // full
    assertThat(Taken.now(poll)).containsExactly("queue IN");
    assertThat(inside).containsExactly(1, 2, 3);
  }

  @Test
  void whatWasTakenOutBeforeAFailureIsAnnounced() {
    poll.add(queue, Events.OUT | Events.ET, "queue");
    queue.addAll(List.of(1, 2, 3));
    Taken.now(poll);
    List<Integer> taken =
        new ArrayList<>() {
          @Override
          public boolean add(Integer element) {
            if (element == 2) {
              throw new UnsupportedOperationException("no twos");
            }
            return super.add(element);
          }
        };
    assertThatThrownBy(() -> queue.drainTo(taken)).hasMessage("no twos");
    assertThat(taken).containsExactly(1);
    assertThat(Taken.now(poll)).containsExactly("queue OUT");
  }

  // -------------------------------------------------------------------- what it cannot see

  @Test
  void aChangeBehindItsBackIsNotHeardOfUntilItIsAnnounced() {
    poll.add(queue, Events.IN | Events.ET, "queue");
    inside.add(1);
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(queue.readiness() & Events.IN).as("whoever asks sees it").isNotZero();
    queue.changed();
    assertThat(Taken.now(poll)).containsExactly("queue IN");
  }

  @Test
  void anElementTakenBehindItsBackIsNotReported() {
    poll.add(queue, Events.IN, "queue");
    queue.add(1);
    inside.clear();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void queuesThatBecomeReadyByThemselvesOrNeverAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockingQueueSource.of(new DelayQueue<>()))
        .withMessageContaining("DelayQueue");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockingQueueSource.of(new SynchronousQueue<>()))
        .withMessageContaining("SynchronousQueue");
    assertThatNullPointerException().isThrownBy(() -> BlockingQueueSource.of(null));
  }

  // ------------------------------------------------------------------------- bad input, end

  @Test
  void badInputIsRefusedAsByEveryBlockingQueue() {
    poll.add(queue, Events.IN | Events.ET, "queue");
    assertThatNullPointerException().isThrownBy(() -> queue.put(null)).withMessage("element");
    assertThatNullPointerException().isThrownBy(() -> queue.add(null)).withMessage("element");
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null)).withMessage("element");
    assertThatNullPointerException()
        .isThrownBy(() -> queue.offer(null, 1, TimeUnit.DAYS))
        .withMessage("element");
    assertThat(Taken.now(poll)).isEmpty();
    for (BlockingQueue<Integer> itself : List.of(queue, inside)) {
      assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(itself));
      assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(itself, 1));
      assertThatIllegalArgumentException().isThrownBy(() -> queue.addAll(itself));
    }
    queue.add(1);
    assertThat(queue.drainTo(new ArrayList<>(), -1)).isZero(); // as in the JDK's queues
    assertThat(inside).containsExactly(1);
  }

  @Test
  void closingEndsTheWatchingAndNotTheQueue() throws Exception {
    EpItem item = poll.add(queue, Events.IN, "queue");
    queue.put(1);
    queue.close();
    queue.close();
    assertThat(item.isValid()).isFalse();
    assertThat(poll.size()).isZero();
    assertThat(Taken.now(poll)).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> poll.add(queue, Events.IN));
    queue.put(2);
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue).containsExactly(2);
  }

  // --------------------------------------------------------------------------- other queues

  @Test
  void anyOtherBlockingQueueWillDo() throws Exception {
    for (BlockingQueue<Integer> other :
        List.<BlockingQueue<Integer>>of(
            new LinkedBlockingQueue<>(),
            new LinkedBlockingQueue<>(2),
            new LinkedBlockingDeque<>(2),
            new LinkedTransferQueue<>(),
            new PriorityBlockingQueue<>(2, Comparator.reverseOrder()),
            BlockingQueueSource.of(new ArrayBlockingQueue<>(2)))) {
      try (BlockingQueueSource<Integer> source = BlockingQueueSource.of(other)) {
        EpItem item = poll.add(source, Events.IN | Events.OUT, "queue");
        assertThat(Taken.now(poll)).containsExactly("queue OUT");
        source.put(1);
        assertThat(Taken.now(poll)).containsExactly("queue IN|OUT");
        source.put(2);
        boolean bounded = other.remainingCapacity() == 0;
        assertThat(Taken.now(poll)).containsExactly(bounded ? "queue IN" : "queue IN|OUT");
        int first = other instanceof PriorityBlockingQueue ? 2 : 1;
        assertThat(source.take()).isEqualTo(first);
        assertThat(source.take()).isEqualTo(3 - first);
        assertThat(Taken.now(poll)).containsExactly("queue OUT");
        item.remove();
      }
    }
  }

  @Test
  void lookingAsksTheQueueInside() {
    queue.addAll(List.of(1, 2));
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.isEmpty()).isFalse();
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThat(queue.peek()).isEqualTo(1);
    assertThat(queue.element()).isEqualTo(1);
    assertThat(queue.contains(2)).isTrue();
    assertThat(queue.containsAll(List.of(1, 2))).isTrue();
    assertThat(queue.containsAll(List.of(1, 3))).isFalse();
    assertThat(queue.toArray()).containsExactly(1, 2);
    assertThat(queue.toArray(new Integer[0])).containsExactly(1, 2);
    assertThat(queue.toArray(Integer[]::new)).containsExactly(1, 2);
    assertThat(queue.stream()).containsExactly(1, 2);
    List<Integer> seen = new ArrayList<>();
    queue.forEach(seen::add);
    assertThat(seen).containsExactly(1, 2);
    assertThat(queue).hasToString("BlockingQueueSource[ArrayBlockingQueue of 2]");
  }
}
