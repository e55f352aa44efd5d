package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.source.Timer;
import io.github.eventpoll.testkit.ScriptedDriver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The text of dump() for polls with everything in them, and that it waits for nobody. */
class DumpTest extends LeaderScene {
  private final FakeSource plain = FakeSource.idle("plain");

  @Test
  void nestedPolls_eachIsShownOnceAndTheOthersPointToIt() {
    EventPoll inner = time.poll();
    inner.add(plain, Events.IN);
    b.add(inner, Events.IN);
    a.add(b, Events.IN);
    a.add(inner, Events.IN | Events.ET);
    plain.become(Events.IN);
    assertThat(a.dump())
        .isEqualTo(
            String.join(
                "\n",
                a + ": 2 items, 2 queued, 0 waiters",
                "  item " + b + " IN|ERR|HUP queued",
                "    " + b + ": 1 items, 1 queued, 0 waiters",
                "      item " + inner + " IN|ERR|HUP queued",
                "        " + inner + ": 1 items, 1 queued, 0 waiters",
                "          item plain IN|ERR|HUP queued",
                "          watched by " + a,
                "          watched by " + b,
                "      watched by " + a,
                "  item " + inner + " IN|ERR|HUP|ET queued",
                "    " + inner + ": see above",
                ""));
  }

  @Test
  void timersAndThoseWhoSleepTowardsThem() {
    Timer timer = time.timer();
    a.add(timer, Events.IN);
    timer.set(Duration.ofNanos(700));
    Wait longer = parked(a);
    time.advanceNanos(200);
    Waiters.until(() -> a.dump().contains("keeps time"), a::dump);
    String name = longer.thread.getName();
    assertThat(a.dump())
        .isEqualTo(
            String.join(
                "\n",
                a + ": 1 items, 0 queued, 1 waiters, next deadline in 500 ns",
                "  item " + timer + " IN|ERR|HUP deadline in 500 ns",
                "  waiter " + name + " parked",
                "    wakes at the latest in 500 ns, keeps time",
                ""));
    time.advanceNanos(500);
    assertThat(longer.source()).isSameAs(timer);
    timer.close();
  }

  @Test
  void driversWithTheirLeaderAndTheirCandidates() {
    a.add(c, IN);
    b.add(d, IN);
    Wait leader = leading(a);
    Wait follower = parked(a);
    String leads = leader.thread.getName() + " selecting";
    String parks = follower.thread.getName() + " parked";
    assertThat(a.dump())
        .isEqualTo(
            String.join(
                "\n",
                a + ": 1 items, 0 queued, 2 waiters",
                "  item c IN|ERR|HUP",
                "  waiter " + parks,
                "  waiter " + leads,
                "    leads " + driver,
                "  driver " + driver + " led by " + leads,
                "    candidate " + leads,
                "    candidate " + parks,
                ""));
    assertThat(b.dump()).contains("\n  driver " + driver + " led by " + leads + "\n");
    a.wakeupAll();
    waiters.join();
    assertThat(a.dump()).contains("\n  driver " + driver + " led by nobody\n");
  }

  @Test
  void theHelperOfADriverThatNoWaiterCanLead() {
    ScriptedDriver second = ScriptedDriver.on(time);
    EventPoll inner = time.poll();
    a.add(c, IN);
    inner.add(second.channel("e"), IN);
    a.add(inner, IN);
    Wait leader = leading(a);
    Seat other = null;
    for (Seat seat : a.drivers.seats()) {
      other = seat.leader() != null && seat.leader().thread == leader.thread ? other : seat;
    }
    String helper = "eventpoll-helper " + other.driver;
    Waiters.until(
        () -> a.dump().contains(" led by " + helper + " selecting\n"), () -> LeaderScene.state(a));
    assertThat(a.dump()).contains("\n    helper " + helper + "\n");
    a.wakeupAll();
    leader.result();
  }

  @Test
  void modesFailuresAndSourcesWhoseNamesFail() {
    FakeSource failing = FakeSource.ready("failing", Events.IN);
    a.add(failing, Events.IN);
    failing.failWith(new IllegalStateException("out of order"));
    assertThat(now(a)).isEqualTo(1);
    Pollable nameless =
        new Pollable() {
          @Override
          public int readiness() {
            return 0;
          }

          @Override
          public WaitQueue waitQueue() {
            return plain.waitQueue();
          }

          @Override
          public String toString() {
            throw new UnsupportedOperationException();
          }
        };
    a.add(nameless, 7, Events.OUT | Events.EXCLUSIVE, null);
    assertThat(a.dump())
        .contains(
            "  item failing 0 disarmed failed: java.lang.IllegalStateException: out of order\n",
            " (toString threw java.lang.UnsupportedOperationException) tag 7 ");
  }

  @Test
  void aThreadThatWaitsOnThePollAsASource() {
    Wait one = waiters.awaitOne(a, Events.IN, null);
    Waiters.awaitAsleepOn(a, 1);
    assertThat(a.dump()).contains("\n  waited for by " + one.thread.getName() + " parked\n");
    plain.set(Events.IN);
    a.add(plain, Events.IN);
    assertThat(one.result()).isEqualTo(Events.IN);
  }

  @Test
  void itWaitsForNobodyAndTellsWhoseSourceDoesNotAnswer() throws Exception {
    a.add(plain, Events.IN);
    plain.become(Events.IN);
    Hold scan = steps.hold(Step.SCAN_ASKED);
    Wait hanging = waiters.await(a);
    scan.reached();
    CompletableFuture<String> dump = CompletableFuture.supplyAsync(a::dump);
    assertThat(dump.get(30, TimeUnit.SECONDS))
        .contains(
            "\n  locked by thread #" + hanging.thread.getId() + ", source asked last: plain\n");
    scan.release();
    hanging.result();
    assertThat(a.dump()).doesNotContain("locked");
  }

  @Test
  void whereTheTextIsShortenedItSaysHowManyItemsThereAre() {
    for (int i = 0; i < 5; i++) {
      a.add(FakeSource.idle("s" + i), Events.IN);
    }
    assertThat(Dump.of(a, 2))
        .isEqualTo(
            a
                + ": 5 items, 0 queued, 0 waiters\n"
                + "  item s0 IN|ERR|HUP\n  item s1 IN|ERR|HUP\n  ... of 5 items\n");
  }
}
