package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.scenarios.Taken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watch quotas: per poll and per process, exact, and given back however an item ends. */
@EveryPath
class WatchQuotaTest {
  private final WatchQuota process = new WatchQuota("all of us", 3);

  private EventPoll poll(EventPollBuilder settings) {
    settings.processQuota = process;
    return settings.build();
  }

  private static FakeSource source() {
    return FakeSource.ready("source", Events.IN);
  }

  @Test
  void ofAPoll() {
    EventPoll poll = poll(Polls.builder().maxWatches(2));
    EpItem first = poll.add(source(), Events.IN);
    poll.add(source(), Events.IN);
    refused(Errno.ENOSPC, () -> poll.add(source(), Events.IN), "source", poll + " may watch 2");
    assertThat(poll.size()).isEqualTo(2);
    assertThat(Taken.now(poll)).hasSize(2);
    first.remove();
    poll.add(source(), Events.IN);
    refused(Errno.ENOSPC, () -> poll.add(source(), Events.IN));
  }

  @Test
  void ofTheProcessOverAllPolls() {
    EventPoll one = poll(Polls.builder());
    EventPoll two = poll(Polls.builder());
    one.add(source(), Events.IN);
    two.add(source(), Events.IN);
    FakeSource third = source();
    two.add(third, Events.IN);
    refused(Errno.ENOSPC, () -> one.add(source(), Events.IN), "source", "all of us may watch 3");
    refused(Errno.ENOSPC, () -> two.add(one, Events.IN), one, "all of us may watch 3");
    third.close();
    one.add(source(), Events.IN);
    refused(Errno.ENOSPC, () -> one.add(source(), Events.IN));
    two.close();
    one.add(source(), Events.IN);
  }

  @Test
  void aRefusalByThePollTakesNothingFromTheProcess() {
    EventPoll small = poll(Polls.builder().maxWatches(1));
    small.add(source(), Events.IN);
    for (int i = 0; i < 5; i++) {
      refused(Errno.ENOSPC, () -> small.add(source(), Events.IN), small);
    }
    assertThat(process.tryTake()).isTrue();
    assertThat(process.tryTake()).isTrue();
    assertThat(process.tryTake()).isFalse();
  }

  @Test
  void aRefusedAddDoesNotTouchTheSource() {
    EventPoll poll = poll(Polls.builder().maxWatches(1));
    poll.add(source(), Events.IN);
    FakeSource refused = FakeSource.tracking("refused");
    refused(Errno.ENOSPC, () -> poll.add(refused, Events.IN));
    assertThat(refused.asked()).isZero();
    assertThat(refused.told()).isEmpty();
    assertThat(refused.waitQueue().hasEntries()).isFalse();
    assertThat(poll.find(refused)).isNull();
  }

  @Test
  void everyTagCounts() {
    EventPoll poll = poll(Polls.builder());
    FakeSource source = source();
    List<EpItem> items = new ArrayList<>();
    for (int tag = 0; tag < 3; tag++) {
      items.add(poll.add(source, tag, Events.IN, null));
    }
    refused(Errno.ENOSPC, () -> poll.add(source, 3, Events.IN, null));
    refused(Errno.EEXIST, () -> poll.add(source, 2, Events.IN, null));
    source.close();
    assertThat(items).noneMatch(EpItem::isValid);
    for (int i = 0; i < 3; i++) {
      poll.add(source(), Events.IN);
    }
  }

  @Test
  void disarmedItemsCount() {
    EventPoll poll = poll(Polls.builder().maxWatches(1));
    poll.add(source(), Events.IN | Events.ONESHOT);
    assertThat(Taken.now(poll)).hasSize(1);
    refused(Errno.ENOSPC, () -> poll.add(source(), Events.IN));
  }

  @Test
  void aLimitBelowOneIsRefused() {
    refused(Errno.EINVAL, () -> Polls.builder().maxWatches(0), "limit of 0");
    refused(Errno.EINVAL, () -> Polls.builder().maxWatches(-5), "limit of -5");
  }

  @Test
  void withoutSettingThereIsNone() {
    assertThat(Polls.builder().maxWatches).isEqualTo(Long.MAX_VALUE);
    assertThat(WatchQuota.PROCESS).as("no system property in tests").isNull();
  }
}
