package io.github.eventpoll.scenarios;

import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.WaitQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A source of which a test decides everything: what it answers, when it rings, when it throws. */
public final class FakeSource implements Pollable, AutoCloseable {
  private final WaitQueue queue = new WaitQueue();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final String name;
  private final int traits;

  private volatile int bits;
  private volatile @Nullable Runnable whenAsked;
  private volatile @Nullable Runnable whenTold;
  private volatile @Nullable Runnable whenTraits;

  private FakeSource(String name, int bits, int traits) {
    this.name = name;
    this.bits = bits;
    this.traits = traits;
  }

  /** A source that is ready for nothing. */
  public static FakeSource idle(String name) {
    return new FakeSource(name, 0, 0);
  }

  /** A source that is ready for something from the start. */
  public static FakeSource ready(String name, int bits) {
    return new FakeSource(name, bits, 0);
  }

  /** An idle source that wants to know what is wanted of it and what was delivered. */
  public static FakeSource tracking(String name) {
    return new FakeSource(name, 0, TRACKS_INTEREST);
  }

  /** Changes the answer and tells nobody. */
  public void set(int newBits) {
    bits = newBits;
  }

  /** Changes the answer and rings with the same bits. */
  public void become(int newBits) {
    bits = newBits;
    queue.wake(newBits);
  }

  /** Rings without a change. */
  public void ring(int key) {
    queue.wake(key);
  }

  /** What to do inside {@code readiness()}, before the answer; null for nothing. */
  public void whenAsked(@Nullable Runnable action) {
    whenAsked = action;
  }

  /** What to do inside {@code interestChanged} and {@code delivered}, after the call is noted. */
  public void whenTold(@Nullable Runnable action) {
    whenTold = action;
  }

  /** What to do inside {@code traits()}. */
  public void whenTraits(@Nullable Runnable action) {
    whenTraits = action;
  }

  /** Makes {@code readiness()} throw this, whatever it is; null ends it. */
  public void failWith(@Nullable Throwable thrown) {
    whenAsked = thrown == null ? null : () -> sneak(thrown);
  }

  /** Throws anything anywhere. */
  @SuppressWarnings("unchecked")
  public static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** How often {@code readiness()} was called. */
  public int asked() {
    return asked.get();
  }

  /** The calls of {@code interestChanged} and {@code delivered}, oldest first. */
  public List<String> told() {
    return told;
  }

  /** The calls since this was last called. */
  public List<String> newlyTold() {
    List<String> news = List.copyOf(told);
    told.clear();
    return news;
  }

  @Override
  public int readiness() {
    asked.incrementAndGet();
    run(whenAsked);
    return bits;
  }

  @Override
  public WaitQueue waitQueue() {
    return queue;
  }

  @Override
  public int traits() {
    run(whenTraits);
    return traits;
  }

  @Override
  public void interestChanged(int wantedUnion) {
    told.add("wanted " + Events.toString(wantedUnion));
    run(whenTold);
  }

  @Override
  public void delivered(int deliveredBits) {
    told.add("delivered " + Events.toString(deliveredBits));
    run(whenTold);
  }

  private static void run(@Nullable Runnable action) {
    if (action != null) {
      action.run();
    }
  }

  @Override
  public void close() {
    queue.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
