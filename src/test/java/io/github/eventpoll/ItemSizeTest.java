package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.source.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.GraphLayout;

/** P8, P9: what an item and a sleep cost in memory, with compressed references. */
class ItemSizeTest {
  private static final int ITEMS = 10_000;

  static {
    // Comparators are lambdas, and the layout of hidden classes is not to be had otherwise.
    System.setProperty("jol.magicFieldOffset", "true");
  }

  @Test
  void anItemIs56Bytes() {
    assertThat(ClassLayout.parseClass(EpItem.class).instanceSize()).isEqualTo(56);
  }

  @Test
  void aSleepAllocatesAtMost64Bytes() {
    assertThat(ClassLayout.parseClass(Waiter.class).instanceSize()).isLessThanOrEqualTo(64);
  }

  @Test
  void anIdleItemRetainsAtMost96Bytes() {
    List<EventFd> sources = new ArrayList<>();
    try (EventPoll poll = Polls.create()) {
      for (int i = 0; i < ITEMS; i++) {
        EventFd source = EventFd.create();
        sources.add(source);
        poll.add(source, Events.IN);
      }
      assertThat(retained(poll) / (double) ITEMS).isLessThanOrEqualTo(96);
    }
  }

  /** All that is reachable from the poll, but for the sources themselves. */
  private static long retained(EventPoll poll) {
    GraphLayout graph = GraphLayout.parseInstance(poll);
    Set<Class<?>> ofTheSource = Set.of(EventFd.class, WaitQueue.class);
    return graph.getClasses().stream()
        .filter(type -> !ofTheSource.contains(type))
        .mapToLong(type -> graph.getClassSizes().count(type))
        .sum();
  }
}
