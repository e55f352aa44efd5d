package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A completion that can be waited on: of any {@link CompletionStage}, such as a {@code
 * CompletableFuture}, and so of a process.
 *
 * <p>Ready for {@link Events#IN} once the stage is done, and for {@link Events#ERR} as well if it
 * failed or was cancelled; from then on for ever. The completion is one edge, the only one, of
 * which exclusive items hear as well, all of them. No call waits. Any thread may call everything;
 * no lock is taken.
 *
 * <p>Items are told in the thread that completes the stage, or in the one that calls {@link #of} if
 * the stage is done already. Closing the source does not cancel the stage, which keeps the source
 * in memory until it is done: stages do not let go of those who depend on them.
 *
 * <p>Memory consistency effects: what a thread did before it completed the stage is visible to the
 * thread that gets the event from an {@code await}, or finds the stage done here.
 *
 * @param <T> the stage's result
 * @since 0.1
 */
public final class CompletionSource<T> implements Pollable, AutoCloseable {
  /** How a stage ended. */
  private record Outcome<T>(@Nullable T result, @Nullable Throwable failure) {
    int readiness() {
      return failure == null ? Events.IN : Events.IN | Events.ERR;
    }
  }

  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME =
          MethodHandles.lookup().findVarHandle(CompletionSource.class, "outcome", Outcome.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WaitQueue queue = new WaitQueue();

  /** Null until the stage is done. By CAS from null: a stage that calls back twice is done once. */
  private volatile @Nullable Outcome<T> outcome;

  private CompletionSource() {}

  /**
   * Makes a source of a stage.
   *
   * @param stage any stage, done or not
   * @param <T> the stage's result
   * @return a new source
   */
  public static <T> CompletionSource<T> of(CompletionStage<T> stage) {
    CompletionSource<T> source = new CompletionSource<>();
    var unused = stage.whenComplete(source::complete);
    return source;
  }

  /**
   * Makes a source of the end of a process.
   *
   * @param process the process, running or not
   * @return a new source, whose result is the exit value
   */
  public static CompletionSource<Integer> ofExit(Process process) {
    return of(process.onExit().thenApply(Process::exitValue));
  }

  /**
   * Makes a source of the end of any process, also of one that this one has not started. Its exit
   * value is not known.
   *
   * @param process the process, running or not
   * @return a new source, whose result is the handle
   * @throws IllegalStateException if it is the current process
   */
  public static CompletionSource<ProcessHandle> ofExit(ProcessHandle process) {
    return of(process.onExit());
  }

  private void complete(@Nullable T result, @Nullable Throwable failure) {
    Outcome<T> done = new Outcome<>(result, failure == null ? null : unwrapped(failure));
    if (OUTCOME.compareAndSet(this, null, done)) {
      queue.wakeAll(done.readiness()); // MO-ADD-1, MO-MOD-1: the state was exchanged
    }
  }

  /** What a stage that depends on others says of their failure is wrapped. */
  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /**
   * Tells whether the stage is done, with a result or a failure.
   *
   * @return true once it is
   */
  public boolean isDone() {
    return outcome != null;
  }

  /**
   * What the stage has resulted in.
   *
   * @return the result, which may be null
   * @throws IllegalStateException if the stage is not done
   * @throws CompletionException if the stage failed or was cancelled, with the reason as its cause
   */
  public @Nullable T result() {
    Outcome<T> done = outcome;
    if (done == null) {
      throw new IllegalStateException(this + " is not done");
    }
    if (done.failure != null) {
      throw new CompletionException(done.failure);
    }
    return done.result;
  }

  /**
   * Why the stage has failed; a {@link java.util.concurrent.CancellationException} if it was
   * cancelled. A {@link CompletionException} around the reason is taken off.
   *
   * @return the reason; null if the stage is not done or has a result
   */
  public @Nullable Throwable failure() {
    Outcome<T> done = outcome;
    return done == null ? null : done.failure;
  }

  @Override
  public int readiness() {
    Outcome<T> done = outcome;
    return done == null ? 0 : done.readiness();
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    return ORDERED_STATE;
  }

  /**
   * Closes the source: it leaves every poll, and threads that wait on it alone are woken with HUP.
   * The stage is not cancelled, and its end can still be asked for here. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    queue.close();
  }

  @Override
  public String toString() {
    Outcome<T> done = outcome;
    String state = done == null ? "not done" : done.failure == null ? "done" : "failed";
    return "CompletionSource[" + state + "]";
  }
}
