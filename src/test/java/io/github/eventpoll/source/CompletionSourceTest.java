package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.scenarios.SleepingWaiter;
import io.github.eventpoll.scenarios.Taken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stages that end, in one poll. */
@EveryPath
class CompletionSourceTest {
  private final CompletableFuture<String> stage = new CompletableFuture<>();
  private final CompletionSource<String> source = CompletionSource.of(stage);
  private final EventPoll poll = Polls.create();

  @Test
  void readyOnceTheStageIsDone() {
    poll.add(source, Events.IN, "stage");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source.isDone()).isFalse();
    assertThat(source.failure()).isNull();
    assertThatIllegalStateException()
        .isThrownBy(source::result)
        .withMessage("CompletionSource[not done] is not done");
    stage.complete("result");
    assertThat(source.isDone()).isTrue();
    assertThat(source.result()).isEqualTo("result");
    assertThat(source.failure()).isNull();
    assertThat(Taken.now(poll)).containsExactly("stage IN");
    assertThat(Taken.now(poll)).as("it stays done").containsExactly("stage IN");
    assertThat(source).hasToString("CompletionSource[done]");
  }

  @Test
  void theCompletionIsOneEdge() {
    poll.add(source, Events.IN | Events.ET, "stage");
    stage.complete("first");
    stage.complete("second");
    stage.obtrudeValue("third");
    assertThat(Taken.now(poll)).containsExactly("stage IN");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source.result()).isEqualTo("first");
  }

  @Test
  void everyExclusiveItemHearsOfIt() throws Exception {
    List<EventPoll> polls = List.of(Polls.create(), Polls.create());
    List<SleepingWaiter> waiters = new ArrayList<>();
    for (EventPoll each : polls) {
      each.add(source, Events.IN | Events.EXCLUSIVE, "stage");
      waiters.add(SleepingWaiter.on(each));
    }
    stage.complete("result");
    for (SleepingWaiter waiter : waiters) {
      assertThat(waiter.events()).containsExactly("stage IN");
    }
  }

  @Test
  void aStageThatIsDoneAlready() {
    CompletionSource<String> done = CompletionSource.of(CompletableFuture.completedStage("done"));
    assertThat(done.readiness()).isEqualTo(Events.IN);
    poll.add(done, Events.IN | Events.ET, "done");
    assertThat(Taken.now(poll)).containsExactly("done IN");
    assertThat(done.result()).isEqualTo("done");
    CompletionSource<String> failed =
        CompletionSource.of(CompletableFuture.failedStage(new IOException("no")));
    assertThat(failed.readiness()).isEqualTo(Events.IN | Events.ERR);
  }

  @Test
  void aResultMayBeNull() {
    stage.complete(null);
    assertThat(source.isDone()).isTrue();
    assertThat(source.result()).isNull();
    assertThat(source.readiness()).isEqualTo(Events.IN);
  }

  @Test
  void aFailureIsAnErrorWithItsReason() {
    IOException reason = new IOException("no");
    CompletionSource<Integer> dependent = CompletionSource.of(stage.thenApply(String::length));
    poll.add(source, 0, "stage");
    poll.add(dependent, Events.IN, "dependent");
    stage.completeExceptionally(reason);
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("stage ERR", "dependent IN|ERR");
    for (CompletionSource<?> each : List.of(source, dependent)) {
      assertThat(each.isDone()).isTrue();
      assertThat(each.failure()).isSameAs(reason);
      assertThatThrownBy(each::result).isInstanceOf(CompletionException.class).hasCause(reason);
      assertThat(each).hasToString("CompletionSource[failed]");
    }
  }

  @Test
  void aReasonThatIsAnEmptyWrapperIsKept() {
    CompletionException reason = new CompletionException("alone", null);
    stage.completeExceptionally(reason);
    assertThat(source.failure()).isSameAs(reason);
  }

  @Test
  void aCancelledStageHasFailed() {
    stage.cancel(false);
    assertThat(source.readiness()).isEqualTo(Events.IN | Events.ERR);
    assertThat(source.failure()).isInstanceOf(CancellationException.class);
  }

  @Test
  void closingDoesNotCancelTheStage() {
    EpItem item = poll.add(source, Events.IN, "stage");
    source.close();
    source.close();
    assertThat(item.isValid()).isFalse();
    assertThat(stage.isDone()).isFalse();
    stage.complete("late");
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(source.result()).isEqualTo("late");
  }

  @Test
  void nullIsNoStage() {
    assertThatNullPointerException().isThrownBy(() -> CompletionSource.of(null));
  }

  /** Not what a stage may do, but any class may be one. */
  @Test
  void aStageThatCallsBackTwiceIsDoneOnce() {
    CompletionSource<String> twice =
        CompletionSource.of(
            new CompletableFuture<>() {
              @Override
              public CompletableFuture<String> whenComplete(
                  BiConsumer<? super @Nullable String, ? super @Nullable Throwable> action) {
                action.accept("first", null);
                action.accept(null, new IOException("second"));
                return this;
              }
            });
    assertThat(twice.result()).isEqualTo("first");
    assertThat(twice.readiness()).isEqualTo(Events.IN);
  }

  @Test
  void aStageThatCannotBeWatchedSaysSo() {
    CompletionStage<String> stubborn =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(
              BiConsumer<? super @Nullable String, ? super @Nullable Throwable> action) {
            throw new UnsupportedOperationException("not this one");
          }
        };
    assertThatThrownBy(() -> CompletionSource.of(stubborn)).hasMessage("not this one");
  }
}
