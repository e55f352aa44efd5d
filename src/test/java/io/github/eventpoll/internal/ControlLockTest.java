package io.github.eventpoll.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The control lock: one owner at a time, whatever threads say of themselves. */
class ControlLockTest {
  private final ControlLock lock = new ControlLock();

  /** A thread that says it has some number: {@code getId()} can be overridden. */
  private static final class Numbered extends Thread {
    private final long number;

    Numbered(long number, Runnable body) {
      super(body);
      this.number = number;
    }

    @Override
    @SuppressWarnings("deprecation") // since 19
    public long getId() {
      return number;
    }
  }

  private static <T> T in(long number, Callable<T> body) throws Exception {
    FutureTask<T> task = new FutureTask<>(body);
    new Numbered(number, task).start();
    return task.get();
  }

  @Test
  void theOwnerComesInAgain_andGivesItBackAsOften() throws Exception {
    lock.lock();
    lock.lock();
    assertThat(lock.tryLock()).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      assertThat(in(1, lock::tryLock)).isFalse();
      lock.unlock();
    }
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.isLocked()).isFalse();
    assertThat(lock.owner()).isZero();
  }

  @Test
  @SuppressWarnings("deprecation") // since 19
  void aThreadWithTheNumberOfTheOwnerIsNotTheOwner() throws Exception {
    lock.lock();
    long mine = Thread.currentThread().getId();
    assertThat(in(mine, lock::tryLock)).isFalse();
    assertThat(in(mine, lock::isHeldByCurrentThread)).isFalse();
    lock.unlock();
    assertThat(in(mine, lock::tryLock)).isTrue();
    assertThat(in(mine, lock::tryLock)).as("another thread of that number").isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void noThreadHasAFreeLock(long number) throws Exception {
    assertThat(in(number, lock::isHeldByCurrentThread)).isFalse();
  }
}
