package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.eventpoll.source.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S098: how many paths may lead from a source to polls that nobody watches. */
class PathLimitsTest {
  private static final int IN = Events.IN;

  private final EventFd source = EventFd.create();
  private final EventFd other = EventFd.create();

  private static EventPoll poll() {
    return EventPoll.create();
  }

  private static EventPoll limited(int two, int three, int four, int five) {
    return EventPoll.builder().pathLimits(two, three, four, five).build();
  }

  /** Refused with EINVAL, and without a trace. */
  private static String refused(EventPoll poll, Pollable added) {
    int size = poll.size();
    List<WaitEntry> entries = List.of(added.waitQueue().snapshot());
    EventPollArgumentException thrown =
        catchThrowableOfType(EventPollArgumentException.class, () -> poll.add(added, IN));
    assertThat(thrown).as("%s to %s is refused", added, poll).isNotNull();
    assertThat(thrown.errno()).isEqualTo(Errno.EINVAL);
    assertThat(poll.size()).isEqualTo(size);
    assertThat(poll.find(added)).isNull();
    assertThat(added.waitQueue().snapshot()).containsExactlyElementsOf(entries);
    return thrown.getMessage();
  }

  /** A chain of polls of which each watches the next; the first and the last. */
  private static EventPoll[] chain(int polls) {
    EventPoll first = poll();
    EventPoll last = first;
    for (int i = 1; i < polls; i++) {
      EventPoll next = poll();
      last.add(next, IN);
      last = next;
    }
    return new EventPoll[] {first, last};
  }

  @Test
  void s098_anyNumberOfPollsMayWatchASourceDirectly() {
    for (int i = 0; i < 1100; i++) {
      poll().add(source, IN);
    }
    assertThat(source.waitQueue().snapshot()).hasSize(1100);
  }

  // ------------------------------------------------------- the limits, reached from each side

