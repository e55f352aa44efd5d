package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Polls that share a driver, and polls in polls whose channels are in different ones. */
class SharedDriverTest extends ChannelTest {
  private final CountingProvider provider = new CountingProvider();
  private final ChannelDriver driver = ChannelDriver.open(provider);
  private final EventPoll one = closedLater(driver.poll(Polls.builder()));
  private final EventPoll two = closedLater(driver.poll(Polls.builder()));

  private static boolean helperRuns() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("eventpoll-helper"));
  }

  private Link watchedBy(EventPoll by, String name) throws Exception {
    Link link = link();
    by.add(ChannelSource.of(link.ours), Events.IN, name);
    return link;
  }

  @Test
  void oneSelectorForAllPolls_closedWhenUnused() throws Exception {
    assertThat(provider.openSelectors).hasValue(0);
    Link first = watchedBy(one, "1");
    Link second = watchedBy(two, "2");
    first.send(1);
    second.send(1);
    assertThat(await(one)).containsExactly("1 IN");
    assertThat(await(two)).containsExactly("2 IN");
    assertThat(provider.selectors).hasValue(1);
    one.close();
    assertThat(provider.openSelectors).hasValue(1);
    two.close();
    assertThat(provider.openSelectors).hasValue(0);
    EventPoll late = closedLater(driver.poll(Polls.builder()));
    watchedBy(late, "3").send(1);
    assertThat(await(late)).containsExactly("3 IN");
  }

  @Test
  @DisplayName("KR-25: the leader of one poll serves the waiters of the other, who are free to go")
  void oneLeaderForBoth() throws Exception {
    watchedBy(one, "1");
    Link second = watchedBy(two, "2");
    EventFd counter = EventFd.create();
    two.add(counter, Events.IN | Events.ET, "m");
    Sleeper leader = Sleeper.on(one);
    assertThat(leader.isSelecting()).isTrue();
    Sleeper follower = Sleeper.on(two);
    assertThat(follower.isParked()).isTrue();
    second.send(1);
    assertThat(follower.events()).containsExactly("2 IN");
    assertThat(two.await(ready, Duration.ofSeconds(10))).isOne();
    counter.tryWrite(1);
    assertThat(now(two)).contains("m IN");
    leader.untilSelecting();
    one.wakeup();
    leader.events();
    assertThat(provider.crowded).isFalse();
  }

  @Test
  @DisplayName("KR-48a: the leader of one poll leaves: a waiter of the other takes the turn")
  void promotionAcrossPolls() throws Exception {
    watchedBy(one, "1");
    Link second = watchedBy(two, "2");
    Sleeper leader = Sleeper.on(one);
    Sleeper follower = Sleeper.on(two);
    assertThat(follower.isParked()).isTrue();
    one.wakeup();
    leader.events();
    follower.untilSelecting();
    second.send(1);
    assertThat(follower.events()).containsExactly("2 IN");
  }

  @Test
  @DisplayName("KR-45: channels of an inner poll when only the outer one is awaited")
  void innerPoll() throws Exception {
    poll.add(one, Events.IN, "inner");
    Link before = watchedBy(one, "1");
    Sleeper sleeper = Sleeper.on(poll);
    assertThat(sleeper.isSelecting()).isTrue();
    before.send(1);
    assertThat(sleeper.events()).containsExactly("inner IN");
    assertThat(await(one)).containsExactly("1 IN");
    before.ours.read(java.nio.ByteBuffer.allocate(1));
    assertThat(now()).isEmpty();
  }

  @Test
  @DisplayName("KR-45: the inner poll gets its first channel while the outer one is awaited")
  void innerPollGetsItsChannelLate() throws Exception {
    EventPoll middle = closedLater(Polls.create());
    poll.add(middle, Events.IN, "middle");
    middle.add(one, Events.IN, "inner");
    Sleeper sleeper = Sleeper.on(poll);
    assertThat(sleeper.isParked()).isTrue();
    Link late = watchedBy(one, "late");
    sleeper.untilSelecting();
    late.send(1);
    assertThat(sleeper.events()).containsExactly("middle IN");
  }

  @Test
  @DisplayName(
      "KR-48: two inner polls with drivers of their own: a helper leads the second, and ends")
  void twoDrivers() throws Exception {
    EventPoll first = closedLater(Polls.create());
    EventPoll second = closedLater(Polls.create());
    EpItem one = poll.add(first, Events.IN, "first");
    poll.add(second, Events.IN, "second");
    Link a = watchedBy(first, "a");
    Link b = watchedBy(second, "b");
    for (int round = 0; round < 20; round++) {
      Link ready = round % 2 == 0 ? a : b;
      Sleeper sleeper = Sleeper.on(poll);
      Sleeper.until(SharedDriverTest::helperRuns, "a helper");
      ready.send(1);
      assertThat(sleeper.events()).containsExactly(ready == a ? "first IN" : "second IN");
      assertThat(now(ready == a ? first : second)).hasSize(1);
      read(ChannelSource.of(ready.ours), 1);
      assertThat(now()).isEmpty();
    }
    Sleeper.until(() -> !helperRuns(), "the helper to end");
    Sleeper sleeper = Sleeper.on(poll);
    Sleeper.until(SharedDriverTest::helperRuns, "a helper");
    one.remove();
    Sleeper.until(() -> !helperRuns(), "the helper to end: the waiter leads the only driver left");
    sleeper.untilSelecting();
    b.send(1);
    assertThat(sleeper.events()).containsExactly("second IN");
  }

  @Test
  @DisplayName("KR-48: a waiter of an inner poll takes the turn over from the helper")
  void helperGivesWay() throws Exception {
    poll.add(one, Events.IN, "one");
    EventPoll other = closedLater(Polls.create());
    poll.add(other, Events.IN, "other");
    Link a = watchedBy(one, "a");
    Link b = watchedBy(other, "b");
    Sleeper outer = Sleeper.on(poll);
    Sleeper.until(SharedDriverTest::helperRuns, "a helper");
    Sleeper ofOne = Sleeper.on(one);
    Sleeper ofOther = Sleeper.on(other);
    Sleeper.until(() -> !helperRuns(), "the helper to end");
    a.send(1);
    b.send(1);
    assertThat(ofOne.events()).containsExactly("a IN");
    assertThat(ofOther.events()).containsExactly("b IN");
    assertThat(outer.events()).isNotEmpty();
  }

  @Test
  @DisplayName("KR-25, KR-28: many threads wait and pass on polls of one driver; never two select")
  void crowd() throws Exception {
    int messages = 2000;
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      EventPoll by = i % 2 == 0 ? one : two;
      Link link = link();
      links.add(link);
      by.add(ChannelSource.of(link.ours), Events.IN | Events.ONESHOT, i);
    }
    AtomicInteger seen = new AtomicInteger();
    List<Sleeper> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(
          Sleeper.started(
              i % 2 == 0 ? one : two,
              (from, to) -> {
                ReadyEvents batch = new ReadyEvents(1);
                while (seen.get() < messages) {
                  from.awaitNow(batch);
                  if (batch.size() == 0) {
                    from.await(batch, Duration.ofMillis(200));
                  }
                  serve(batch, seen);
                }
                return 0;
              }));
    }
    for (int i = 0; i < messages; i++) {
      links.get(i % 4).send(1);
    }
    for (Sleeper worker : workers) {
      worker.events();
    }
    assertThat(seen).hasValue(messages);
    assertThat(provider.crowded).isFalse();
  }

  private static void serve(ReadyEvents batch, AtomicInteger seen) {
    for (int i = 0; i < batch.size(); i++) {
      try {
        seen.addAndGet(read((ChannelSource) batch.source(i), 64));
      } catch (java.io.IOException e) {
        throw new AssertionError(e);
      }
      batch.item(i).modify(Events.IN | Events.ONESHOT);
    }
  }
}
