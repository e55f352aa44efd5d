package io.github.eventpoll.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** KR-53: the lock of the rwlock variant: many share, one excludes, and nobody sleeps for ever. */
class SharedLockTest {
  private static final long FAIL_SAFE = TimeUnit.SECONDS.toNanos(30);

  private final SharedLock lock = new SharedLock();
  private final List<Thread> threads = new ArrayList<>();

  private Thread start(Runnable body) {
    Thread thread = new Thread(body, "locker-" + threads.size());
    threads.add(thread);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitParkedOn(Thread thread, Class<?> what) {
    long end = System.nanoTime() + FAIL_SAFE;
    for (; ; ) {
      Object on = LockSupport.getBlocker(thread);
      if (on != null && (on.getClass() == what || on.getClass().getEnclosingClass() == what)) {
        return;
      }
      assertThat(System.nanoTime() - end).as("%s should park on %s", thread, what).isNegative();
      assertThat(thread.isAlive()).as("%s should wait", thread).isTrue();
      Thread.yield();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(FAIL_SAFE));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(thread.isAlive()).as("left behind: %s", thread).isFalse();
  }

  @AfterEach
  void nobodyIsLeft() {
    threads.forEach(SharedLockTest::join);
  }

  @Test
  void severalShareAtOnce() {
    int mine = lock.lockShared();
    join(start(() -> lock.unlockShared(lock.lockShared()))); // while this thread is inside
    lock.unlockShared(mine);
    lock.lock();
    lock.unlock();
  }

  @Test
  void oneThatExcludesWaitsForAllThatShare_oneAfterTheOther() {
    List<Integer> cells = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      cells.add(lock.lockShared()); // the count of a cell, also of several threads on one
    }
    Thread excluder = start(this::exclude);
    for (int cell : cells) {
      awaitParkedOn(excluder, SharedLock.class);
      lock.unlockShared(cell);
    }
    join(excluder);
  }

  private void exclude() {
    lock.lock();
    lock.unlock();
  }

  @Test
  void whoComesAfterOneThatWaitsToExcludeWaitsToo() {
    int mine = lock.lockShared();
    Thread excluder = start(this::exclude);
    awaitParkedOn(excluder, SharedLock.class);
    Thread later = start(() -> lock.unlockShared(lock.lockShared()));
    awaitParkedOn(later, SpinLock.class);
    lock.unlockShared(mine);
    join(excluder);
    join(later);
  }

  @Test
  void sharersWaitForOneThatExcludes() {
    lock.lock();
    Thread first = start(() -> lock.unlockShared(lock.lockShared()));
    Thread second = start(this::exclude);
    awaitParkedOn(first, SpinLock.class);
    awaitParkedOn(second, SpinLock.class);
    lock.unlock();
    join(first);
    join(second);
  }

  @Test
  @DisplayName("an interrupt ends no wait, and its status is kept")
  void interrupts() {
    AtomicInteger kept = new AtomicInteger();
    Runnable count = () -> kept.getAndAdd(Thread.interrupted() ? 1 : 0);
    int mine = lock.lockShared();
    Thread excluder =
        start(
            () -> {
              exclude();
              count.run();
            });
    awaitParkedOn(excluder, SharedLock.class);
    Thread later =
        start(
            () -> {
              lock.unlockShared(lock.lockShared());
              count.run();
            });
    awaitParkedOn(later, SpinLock.class);
    for (int i = 0; i < 3; i++) {
      excluder.interrupt();
      later.interrupt();
      LockSupport.unpark(excluder); // and a wake for no reason
      awaitParkedOn(excluder, SharedLock.class);
      awaitParkedOn(later, SpinLock.class);
    }
    lock.unlockShared(mine);
    join(excluder);
    join(later);
    assertThat(kept).hasValue(2);
  }

  @Test
  @DisplayName("a sum that only exclusion, and publication both ways, makes come out right")
  void exclusionAndPublication() {
    int rounds = 20_000;
    int[] plain = new int[2];
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      all.add(
          start(
              () -> {
                for (int n = 0; n < rounds; n++) {
                  lock.lock();
                  plain[0]++;
                  plain[1]++;
                  lock.unlock();
                }
              }));
      all.add(
          start(
              () -> {
                for (int n = 0; n < rounds; n++) {
                  int cell = lock.lockShared();
                  if (plain[0] != plain[1]) {
                    wrong.getAndIncrement();
                  }
                  lock.unlockShared(cell);
                }
              }));
    }
    all.forEach(SharedLockTest::join);
    assertThat(wrong).hasValue(0);
    assertThat(plain).containsExactly(2 * rounds, 2 * rounds);
  }
}
