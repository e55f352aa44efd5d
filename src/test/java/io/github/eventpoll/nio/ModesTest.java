package io.github.eventpoll.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Level-triggered, edge-triggered and one-shot watching of sockets and pipes. */
@EveryPath
class ModesTest extends ChannelTest {
  private static final String IN = "a IN";

  private Link link;
  private ChannelSource source;

  private EpItem watch(int mask) throws IOException {
    link = link();
    source = ChannelSource.of(link.ours);
    return poll.add(source, mask, "a");
  }

  @Test
  void level_isReportedUntilReadEmpty() throws Exception {
    watch(Events.IN);
    assertThat(now()).isEmpty();
    link.send(3);
    assertThat(await()).containsExactly(IN);
    assertThat(await()).containsExactly(IN);
    assertThat(read(source, 2)).isEqualTo(2);
    assertThat(await()).containsExactly(IN);
    assertThat(read(source, 1)).isEqualTo(1);
    assertThat(now()).isEmpty();
  }

  @Test
  void level_needsNoInputThroughTheSource() throws Exception {
    watch(Events.IN);
    link.send(3);
    assertThat(await()).containsExactly(IN);
    assertThat(link.ours.read(ByteBuffer.allocate(9))).isEqualTo(3);
    assertThat(now()).isEmpty();
    link.send(1);
    assertThat(await()).containsExactly(IN);
  }

  @Test
  void edge_isReportedAgainAfterWouldBlock() throws Exception {
    watch(Events.IN | Events.ET);
    link.send(2);
    assertThat(await()).containsExactly(IN);
    assertThat(now()).isEmpty();
    assertThat(read(source, 2)).isEqualTo(2);
    assertThat(read(source, 2)).isZero();
    assertThat(now()).isEmpty();
    link.send(1);
    assertThat(await()).containsExactly(IN);
  }

  @Test
  @DisplayName("NOTES 55: data that comes after a short read, before would-block, is an edge")
  void edge_isReportedAgainAfterAShortRead() throws Exception {
    watch(Events.IN | Events.ET);
    link.send(2);
    assertThat(await()).containsExactly(IN);
    assertThat(read(source, 100)).isEqualTo(2);
    link.send(1);
    assertThat(await()).containsExactly(IN);
  }

  @Test
  void edge_isReportedAgainAfterModify() throws Exception {
    EpItem item = watch(Events.IN | Events.ET);
    link.send(2);
    assertThat(await()).containsExactly(IN);
    item.modify(Events.IN | Events.ET);
    assertThat(await()).containsExactly(IN);
    assertThat(now()).isEmpty();
  }

  @Test
  void edge_out_isReportedWhenThereIsRoomAgain() throws Exception {
    watch(Events.OUT | Events.ET);
    assertThat(await()).containsExactly("a OUT");
    assertThat(now()).isEmpty();
    long written = fill();
    assertThat(now()).isEmpty();
    for (ByteBuffer to = ByteBuffer.allocate(1 << 16); written > 0; to.clear()) {
      written -= link.peer.read(to);
    }
    assertThat(await()).containsExactly("a OUT");
  }

  private long fill() throws IOException {
    long written = 0;
    for (ByteBuffer from = ByteBuffer.allocate(1 << 16); ; from.clear()) {
      int now = source.write(from);
      written += now;
      if (now == 0) {
        return written;
      }
    }
  }

  @Test
  void level_inAndOut_areToldApart() throws Exception {
    watch(Events.IN | Events.OUT);
    assertThat(await()).containsExactly("a OUT");
    link.send(1);
    Sleeper.until(() -> now().contains("a IN|OUT"), "IN|OUT");
    fill();
    Sleeper.until(() -> now().contains(IN), "IN alone");
  }

  @Test
  void oneShot_isReportedOnceForEachModify() throws Exception {
    EpItem item = watch(Events.IN | Events.ONESHOT);
    link.send(2);
    for (int i = 0; i < 3; i++) {
      assertThat(await()).containsExactly(IN);
      assertThat(now()).isEmpty();
      assertThat(item.isArmed()).isFalse();
      item.modify(Events.IN | Events.ONESHOT);
    }
    assertThat(read(source, 9)).isEqualTo(2);
    assertThat(now()).isEmpty();
  }

  @Test
  @DisplayName(
      "KR-31: level, edge and one-shot items on one channel do not take each other's events")
  void itemsOfAllModesOnOneChannel() throws Exception {
    watch(Events.IN);
    poll.add(source, 1, Events.IN | Events.ET, "edge");
    EpItem once = poll.add(source, 2, Events.IN | Events.ONESHOT, "once");
    link.send(1);
    assertThat(await()).contains("edge IN", "once IN", IN);
    assertThat(await()).containsExactly(IN);
    assertThat(read(source, 9)).isEqualTo(1);
    assertThat(now()).isEmpty();
    once.modify(Events.IN | Events.ONESHOT);
    link.send(1);
    assertThat(await()).containsExactlyInAnyOrder("edge IN", "once IN", IN);
  }

  @Test
  @DisplayName("two level items on one channel, in a batch of one: both have their turn (S062)")
  void levelItemsOnOneChannel_doNotStarveEachOther() throws Exception {
    watch(Events.IN);
    poll.add(source, 1, Events.IN, "b");
    link.send(1);
    ReadyEvents one = new ReadyEvents(1);
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < 6; i++) {
      assertThat(poll.await(one, LONG)).isOne();
      seen.add(one.attachment(0));
    }
    assertThat(seen).containsExactlyInAnyOrder("a", "b");
    assertThat(await()).containsExactlyInAnyOrder("a IN", "b IN");
  }

  @Test
  void modify_toAnotherDirection() throws Exception {
    EpItem item = watch(Events.IN);
    item.modify(Events.OUT);
    link.send(1);
    assertThat(await()).containsExactly("a OUT");
    item.modify(0);
    assertThat(now()).isEmpty();
    item.modify(Events.IN, "b");
    assertThat(await()).containsExactly("b IN");
  }

  @Test
  void pipes() throws Exception {
    Pipe pipe = pipe();
    ChannelSource in = ChannelSource.of(pipe.source());
    ChannelSource out = ChannelSource.of(pipe.sink());
    poll.add(in, Events.IN, "in");
    EpItem writable = poll.add(out, Events.OUT, "out");
    assertThat(await()).containsExactly("out OUT");
    writable.remove();
    assertThat(now()).isEmpty();
    assertThat(out.write(ByteBuffer.allocate(5))).isEqualTo(5);
    assertThat(await()).containsExactly("in IN");
    assertThat(read(in, 5)).isEqualTo(5);
    assertThat(now()).isEmpty();
  }

  @Test
  void setUserReady_isAddedToWhatTheSelectorSays() throws Exception {
    watch(Events.IN);
    Sleeper sleeper = Sleeper.on(poll);
    source.setUserReady(Events.IN);
    assertThat(sleeper.events()).containsExactly(IN);
    assertThat(await()).containsExactly(IN);
    source.setUserReady(0);
    assertThat(now()).isEmpty();
    link.send(1);
    assertThat(await()).containsExactly(IN);
  }

  @Test
  void of_isCanonical() throws Exception {
    watch(Events.IN);
    assertThat(ChannelSource.of(link.ours)).isSameAs(source);
    assertThat(ChannelSource.of(link.peer)).isNotSameAs(source);
    assertThat(source.channel()).isSameAs(link.ours);
  }
}
