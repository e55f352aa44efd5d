package io.github.eventpoll.examples.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.testkit.SourceContract;
import io.github.eventpoll.testkit.SourceFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The sources of docs/writing-a-source.md keep the contract, and do what they are for. */
class WritingASourceTest {
  // snippet: contract
  @Test
  void permitsKeepTheContract() {
    SourceContract.of(
            () -> {
              Permits permits = new Permits();
              return SourceFixture.of(permits)
                  .ready(Events.IN, () -> permits.release(1), permits::tryAcquire)
                  .closing(permits::close);
            })
        .checkAll();
  }

  // end snippet

  @Test
  void parcelsKeepTheContract() {
    SourceContract.of(
            () -> {
              Parcel<String> parcel = new Parcel<>();
              return SourceFixture.of(parcel)
                  .ready(Events.IN, () -> parcel.put("a"), parcel::take)
                  .ready(Events.OUT, parcel::take, () -> parcel.put("a"))
                  .closing(parcel::close);
            })
        .checkAll();
  }

  @Test
  void feedsKeepTheContract() {
    SourceContract.of(
            () -> {
              Feed<String> feed = new Feed<>(on -> {});
              return SourceFixture.of(feed)
                  .ready(Events.IN, () -> feed.publish("a"), feed::take)
                  .closing(feed::close);
            })
        .checkAll();
  }

  @Test
  void aPermitIsWaitedFor() throws Exception {
    Permits permits = new Permits();
    FutureTask<Void> waiting =
        new FutureTask<>(
            () -> {
              permits.acquire();
              return null;
            });
    Thread thread = new Thread(waiting, "waits for a permit");
    thread.setDaemon(true);
    thread.start();
    permits.release(1);
    waiting.get(60, TimeUnit.SECONDS);
    assertThat(permits.tryAcquire()).isFalse();
    assertThat(permits).hasToString("Permits[0]");
  }

  @Test
  void aFeedIsOnWhileSomebodyWantsIt() {
    List<Boolean> turns = new ArrayList<>();
    Feed<String> feed = new Feed<>(turns::add);
    try (EventPoll poll = EventPoll.create()) {
      EpItem item = poll.add(feed, Events.IN);
      item.modify(Events.OUT);
      item.modify(Events.IN | Events.ONESHOT);
      feed.publish("a");
      assertThat(poll.awaitNow(new ReadyEvents(1))).isOne();
      assertThat(turns).containsExactly(true, false, true, false);
      item.modify(Events.IN);
      item.remove();
      assertThat(turns).endsWith(true, false);
    }
  }
}
