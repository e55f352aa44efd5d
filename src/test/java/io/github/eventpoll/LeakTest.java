package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** I-62, I-91, I-92, S074: what has left a poll is not kept reachable by it. */
@EveryPath
class LeakTest {
  private final EventPoll poll = Polls.create();
  private final ReadyEvents ready = new ReadyEvents(16);

  /**
   * Lets a source that was ready, queued and delivered go, in some way, and expects it collected.
   */
  private void assertCollectedAfter(Consumer<FakeSource> leaving) {
    assertCollected(enterAndLeave(leaving));
  }

  private void assertCollected(WeakReference<Object> gone) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (gone.get() != null) {
      assertThat(System.nanoTime() - limit).as("still reachable").isNegative();
      System.gc();
      Thread.onSpinWait();
    }
    Reference.reachabilityFence(poll);
    Reference.reachabilityFence(ready);
  }

  private WeakReference<Object> enterAndLeave(Consumer<FakeSource> leaving) {
    FakeSource source = FakeSource.tracking("source");
    poll.add(source, Events.IN);
    source.become(Events.IN);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    leaving.accept(source);
    assertThat(poll.awaitNow(ready)).isZero();
    return new WeakReference<>(source);
  }

  @Test
  void afterRemove() {
    assertCollectedAfter(source -> poll.find(source).remove());
  }

  @Test
  void afterTheSourceHasClosed() {
    assertCollectedAfter(FakeSource::close);
  }

  @Test
  void afterTheSourceHasClosedItselfWhileAsked() {
    assertCollectedAfter(
        source -> {
          source.whenAsked(source::close);
          assertThat(Taken.now(poll)).isEmpty();
        });
  }

  @Test
  void afterItFailedAndWasRemoved() {
    assertCollectedAfter(
        source -> {
          source.failWith(new IllegalStateException("thrown by the source"));
          assertThat(Taken.now(poll)).containsExactly("source ERR");
          poll.find(source).remove();
        });
  }

  @Test
  void anAttachmentThatWasReplaced() {
    FakeSource source = FakeSource.ready("source", Events.IN);
    assertCollected(replacedAttachment(source));
    assertThat(poll.find(source).isValid()).isTrue();
  }

  private WeakReference<Object> replacedAttachment(FakeSource source) {
    Object attachment = new Object();
    EpItem item = poll.add(source, Events.IN, attachment);
    poll.awaitNow(ready);
    item.modify(Events.IN, "new");
    poll.awaitNow(ready);
    return new WeakReference<>(attachment);
  }

  @Test
  void anInnerPollThatHasClosed() {
    assertCollected(closedInnerPoll());
  }

  private WeakReference<Object> closedInnerPoll() {
    EventPoll inner = Polls.create();
    inner.add(FakeSource.ready("source", Events.IN), Events.IN);
    poll.add(inner, Events.IN);
    assertThat(poll.awaitNow(ready)).isEqualTo(1);
    inner.close();
    assertThat(poll.awaitNow(ready)).isZero();
    return new WeakReference<>(inner);
  }
}
