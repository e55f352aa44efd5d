package io.github.eventpoll;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A source whose state, bell and answers a test sets one by one. State is volatile; storing and
 * ringing can be done apart.
 */
final class Scripted implements Pollable {
  private final WaitQueue queue = new WaitQueue();
  private final Queue<IntUnaryOperator> whenAsked = new ArrayDeque<>();
  private final int traits;
  private volatile int state;
  private volatile @Nullable Runnable whenDelivered;
  private volatile @Nullable Runnable whenTraits;

  Scripted() {
    this(0);
  }

  Scripted(int traits) {
    this.traits = traits;
  }

  /** Stores a state and rings with its bits. */
  void ready(int bits) {
    store(bits);
    ring(bits);
  }

  /** Stores a state and is silent. */
  void store(int bits) {
    state = bits;
  }

  /** Rings without a change. */
  void ring(int key) {
    queue.wake(key);
  }

  /** The next one who asks meets this. */
  void failOnce(Throwable thrown) {
    onceWhenAsked(() -> Scripted.<RuntimeException>raise(thrown));
  }

  /** Whoever asks the next time does this first. */
  void onceWhenAsked(Runnable action) {
    whenAsked(
        before -> {
          action.run();
          return state;
        });
  }

  /** Whoever asks the next time gets the old answer, and this happens before he has it. */
  void readyJustAfterItIsAsked(int bits) {
    whenAsked(
        before -> {
          ready(bits);
          return before;
        });
  }

  private void whenAsked(IntUnaryOperator answer) {
    synchronized (whenAsked) {
      whenAsked.add(answer);
    }
  }

  /** Whoever delivers an event does this. */
  void whenDelivered(Runnable action) {
    whenDelivered = action;
  }

  /** Whoever registers this source does this before. */
  void whenTraits(Runnable action) {
    whenTraits = action;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public int readiness() {
    IntUnaryOperator answer;
    synchronized (whenAsked) {
      answer = whenAsked.poll();
    }
    int seen = state;
    return answer == null ? seen : answer.applyAsInt(seen);
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    Runnable action = whenTraits;
    if (action != null) {
      action.run();
    }
    return traits;
  }

  @Override
  public void delivered(int bits) {
    Runnable action = whenDelivered;
    if (action != null) {
      action.run();
    }
  }

  @Override
  public String toString() {
    return "Scripted";
  }
}
