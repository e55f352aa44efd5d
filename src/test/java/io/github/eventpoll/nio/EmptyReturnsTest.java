package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A selector that keeps returning at once with nothing. */
@EveryPath
class EmptyReturnsTest extends ChannelTest {
  private final CountingProvider provider = new CountingProvider();
  private final ChannelDriver driver = ChannelDriver.open(provider);
  private final EventPoll own = closedLater(driver.poll(Polls.builder()));

  @Test
  @DisplayName("S172, I-67, I-68, I-70, NOTES 35, 37: it is replaced, and all items survive")
  void s172_replaced() throws Exception {
    List<Link> links = new ArrayList<>();
    provider.broken = true;
    for (int i = 0; i < 20; i++) {
      links.add(link());
      own.add(ChannelSource.of(links.get(i).ours), Events.IN | Events.ONESHOT, i);
    }
    provider.broken = false;
    Sleeper sleeper = Sleeper.started(own, EventPoll::await);
    Sleeper.until(() -> driver.replacements() == 1, "the replacement");
    assertThat(driver.emptyReturns()).isGreaterThanOrEqualTo(512);
    assertThat(provider.selectors).hasValue(2);
    Sleeper.until(() -> provider.openSelectors.get() == 1, "the old one to be closed");
    for (Link link : links) {
      link.send(1);
    }
    List<String> seen = new ArrayList<>(sleeper.events());
    while (seen.size() < 20) {
      seen.addAll(await(own));
    }
    assertThat(seen).hasSize(20).doesNotHaveDuplicates();
    assertThat(driver.replacements()).isOne();
  }

  @Test
  @DisplayName("S172: one that is replaced by one as bad goes on being replaced, and leaks nothing")
  void s172_againAndAgain() throws Exception {
    provider.broken = true;
    Link link = link();
    own.add(ChannelSource.of(link.ours), Events.IN, "c");
    Sleeper sleeper = Sleeper.started(own, EventPoll::await);
    Sleeper.until(() -> driver.replacements() >= 5, "replacements");
    provider.broken = false;
    link.send(1);
    assertThat(sleeper.events()).containsExactly("c IN");
    assertThat(provider.openSelectors).hasValue(1);
    own.close();
    assertThat(provider.openSelectors).hasValue(0);
  }

  @Test
  @DisplayName(
      "S172: where no other can be opened it stays, is not counted as replaced, and is later")
  void s172_noOtherToBeHad() throws Exception {
    provider.broken = true;
    Link link = link();
    own.add(ChannelSource.of(link.ours), Events.IN, "c");
    provider.broken = false;
    provider.refuseSelectors = true;
    Sleeper sleeper = Sleeper.started(own, EventPoll::await);
    Sleeper.until(() -> driver.emptyReturns() >= 2 * 512, "two attempts");
    assertThat(driver.replacements()).isZero();
    provider.refuseSelectors = false;
    Sleeper.until(() -> driver.replacements() == 1, "the replacement");
    assertThat(provider.selectors).hasValue(2);
    link.send(1);
    assertThat(sleeper.events()).containsExactly("c IN");
  }

  @Test
  @DisplayName("KR-42: wakes, timeouts, interrupts and looks are no fault of the selector")
  void innocentReturns() throws Exception {
    own.add(ChannelSource.of(link().ours), Events.IN, "c");
    for (int i = 0; i < 600; i++) {
      now(own);
    }
    for (int i = 0; i < 20; i++) {
      own.awaitNanos(ready, 1_000_000);
      Sleeper sleeper = Sleeper.on(own);
      own.wakeup();
      sleeper.events();
      Sleeper interrupted = Sleeper.on(own);
      interrupted.interruptUntil(interrupted::isDone);
    }
    assertThat(driver.emptyReturns()).isLessThan(30);
    assertThat(driver.replacements()).isZero();
    assertThat(provider.selectors).hasValue(1);
  }
}
