package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Steps.Hold;
import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.internal.Probe.Step;
import io.github.eventpoll.testkit.ScriptedChannel;
import io.github.eventpoll.testkit.ScriptedDriver;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The races of polls in polls whose channels are watched by drivers, each forced: KR-45 to KR-48.
 */
@EveryPath
class NestedDriverRacesTest extends LeaderScene {
  private final EventPoll outer = steps.poll(time);

  // ------------------------------------------------------------------------------------ KR-45

  @ParameterizedTest
  @EnumSource(names = {"ENLISTING", "ENLISTED", "PLANNING", "LOOKED"})
  void kr45_aChannelInAnInnerPollWhileAWaiterFallsAsleep(Step at) {
    outer.add(a, IN);
    Hold falling = steps.hold(at);
    Wait w = waiters.await(outer);
    falling.reached();
    a.add(c, IN);
    falling.release();
    leads(w, outer);
    c.arrive(1);
    assertThat(w.source()).isSameAs(a);
    assertThat(now(a)).isEqualTo(1);
  }

  @Test
  void kr45_theFirstChannelOfAPollWhileItsWaiterIsParked() {
    Wait w = parked(a);
    a.add(c, IN);
    leads(w, a);
    c.arrive(1);
    assertThat(w.source()).isSameAs(c);
  }

  @Test
  void kr45_aChannelInAnInnerPollWhileAWaiterIsParked() {
    EventPoll middle = steps.poll(time);
    outer.add(middle, IN);
    middle.add(a, IN);
    Wait w = parked(outer);
    a.add(c, IN);
    leads(w, outer);
    c.arrive(1);
    assertThat(w.source()).isSameAs(middle);
  }

  @Test
  void kr45_aWaiterThatComesBetweenPublishingAndTelling() {
    outer.add(a, IN);
    Hold published = steps.hold(Step.DEMAND_CHANGED, a);
    waiters.start("adds", () -> a.add(c, IN).isValid() ? 0 : 1);
    published.reached();
    Wait w = parked(outer); // outer does not know yet
    published.release();
    leads(w, outer);
  }

  @Test
  void kr45_awaitOneOnAPollThatGetsAChannel() {
    waiters.awaitOne(a, IN, null);
    Waiters.awaitAsleepOn(a, 1);
    a.add(c, IN);
    Waiters.until(() -> driver.sleeper() != null, () -> state(a));
    c.arrive(1);
    waiters.join();
    assertThat(waiters.served()).isEqualTo(1);
  }

  // ------------------------------------------------------------------------------------ KR-46

  @Test
  void kr46_linkedAndNotYetRead() {
    Hold linked = steps.hold(Step.ADD_REGISTERED);
    Wait t2 = waiters.start("nests", () -> outer.add(a, IN).isValid() ? 0 : 1);
    linked.reached();
    a.add(c, IN);
    assertThat(outer.drivers.seats()).as("carried upward already").hasSize(1);
    linked.release();
    assertThat(t2.result()).isZero();
    assertThat(outer.drivers.seats()).hasSize(1);
  }

  @Test
  void kr46_publishedAndNotYetCarriedUpward() {
    Hold published = steps.hold(Step.DEMAND_CHANGED, a);
    Wait t1 = waiters.start("adds", () -> a.add(c, IN).isValid() ? 0 : 1);
    published.reached();
    Hold linked = steps.hold(Step.ADD_REGISTERED).except(t1.thread);
    Wait t2 = waiters.start("nests", () -> outer.add(a, IN).isValid() ? 0 : 1);
    published.release();
    assertThat(t1.result()).isZero();
    linked.reached().release();
    assertThat(t2.result()).isZero();
    assertThat(outer.drivers.seats()).hasSize(1);
    Wait w = leading(outer);
    c.arrive(1);
    assertThat(w.source()).isSameAs(a);
  }

  @Test
  void kr46_aDiamondIsCountedOnce() {
    EpItem left = outer.add(a, IN);
    EpItem right = outer.add(b, IN);
    EventPoll leaf = steps.poll(time);
    a.add(leaf, IN);
    b.add(leaf, IN);
    EpItem channel = leaf.add(c, IN);
    assertThat(outer.drivers.seats()).hasSize(1);
    left.remove();
    assertThat(outer.drivers.seats()).hasSize(1);
    channel.remove();
    assertThat(outer.drivers.seats()).isEmpty();
    leaf.add(d, IN);
    assertThat(outer.drivers.seats()).hasSize(1);
    right.remove();
    assertThat(outer.drivers.seats()).isEmpty();
  }

  // ------------------------------------------------------------------------------------ KR-47

