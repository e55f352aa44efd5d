package io.github.eventpoll.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scenarios S059 to S068: batches smaller than the ready list, order and fairness. */
@EveryPath
class OrderAndFairnessTest {
  private static final int IN_ET = Events.IN | Events.ET;

  private final EventPoll poll = Polls.create();

  private List<FakeSource> add(int number, int mask) {
    List<FakeSource> sources =
        IntStream.range(0, number).mapToObj(i -> FakeSource.idle("" + i)).toList();
    sources.forEach(source -> poll.add(source, mask));
    return sources;
  }

  @Test
  void s059_eachEdgeExactlyOnceInSmallBatches() {
    List<FakeSource> sources = add(18, IN_ET);
    sources.subList(2, 15).forEach(source -> source.become(Events.IN));
    List<Integer> sizes = new ArrayList<>();
    List<String> all = new ArrayList<>();
    List<String> batch;
    do {
      batch = Taken.now(poll, 3);
      sizes.add(batch.size());
      all.addAll(batch);
    } while (!batch.isEmpty());
    assertThat(sizes).containsExactly(3, 3, 3, 3, 1, 0);
    assertThat(all)
        .containsExactlyElementsOf(
            IntStream.range(2, 15).mapToObj(i -> i + " " + Events.toString(Events.IN)).toList());
  }

  @Test
  void s061_whatDidNotFitIsKept() {
    add(64, IN_ET).forEach(source -> source.become(Events.IN));
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      all.addAll(Taken.now(poll, 1));
    }
    assertThat(all).hasSize(64).doesNotHaveDuplicates();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void s062_levelTriggeredItemsTakeTurns() {
    add(5, Events.IN).forEach(source -> source.become(Events.IN));
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      List<String> batch = Taken.now(poll, 2);
      assertThat(batch).hasSize(2);
      batch.forEach(event -> counts.merge(event, 1, Integer::sum));
    }
    assertThat(counts).hasSize(5).allSatisfy((event, count) -> assertThat(count).isEqualTo(20));
  }

  @Test
  void s064_tenThousandAtOnce() {
    List<FakeSource> sources = add(10_000, IN_ET);
    sources.forEach(source -> source.become(Events.IN));
    HashSet<String> seen = new HashSet<>();
    List<String> batch = Taken.now(poll, 777);
    while (!batch.isEmpty()) {
      batch.forEach(event -> assertThat(seen.add(event)).as(event).isTrue());
      batch = Taken.now(poll, 777);
    }
    assertThat(seen).hasSize(10_000);
  }

  @Test
  void s065_aDeadItemAtTheHeadHidesNothing() {
    List<FakeSource> sources = add(3, Events.IN);
    sources.forEach(source -> source.become(Events.IN));
    sources.get(0).close();
    assertThat(Taken.now(poll, 1)).containsExactly("1 IN");
    assertThat(Taken.now(poll, 1)).containsExactly("2 IN");
    assertThat(Taken.now(poll, 1)).containsExactly("1 IN");
  }

  @Test
  void s067_fullQueuesAndFiredTimersTakeTurns() {
    // Rotation is always on: what is ready all the time is picked equally often, whatever it is.
    SoloTime time = new SoloTime();
    EventPoll fair = time.poll();
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      QueueSource<String> queue = QueueSource.unbounded();
      queue.offer("never taken");
      fair.add(queue, Events.IN, "queue " + i);
      Timer timer = time.timer();
      timer.setAt(0); // the present: it has fired
      fair.add(timer, Events.IN, "timer " + i);
    }
    for (int i = 0; i < 10_000; i++) {
      Taken.now(fair, 1).forEach(event -> counts.merge(event, 1, Integer::sum));
    }
    assertThat(counts).hasSize(4).allSatisfy((event, count) -> assertThat(count).isEqualTo(2500));
  }

  @Test
  void s068_errorsThatNobodyHandlesDoNotCrowdOutTheRest() {
    for (int i = 0; i < 64; i++) {
      poll.add(FakeSource.ready("broken " + i, Events.ERR), Events.IN);
    }
    poll.add(FakeSource.ready("well", Events.IN), Events.IN);
    for (int i = 0; i < 10; i++) {
      List<String> twoWaits = new ArrayList<>(Taken.now(poll, 64));
      twoWaits.addAll(Taken.now(poll, 64));
      assertThat(twoWaits).contains("well IN", "broken 0 ERR");
    }
  }
}
