package io.github.eventpoll.source;

import io.github.eventpoll.Events;
import io.github.eventpoll.testkit.SourceContract;
import io.github.eventpoll.testkit.SourceFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Pipes, completions, subscriptions and levels keep the contract of sources. */
class SourcesContractTest {
  private static final int PAGE = BytePipe.PAGE;

  private static final Map<String, Callable<SourceFixture>> KINDS =
      Map.of(
          "UserSource", SourcesContractTest::user,
          "BytePipe.ReadEnd", SourcesContractTest::readEnd,
          "BytePipe.WriteEnd", SourcesContractTest::writeEnd,
          "CompletionSource", SourcesContractTest::completion,
          "failed CompletionSource", SourcesContractTest::failure,
          "asynchronous CompletionSource", SourcesContractTest::asynchronous,
          "FlowSource", SourcesContractTest::flow);

  @TestFactory
  Stream<DynamicTest> contract() {
    return KINDS.entrySet().stream()
        .flatMap(
            kind ->
                SourceContract.of(kind.getValue()).checks().entrySet().stream()
                    .map(
                        check ->
                            DynamicTest.dynamicTest(
                                kind.getKey() + " " + check.getKey(), check.getValue()::run)));
  }

  private static SourceFixture user() {
    UserSource source = UserSource.create();
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.set(Events.IN), () -> source.clear(Events.IN))
        .ready(
            Events.OUT | Events.PRI,
            () -> source.update(Events.OUT | Events.PRI, Events.IN),
            () -> source.take(Events.OUT | Events.PRI))
        .readyForGood(Events.ERR, () -> source.set(Events.ERR))
        .closing(source::close);
  }

  private static SourceFixture readEnd() {
    BytePipe pipe = BytePipe.create(1);
    BytePipe.ReadEnd end = pipe.readEnd();
    return SourceFixture.of(end)
        .ready(
            Events.IN | Events.RDNORM,
            () -> pipe.writeEnd().tryWrite(ByteBuffer.allocate(1)),
            () -> end.tryRead(ByteBuffer.allocate(PAGE)))
        .readyForGood(Events.HUP, pipe.writeEnd()::close)
        .closing(end::close);
  }

  private static SourceFixture writeEnd() {
    BytePipe pipe = BytePipe.create(1);
    BytePipe.WriteEnd end = pipe.writeEnd();
    return SourceFixture.of(end)
        .ready(
            Events.OUT | Events.WRNORM,
            () -> pipe.readEnd().tryRead(ByteBuffer.allocate(PAGE)),
            () -> end.tryWrite(ByteBuffer.allocate(PAGE)))
        .readyForGood(Events.ERR, pipe.readEnd()::close)
        .closing(end::close);
  }

  private static SourceFixture completion() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletionSource<String> source = CompletionSource.of(stage);
    return SourceFixture.of(source)
        .readyForGood(Events.IN, () -> stage.complete("result"))
        .closing(source::close);
  }

  private static SourceFixture failure() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletionSource<String> source = CompletionSource.of(stage);
    return SourceFixture.of(source)
        .readyForGood(
            Events.IN | Events.ERR, () -> stage.completeExceptionally(new IOException("no")))
        .closing(source::close);
  }

  private static SourceFixture asynchronous() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletionSource<String> source = CompletionSource.of(stage.thenApplyAsync(s -> s));
    return SourceFixture.of(source)
        .asynchronous()
        .readyForGood(Events.IN, () -> stage.complete("result"))
        .closing(source::close);
  }

  private static SourceFixture flow() {
    FlowSource<Integer> source =
        FlowSource.of(
            subscriber ->
                subscriber.onSubscribe(
                    new Flow.Subscription() {
                      @Override
                      public void request(long n) {}

                      @Override
                      public void cancel() {}
                    }),
            2);
    return SourceFixture.of(source)
        .ready(Events.IN, () -> source.onNext(1), () -> source.drain(e -> {}, 2))
        .readyForGood(Events.ERR | Events.HUP, () -> source.onError(new IOException("no")))
        .closing(source::close);
  }
}