  @ParameterizedTest
  @CsvSource({"2, 500", "3, 100", "4, 50", "5, 10"})
  void s098_asManyPollsOnTopAsTheLimit(int polls, int limit) {
    EventPoll[] lower = chain(polls - 1);
    lower[1].add(source, IN);
    for (int i = 0; i < limit; i++) {
      poll().add(lower[0], IN);
    }
    assertThat(refused(poll(), lower[0])).contains(limit + " paths through " + polls);
    assertThat(lower[0].waitQueue().snapshot()).hasSize(limit);
    source.tryWrite(1);
    assertThat(lower[0].awaitNow(new ReadyEvents(1))).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"2, 500", "3, 100", "4, 50", "5, 10"})
  void s098_asManySeparateChainsAsTheLimit(int polls, int limit) {
    for (int i = 0; i < limit; i++) {
      chain(polls)[1].add(source, IN);
    }
    EventPoll[] oneMore = chain(polls);
    refused(oneMore[1], source);
    oneMore[1].add(other, IN);
    // longer and shorter paths are counted apart
    chain(polls == 5 ? 4 : polls + 1)[1].add(source, IN);
  }

  @ParameterizedTest
  @CsvSource({"2, 500", "3, 100", "4, 50", "5, 10"})
  void s098_aSourceThatIsAddedLast(int polls, int limit) {
    EventPoll[] lower = chain(polls - 1);
    List<EventPoll> tops = new ArrayList<>();
    for (int i = 0; i < limit + 100; i++) {
      EventPoll top = poll();
      top.add(lower[0], IN); // nothing below: nothing to count
      tops.add(top);
    }
    refused(lower[1], source);
    source.tryWrite(1);
    assertThat(tops.get(0).awaitNow(new ReadyEvents(1))).as("no effect of it").isZero();
    for (EventPoll top : tops.subList(0, 100)) {
      top.close();
    }
    lower[1].add(source, IN);
    assertThat(tops.get(100).awaitNow(new ReadyEvents(1))).isEqualTo(1);
  }

  // ------------------------------------------------------------------------- what is counted

  @Test
  void pathsAreCountedAndNotPolls() {
    EventPoll bottom = limited(9, 4, 9, 9);
    EventPoll top = poll();
    for (int i = 0; i < 2; i++) {
      EventPoll middle = poll();
      middle.add(bottom, IN);
      top.add(middle, IN);
      top.add(middle, 1, IN, null); // a second edge
    }
    bottom.add(source, IN); // two polls, two edges each: four paths
    refused(bottom, source, 1);
    top.items().get(0).remove();
    refused(bottom, source, 1); // three and one more for each edge that is left
  }

  @Test
  void aSourceUnderTwoTagsHasTwoPaths() {
    EventPoll bottom = limited(2, 0, 0, 0);
    poll().add(bottom, IN);
    bottom.add(source, 1, IN, null);
    bottom.add(source, 2, IN, null);
    assertThatThrownBy(() -> bottom.add(source, 3, IN, null))
        .isInstanceOf(EventPollArgumentException.class);
    assertThat(bottom.size()).isEqualTo(2);
  }

  @Test
  void everySourceBelowAPollThatIsAddedIsCounted() {
    EventPoll bottom = poll();
    EventPoll middle = poll();
    EventPoll top = limited(1, 1, 1, 1);
    middle.add(bottom, IN);
    bottom.add(other, IN);
    bottom.add(source, IN);
    // one path of three polls from each, but the source has one already by another way
    EventPoll elsewhere = poll();
    EventPoll above = poll();
    poll().add(above, IN);
    above.add(elsewhere, IN);
    elsewhere.add(source, IN);
    assertThat(refused(top, middle)).contains(source.toString());
    bottom.find(source).remove();
    top.add(middle, IN);
  }

  @Test
  void pathsToAPollBelowTwoOthersEndInBoth() {
    EventPoll bottom = poll();
    bottom.add(source, IN);
    EventPoll middle = poll();
    middle.add(bottom, IN);
    limited(0, 1, 0, 0).add(middle, IN); // from now on, no path ends in the one in the middle
    refused(limited(9, 1, 9, 9), middle);
    limited(9, 2, 9, 9).add(middle, IN);
  }

  @Test
  void theLimitsOfThePollThatIsAddedToHold() {
    EventPoll strict = limited(0, 0, 0, 0);
    poll().add(strict, IN);
    refused(strict, source);
    EventPoll open = poll();
    strict.add(open, IN); // no source below yet
    open.add(source, IN);
    strict.find(open).remove();
    refused(strict, open);
  }

  @Test
  void whoWaitsOnAPollWithoutAPollIsNoPath() {
    EventPoll bottom = limited(0, 0, 0, 0);
    try (Waiters waiters = new Waiters()) {
      Waiters.Wait wait = waiters.awaitOne(bottom, IN, Duration.ofHours(1));
      Waiters.awaitAsleepOn(bottom, 1);
      bottom.add(source, IN);
      source.tryWrite(1);
      assertThat(wait.result()).isEqualTo(IN);
    }
  }

  @Test
  void removingDoesNotCountAndMayLeaveMoreThanAllowed() {
    EventPoll bottom = limited(1, 9, 9, 9);
    EventPoll[] middles = {poll(), poll()};
    EventPoll top = poll();
    for (EventPoll middle : middles) {
      top.add(middle, IN);
      middle.add(bottom, IN);
    }
    bottom.add(source, IN);
    top.close(); // two paths through three polls become two through two
    assertThat(bottom.find(source).isValid()).isTrue();
    refused(limited(1, 9, 9, 9), bottom);
    refused(bottom, source, 1);
  }

  private static void refused(EventPoll poll, Pollable added, long tag) {
    assertThatThrownBy(() -> poll.add(added, tag, IN, null))
        .isInstanceOf(EventPollArgumentException.class);
    assertThat(poll.find(added, tag)).isNull();
  }

  // ------------------------------------------------------------------------------- the rest

  @Test
  void aRefusalComesAfterThoseThatSayMore() {
    EventPoll bottom = EventPoll.builder().maxWatches(1).pathLimits(1, 0, 0, 0).build();
    EventPoll top = poll();
    top.add(bottom, IN);
    bottom.add(source, IN);
    assertThatThrownBy(() -> bottom.add(source, IN))
        .isInstanceOfSatisfying(
            EventPollStateException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST));
    assertThatThrownBy(() -> bottom.add(other, IN))
        .isInstanceOfSatisfying(
            EventPollStateException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
  }

  @Test
  void theQuotaIsGivenBack() {
    EventPoll bottom = EventPoll.builder().maxWatches(1).pathLimits(0, 0, 0, 0).build();
    EventPoll top = poll();
    top.add(bottom, IN);
    for (int i = 0; i < 3; i++) {
      refused(bottom, source);
    }
    top.close();
    bottom.add(source, IN);
    assertThatThrownBy(() -> bottom.add(other, IN))
        .isInstanceOfSatisfying(
            EventPollStateException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
  }

  /** 1100 edges between any two of five polls: 1.5 million million paths. */
  @Test
  void aCheckLooksAtEachEdgeOnce() {
    EventPoll[] polls = new EventPoll[5];
    for (int i = 0; i < polls.length; i++) {
      polls[i] =
          limited(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
      for (int tag = 0; i > 0 && tag < 1100; tag++) {
        polls[i].add(polls[i - 1], tag, IN, null);
      }
    }
    assertThat(refused(polls[0], source)).contains("through 5 polls");
    polls[4].close(); // 1 331 million paths are left, through four polls
    polls[0].add(source, IN);
    refused(limited(9, 9, 9, 1_330_999_999), polls[3]);
    limited(9, 9, 9, 1_331_000_000).add(polls[3], IN);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aNegativeLimitIsRefused(int which) {
    int[] limits = {1, 1, 1, 1};
    limits[which] = -1;
    assertThatThrownBy(() -> limited(limits[0], limits[1], limits[2], limits[3]))
        .isInstanceOfSatisfying(
            EventPollArgumentException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }
}