  @ParameterizedTest
  @EnumSource(names = {"SCAN_BEFORE", "SCAN_STARTED", "SCAN_ASK"})
  void kr47_aDemandIsCarriedUpwardWhileTheOuterPollScans(Step at) {
    a.add(memory, IN);
    outer.add(a, IN);
    memory.tryWrite(1);
    Hold scanning = steps.hold(at, at == Step.SCAN_ASK ? outer.find(a) : outer);
    Wait w = waiters.await(outer);
    scanning.reached(); // holds outer's control lock, and will want that of the inner poll
    a.add(c, IN);
    assertThat(outer.drivers.seats()).hasSize(1);
    a.find(c).remove();
    assertThat(outer.drivers.seats()).isEmpty();
    scanning.release();
    assertThat(w.source()).isSameAs(a);
  }

  // ------------------------------------------------------------------------------------ KR-48

  @Test
  void kr48a_theInnerPollsLeaderIsFollowedByTheOuterPollsWaiter() {
    a.add(c, IN);
    a.add(memory, IN_ET);
    outer.add(a, IN_ET);
    Wait inner = leading(a);
    Wait w = parked(outer);
    inner.thread.interrupt();
    assertThat(inner.failure()).isInstanceOf(InterruptedException.class);
    leads(w, outer);
    c.arrive(1);
    assertThat(w.source()).isSameAs(a);
  }

  private final ScriptedDriver second = ScriptedDriver.on(time);
  private final ScriptedChannel e = second.channel("e");

  private boolean isLedByHelper(EventPoll poll) {
    return Arrays.stream(poll.drivers.seats())
        .map(Seat::leader)
        .anyMatch(leader -> leader != null && leader.isHelper());
  }

  /** Idle, it lingers for one real second, the same with every path: that is waited for once. */
  private void goes(Thread helper, EventPoll poll) {
    Waiters.until(() -> !isLedByHelper(poll), () -> state(poll));
    if (Polls.isDefault()) {
      Waiters.until(() -> !helper.isAlive(), () -> state(poll));
    }
  }

  private void twoInnerPollsOnTwoDrivers() {
    a.add(c, IN);
    b.add(e, IN);
    outer.add(a, IN);
    outer.add(b, IN);
    steps.watchDriversOf(outer);
  }

  private Thread helperOf(EventPoll poll) {
    Waiters.until(() -> isLedByHelper(poll), () -> state(poll));
    return Arrays.stream(poll.drivers.seats())
        .map(Seat::leader)
        .filter(leader -> leader != null && leader.isHelper())
        .findAny()
        .orElseThrow()
        .thread;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void kr48b_theHelperLeadsWhatTheOnlyWaiterCannot(boolean first) {
    twoInnerPollsOnTwoDrivers();
    Wait w = leading(outer);
    Thread helper = helperOf(outer);
    Waiters.until(() -> driver.sleeper() != null && second.sleeper() != null, () -> state(outer));
    (first ? c : e).arrive(1);
    assertThat(w.source()).isSameAs(first ? a : b);
    goes(helper, outer); // nobody depends on it any more
    assertThat(second.overlaps()).isZero();
  }

  @Test
  void kr48b_theHelperGivesTheTurnToAWaiterThatLeadsNothing() {
    twoInnerPollsOnTwoDrivers();
    leading(outer);
    Thread helper = helperOf(outer);
    Wait another = leading(outer);
    goes(helper, outer);
    assertThat(isLedByHelper(outer)).isFalse();
    assertThat(another.isDone()).isFalse();
  }

  @Test
  void kr48b_theHelperComesBackWhenThatWaiterLeaves() {
    twoInnerPollsOnTwoDrivers();
    Wait w = leading(outer);
    Wait another = leading(outer);
    another.thread.interrupt();
    assertThat(another.failure()).isInstanceOf(InterruptedException.class);
    helperOf(outer);
    leads(w, outer);
  }

  @Test
  void kr48c_aLeaderForAnInnerPollThatIsRemovedGivesTheTurnUp() {
    a.add(c, IN);
    EpItem inner = outer.add(a, IN);
    Wait w = leading(outer);
    Wait stranger = parked(a);
    inner.remove();
    parks(w, outer);
    leads(stranger, a);
    c.arrive(1);
    assertThat(stranger.source()).isSameAs(c);
  }

  @Test
  void kr48c_nobodyLeadsADriverThatNobodyDependsOn() {
    a.add(c, IN);
    EpItem inner = outer.add(a, IN);
    Wait w = leading(outer);
    inner.remove();
    parks(w, outer);
    assertThat(driver.sleeper()).isNull();
    Waiters.until(seatOf(a)::isFree, () -> state(a));
  }

  @Test
  void kr48c_aWaiterThatLosesItsDriverTakesTheOther() {
    twoInnerPollsOnTwoDrivers();
    Wait w = leading(outer);
    Thread helper = helperOf(outer);
    EventPoll ledByWaiter = driver.sleeper() == w.thread ? a : b;
    outer.find(ledByWaiter).remove();
    goes(helper, outer);
    leads(w, outer);
  }
}
