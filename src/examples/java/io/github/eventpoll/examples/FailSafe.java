package io.github.eventpoll.examples;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A guard over a whole run: should it hang, the guard tells what it looks like and ends the JVM.
 */
final class FailSafe {
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread guard;

  private FailSafe(String name, Duration limit, Supplier<String> dump, PrintStream out) {
    guard = new Thread(() -> watch(limit, dump, out), name + "-guard");
    guard.setDaemon(true);
  }

  /** Begins to watch; whoever has begun calls {@link #end}. */
  static FailSafe begin(String name, Duration limit, Supplier<String> dump, PrintStream out) {
    FailSafe begun = new FailSafe(name, limit, dump, out);
    begun.guard.start();
    return begun;
  }

  private void watch(Duration limit, Supplier<String> dump, PrintStream out) {
    try {
      if (!over.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        out.println("the example hangs; its poll:\n" + dump.get());
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      // Maven does this to threads that are left over.
    }
  }

  void end() throws InterruptedException {
    over.countDown();
    guard.join();
  }
}
