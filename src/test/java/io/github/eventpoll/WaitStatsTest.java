package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.testkit.ScriptedDriver;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What {@link Stats} says of waits, passes and helpers, and that reading it allocates nothing. */
class WaitStatsTest extends LeaderScene {
  private final EventPoll poll = time.poll(EventPoll.builder().countStats(true));
  private final Stats stats = poll.stats();
  private final ReadyEvents ready = new ReadyEvents(4);

  @Test
  void waitsEventsAndTimeouts() throws InterruptedException {
    poll.add(memory, IN);
    assertThat(poll.awaitNow(ready)).isZero();
    assertThat(poll.await(ready, Duration.ZERO)).isZero();
    assertThat(stats.timeouts()).as("would not sleep").isZero();
    memory.write(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.await(ready)).isEqualTo(1);
    assertThat(stats.waits()).isEqualTo(4);
    assertThat(stats.events()).isEqualTo(2);
    assertThat(stats.sleeps()).isZero();
    memory.read();
    Wait timed = waiters.await(poll, SECOND);
    Waiters.awaitAsleep(poll, 1);
    time.advance(SECOND);
    assertThat(timed.result()).isZero();
    assertThat(stats.timeouts()).isEqualTo(1);
    assertThat(stats.sleeps()).isEqualTo(1);
    assertThat(stats.waits()).isEqualTo(5);
    assertThat(stats.wakeups()).isZero();
  }

  @Test
  void wakeups_andThoseWhoSleep() {
    waiters.awaiting(poll, 2);
    assertThat(stats.waiters()).isEqualTo(2);
    poll.wakeup();
    Waiters.awaitAsleep(poll, 1);
    poll.wakeupAll();
    waiters.join();
    assertThat(stats.wakeups()).isEqualTo(2);
    assertThat(stats.timeouts()).isZero();
    assertThat(stats.waiters()).isZero();
    assertThat(stats.sleeps()).isEqualTo(2);
    poll.wakeup();
    assertThat(waiters.await(poll).result()).isZero();
    assertThat(stats.wakeups()).isEqualTo(3);
    assertThat(stats.sleeps()).as("it was kept, and the wait did not sleep").isEqualTo(2);
  }

  @Test
  void passes_asleepAndNot() {
    poll.add(c, IN);
    assertThat(poll.awaitNow(ready)).isZero();
    assertThat(stats.passes()).isEqualTo(1);
    Wait leader = leading(poll);
    c.arrive(1);
    assertThat(leader.source()).isSameAs(c);
    assertThat(stats.passes()).isEqualTo(2);
    assertThat(stats.sleeps()).isEqualTo(1);
    assertThat(driver.passes()).isEqualTo(2);
  }

  @Test
  void helpersStarted_doNotBecomeFewerWhenTheirDriverGoes() {
    ScriptedDriver second = ScriptedDriver.on(time);
    EpItem first = poll.add(c, IN);
    EventPoll inner = time.poll(EventPoll.builder().countStats(true));
    inner.add(second.channel("e"), IN);
    EpItem nested = poll.add(inner, IN);
    assertThat(stats.helpersStarted()).isZero();
    Wait leader = leading(poll);
    Waiters.until(() -> stats.helpersStarted() == 1, poll::dump);
    assertThat(inner.stats().helpersStarted() + helpersOf(driver, poll)).isEqualTo(1);
    nested.remove();
    first.remove();
    assertThat(poll.drivers.seats()).isEmpty();
    assertThat(stats.helpersStarted()).isEqualTo(1);
    poll.wakeupAll();
    leader.result();
    poll.add(c, IN);
    poll.add(inner, IN);
    assertThat(stats.helpersStarted()).as("counted once").isEqualTo(1);
    EventPoll late = time.poll(EventPoll.builder().countStats(true));
    late.add(inner, IN);
    late.add(d, IN);
    assertThat(late.stats().helpersStarted()).as("before it came").isZero();
  }

  private static int helpersOf(ScriptedDriver driver, EventPoll poll) {
    int sum = 0;
    for (Seat seat : poll.drivers.seats()) {
      sum += seat.driver.toString().equals(driver.toString()) ? seat.helpersStarted() : 0;
    }
    return sum;
  }

  @Test
  void withoutCountingItTellsWhatIsThereNow() throws InterruptedException {
    EventPoll plain = EventPoll.create();
    Stats seen = plain.stats();
    plain.add(memory, IN);
    waiters.awaiting(plain, 1);
    assertThat(seen.isCounting()).isFalse();
    assertThat(seen.items()).isEqualTo(1);
    assertThat(seen.waiters()).isEqualTo(1);
    memory.write(1);
    waiters.join();
    assertThat(seen.waits() + seen.events() + seen.sleeps() + seen.passes()).isZero();
    assertThat(seen.timeouts() + seen.wakeups() + seen.helpersStarted()).isZero();
  }

  @Test
  void readingAllocatesNothing() {
    poll.add(c, IN);
    waiters.awaiting(poll, 3);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    long sum = sumOften(20_000);
    long before = threads.getThreadAllocatedBytes(self);
    sum += sumOften(20_000);
    long bytes = threads.getThreadAllocatedBytes(self) - before;
    assertThat(sum).isPositive();
    assertThat(bytes / 20_000.0).as("bytes for each snapshot").isLessThan(1);
    poll.wakeupAll();
  }

  private long sumOften(int times) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      sum += stats.items() + stats.waiters() + stats.waits() + stats.events() + stats.timeouts();
      sum += stats.wakeups() + stats.sleeps() + stats.passes() + stats.helpersStarted();
      sum += stats.droppedByMask() + stats.skippedAsNotified() + stats.locksTaken();
      sum += stats.queued() + stats.overflowed() + stats.waitersWoken() + stats.watchersWoken();
      sum += stats.topologyLocksTaken();
    }
    return sum;
  }
}
