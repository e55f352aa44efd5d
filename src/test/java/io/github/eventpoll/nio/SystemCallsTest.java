package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.source.EventFd;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the system is asked to do, counted at the selector. */
@EveryPath
class SystemCallsTest extends ChannelTest {
  private final CountingProvider provider = new CountingProvider();
  private final ChannelDriver driver = ChannelDriver.open(provider);
  private final EventPoll own = closedLater(driver.poll(Polls.builder()));
  private Link link;
  private ChannelSource source;

  @BeforeEach
  void connect() throws Exception {
    link = link();
    source = ChannelSource.of(link.ours);
  }

  @AfterEach
  void neverTwoThreadsInOneSelector() {
    assertThat(provider.crowded).as("KR-25").isFalse();
  }

  private void assertNothingButSelects(int selects) {
    assertThat(provider.selects).as("selects").hasValue(selects);
    assertThat(provider.interestChanges).as("interest changes").hasValue(0);
    assertThat(provider.wakeups).as("Selector.wakeup").hasValue(0);
    assertThat(driver.wakeups()).as("pipe writes").isZero();
    assertThat(provider.registrations).as("registrations").hasValue(0);
  }

  @Test
  @DisplayName("KR-34: one waiter, level-triggered: one select for each batch and nothing else")
  void level() throws Exception {
    own.add(source, Events.IN, "c");
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int i = 0; i < 100; i++) {
      link.send(1);
      assertThat(await(own)).containsExactly("c IN");
      read(source, 1);
    }
    assertNothingButSelects(100);
  }

  @Test
  void levelOfManyChannels_inOneBatch() throws Exception {
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      links.add(link());
      own.add(ChannelSource.of(links.get(i).ours), Events.IN, i);
    }
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int round = 0; round < 20; round++) {
      for (Link each : links) {
        each.send(1);
      }
      assertThat(await(own)).hasSize(10);
      for (Link each : links) {
        each.ours.read(ByteBuffer.allocate(1));
      }
    }
    assertNothingButSelects(20);
  }

  @Test
  void edge() throws Exception {
    own.add(source, Events.IN | Events.ET, "c");
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int i = 0; i < 100; i++) {
      link.send(1);
      assertThat(await(own)).containsExactly("c IN");
      assertThat(read(source, 9)).isOne();
      assertThat(read(source, 9)).isZero();
    }
    assertNothingButSelects(100);
  }

  @Test
  void oneShot() throws Exception {
    EpItem item = own.add(source, Events.IN | Events.ONESHOT, "c");
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int i = 0; i < 100; i++) {
      link.send(1);
      assertThat(await(own)).containsExactly("c IN");
      read(source, 1);
      item.modify(Events.IN | Events.ONESHOT);
    }
    assertNothingButSelects(100);
  }

  @Test
  void anInMemoryEventThatIsThere_costsNoSelect() throws Exception {
    own.add(source, Events.IN, "c");
    EventFd counter = EventFd.create();
    own.add(counter, Events.IN | Events.ET, "m");
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int i = 0; i < 50; i++) {
      counter.tryWrite(1);
      assertThat(await(own)).containsExactly("m IN");
    }
    assertNothingButSelects(0);
  }

  @Test
  @DisplayName("KR-44, NOTES 2: an in-memory source that is always ready does not hide a channel")
  void fairness() throws Exception {
    own.add(source, Events.IN, "c");
    EventFd counter = EventFd.create();
    own.add(counter, Events.IN, "m");
    counter.tryWrite(1);
    link.send(1);
    int waits = 1;
    while (!await(own).contains("c IN")) {
      waits++;
    }
    assertThat(waits).isLessThanOrEqualTo(65);
    assertThat(provider.selects.get()).isLessThanOrEqualTo(2);
    for (int i = 0; i < 64 * 10; i++) {
      await(own);
    }
    read(source, 1);
    assertThat(await(own)).contains("m IN");
  }

  @Test
  @DisplayName("KR-26, NOTES 11: at most one wake for each sleep, none while nobody sleeps")
  void oneWakeForEachSleep() throws Exception {
    own.add(source, Events.IN, "c");
    EventFd counter = EventFd.create();
    own.add(counter, Events.IN | Events.ET, "m");
    for (int i = 0; i < 10; i++) {
      counter.tryWrite(1);
    }
    assertThat(driver.wakeups()).as("nobody sleeps").isZero();
    assertThat(await(own)).containsExactly("m IN");
    for (int round = 1; round <= 20; round++) {
      Sleeper sleeper = Sleeper.on(own);
      assertThat(sleeper.isSelecting()).isTrue();
      for (int i = 0; i < 10; i++) {
        counter.tryWrite(1);
      }
      assertThat(sleeper.events()).containsExactly("m IN");
      assertThat(driver.wakeups()).isEqualTo(round);
      now(own);
    }
    assertThat(provider.wakeups).hasValue(0);
  }

  @Test
  @DisplayName("KR-34: what another poll has not taken does not make the leader spin")
  void anotherPollsUnreadChannel() throws Exception {
    EventPoll other = closedLater(driver.poll(Polls.builder()));
    other.add(source, Events.IN, "unread");
    own.add(ChannelSource.of(link().ours), Events.IN, "idle");
    link.send(1);
    Sleeper sleeper = Sleeper.on(own);
    Sleeper.until(() -> other.dump().contains("queued"), "the report to the other poll");
    provider.reset();
    assertThat(own.await(ready, java.time.Duration.ofMillis(100))).isZero();
    own.wakeup();
    assertThat(sleeper.events()).isEmpty();
    assertThat(provider.selects.get()).isLessThan(20);
    assertThat(now(other)).containsExactly("unread IN");
  }

  @Test
  void interestThatIsBackBeforeThePass_costsNothing() throws Exception {
    EpItem item = own.add(source, Events.IN, "c");
    assertThat(now(own)).isEmpty();
    provider.reset();
    for (int i = 0; i < 10; i++) {
      item.modify(Events.OUT);
      item.modify(0);
      item.modify(Events.IN);
    }
    assertThat(now(own)).isEmpty();
    assertNothingButSelects(1);
  }

  @Test
  @DisplayName("I-73: a deadline that is not whole milliseconds neither spins nor ends early")
  void fractionsOfMilliseconds() throws Exception {
    own.add(source, Events.IN, "c");
    provider.reset();
    for (long nanos : new long[] {1, 1000, 400_000, 999_999, 1_000_001, 1_700_000, 2_300_000}) {
      long start = System.nanoTime();
      assertThat(own.awaitNanos(ready, nanos)).isZero();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(nanos);
    }
    assertThat(provider.selects.get()).isLessThanOrEqualTo(7 * 4);
  }

  @Test
  @DisplayName("KR-26, KR-39: a flush in the middle of a pass does not use up a wake")
  void flushInAPass_keepsTheWake() throws Exception {
    EventFd counter = EventFd.create();
    own.add(counter, Events.IN | Events.ET, "m");
    EpItem moved = own.add(source, Events.IN, "c");
    SelectableChannel first = pipe().source();
    EpItem one = own.add(ChannelSource.of(first), Events.IN, "1");
    EpItem two = own.add(ChannelSource.of(pipe().source()), Events.IN, "2");
    assertThat(now(own)).isEmpty();
    provider.onInterestChange =
        channel -> {
          if (channel == first) {
            moved.remove(); // its key is cancelled next
            two.modify(Events.OUT); // of a pipe's source: a change of interest, never ready
          } else {
            own.add(source, Events.IN, "again"); // which needs a flush
            counter.tryWrite(1); // and this must survive it
          }
        };
    one.modify(Events.OUT);
    Sleeper sleeper = Sleeper.started(own, EventPoll::await);
    assertThat(sleeper.events()).containsExactly("m IN");
    link.send(1);
    assertThat(await(own)).containsExactly("again IN");
  }
}
