package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.internal.Driver;
import org.junit.jupiter.api.Test;

/** The turn of a driver and its candidates, one call at a time. */
class SeatTest {
  /** Counts what is done to it. */
  private static final class Counting extends Driver {
    int passes;
    int dispatches;
    int wakes;
    int flushesWanted;
    boolean failing;

    @Override
    public void sleep(long until) {
      passes++;
      flushesWanted = Math.max(0, flushesWanted - 1);
      if (failing) {
        throw new StackOverflowError("scripted");
      }
    }

    @Override
    public void dispatch() {
      dispatches++;
    }

    @Override
    public void wake() {
      wakes++;
    }

    @Override
    public boolean flushRequested() {
      return flushesWanted > 0;
    }
  }

  private final Counting driver = new Counting();
  private final Seat seat = (Seat) driver.seat();
  private final Waiter waiter = new Waiter(Thread.currentThread());
  private final Waiter other = new Waiter(Thread.currentThread());

  private static boolean isKicked(Waiter waiter) {
    return waiter.toString().endsWith(" kicked");
  }

  @Test
  void oneHasTheTurn() {
    assertThat(seat.isFree()).isTrue();
    assertThat(seat.tryTake(waiter)).isTrue();
    assertThat(seat.tryTake(waiter)).as("has it").isTrue();
    assertThat(seat.tryTake(other)).isFalse();
    assertThat(seat.pass()).isFalse();
    assertThat(seat.leader()).isSameAs(waiter);
    seat.release();
    assertThat(seat.isFree()).isTrue();
    assertThat(seat.tryTake(other)).isTrue();
  }

  @Test
  void theTurnStaysWithTheThreadThatSleepsAgain() {
    seat.tryTake(waiter);
    seat.handOn(other);
    assertThat(seat.leader()).isSameAs(other);
    seat.releaseIfHeldBy(waiter);
    assertThat(seat.isFree()).isFalse();
    seat.releaseIfHeldBy(other);
    assertThat(seat.isFree()).isTrue();
  }

  @Test
  void aPassIsDispatchedAndLeavesTheTurnFree() {
    assertThat(seat.pass()).isTrue();
    assertThat(driver.passes).isEqualTo(1);
    assertThat(driver.dispatches).isEqualTo(1);
    assertThat(seat.isFree()).isTrue();
  }

  @Test
  void kr30_aPassThatFailsIsDispatchedAndLeavesTheTurnFree() {
    driver.failing = true;
    assertThatThrownBy(seat::pass).isInstanceOf(StackOverflowError.class);
    assertThat(driver.dispatches).isEqualTo(1);
    assertThat(seat.isFree()).isTrue();
  }

  @Test
  void kr28_theCandidateThatCameLastIsKicked() {
    seat.enlist(other);
    seat.enlist(waiter);
    seat.tryTake(new Waiter(Thread.currentThread()));
    seat.promote();
    assertThat(isKicked(waiter)).as("somebody leads").isFalse();
    seat.release();
    assertThat(isKicked(waiter)).isTrue();
    assertThat(isKicked(other)).isFalse();
    seat.withdraw(waiter);
    assertThat(isKicked(other)).as("the next one, as that one leaves").isTrue();
  }

  @Test
  void kr28_aCandidateThatLeadsElsewhereIsPassedOver() {
    waiter.lead((Seat) new Counting().seat());
    seat.enlist(other);
    seat.enlist(waiter);
    seat.promote();
    assertThat(isKicked(waiter)).isFalse();
    assertThat(isKicked(other)).isTrue();
  }

  @Test
  void kr38_requestsAreLookedForAfterTheTurnWasGivenUp() {
    seat.tryTake(waiter);
    driver.flushesWanted = 2;
    seat.release();
    assertThat(driver.passes).isEqualTo(2);
    assertThat(driver.dispatches).isEqualTo(2);
    assertThat(seat.isFree()).isTrue();
  }

  @Test
  void kr38_aFlushIsMadeHereOrAskedOfTheHolder() {
    seat.flushIfRequested();
    assertThat(driver.passes).isZero();
    driver.flushesWanted = 1;
    seat.flushIfRequested();
    assertThat(driver.passes).isEqualTo(1);
    waiter.lead(seat);
    seat.tryTake(waiter);
    assertThat(waiter.trySelect()).isTrue();
    driver.flushesWanted = 1;
    seat.flushIfRequested();
    assertThat(driver.passes).isEqualTo(1);
    assertThat(driver.wakes).isEqualTo(1);
    seat.flushIfRequested();
    assertThat(driver.wakes).as("one wake for each sleep").isEqualTo(1);
  }

  @Test
  void kr33_aHolderThatIsAwakeIsNotWoken() {
    waiter.lead(seat);
    seat.tryTake(waiter);
    seat.kickHolder();
    assertThat(driver.wakes).isZero();
    assertThat(waiter.trySelect()).as("it looks again before it sleeps").isFalse();
    waiter.beginLook();
    assertThat(waiter.trySelect()).isTrue();
  }
}
