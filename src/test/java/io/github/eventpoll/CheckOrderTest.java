package io.github.eventpoll;

import static io.github.eventpoll.scenarios.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.eventpoll.scenarios.FakeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * KERNEL-SEMANTICS §2.2: of two reasons to refuse a call, the one that comes first in the kernel's
 * order is reported, for every pair that can occur together.
 */
@EveryPath
class CheckOrderTest {
  private static final int UNKNOWN_BIT = 0x800;

  /** Reasons to refuse an add, in the order of the checks, and how to bring each about. */
  private enum Reason {
    CLOSED_POLL(Errno.EBADF, "is closed", call -> call.pollClosed = true),
    NO_QUEUE(Errno.EPERM, "no wait queue", call -> call.source = new Unpollable()),
    CLOSED_SOURCE(Errno.EBADF, "is closed", call -> call.sourceClosed = true),
    SELF(Errno.EINVAL, "itself", call -> call.source = call.poll),
    UNKNOWN(Errno.EINVAL, "unknown bits 0x800", call -> call.mask |= UNKNOWN_BIT),
    EXCLUSIVE_POLL(
        Errno.EINVAL,
        "a poll cannot be watched EXCLUSIVE",
        call -> {
          call.mask |= Events.EXCLUSIVE;
          call.usePoll();
        }),
    EXCLUSIVE_ONESHOT(
        Errno.EINVAL,
        "does not go with ONESHOT",
        call -> call.mask |= Events.EXCLUSIVE | Events.ONESHOT),
    LOOP(
        Errno.ELOOP,
        "watches",
        call -> {
          call.usePoll();
          ((EventPoll) call.source).add(call.poll, Events.IN);
        }),
    EXISTS(Errno.EEXIST, "registered already", call -> call.exists = true),
    PROCESS_QUOTA(Errno.ENOSPC, "all of us may watch 2", call -> call.processFull = true),
    OWN_QUOTA(Errno.ENOSPC, "may watch 1", call -> call.ownFull = true),
    SOURCE_THROWS(null, "thrown by the source", call -> call.sourceThrows = true);

    final Errno errno;
    final String text;
    final Consumer<Call> cause;

    Reason(Errno errno, String text, Consumer<Call> cause) {
      this.errno = errno;
      this.text = text;
      this.cause = cause;
    }

    /** Pairs of reasons that one call cannot have. */
    boolean excludes(Reason other) {
      return (this == NO_QUEUE
              && List.of(CLOSED_SOURCE, SELF, EXCLUSIVE_POLL, LOOP, EXISTS, SOURCE_THROWS)
                  .contains(other))
          // A poll that is closed as a source has lost its items, so that it is in no circle.
          || (this == CLOSED_SOURCE && List.of(SELF, LOOP, EXISTS).contains(other))
          // Its own readiness is not asked through a hook, and it is never registered with itself.
          || (this == SELF && List.of(LOOP, EXISTS, SOURCE_THROWS).contains(other))
          // What is registered is in no circle; the readiness of a poll throws nothing.
          || (this == LOOP && List.of(EXISTS, SOURCE_THROWS).contains(other))
          || (this == EXCLUSIVE_POLL && other == SOURCE_THROWS)
          // A poll that could close a circle is a poll, which EXCLUSIVE_POLL covers.
          || (this == EXCLUSIVE_ONESHOT && other == LOOP);
    }
  }

  /** One add that is to fail. */
  private static final class Call {
    private final WatchQuota process = new WatchQuota("all of us", 2);
    final EventPoll poll = newPoll();
    Pollable source = FakeSource.idle("a source");
    int mask = Events.IN;
    boolean pollClosed;
    boolean sourceClosed;
    boolean exists;
    boolean processFull;
    boolean ownFull;
    boolean sourceThrows;

    private EventPoll newPoll() {
      EventPollBuilder settings = Polls.builder().maxWatches(1);
      settings.processQuota = process;
      return settings.build();
    }

    void usePoll() {
      if (!(source instanceof EventPoll)) {
        source = Polls.create();
      }
    }

    void prepare() {
      if (exists) {
        poll.add(source, Events.IN);
      } else if (ownFull) {
        poll.add(FakeSource.idle("another"), Events.IN);
      }
      if (processFull) {
        while (process.tryTake()) {
          continue;
        }
      }
      if (sourceThrows) {
        ((FakeSource) source).failWith(new IllegalStateException("thrown by the source"));
      }
      if (sourceClosed) {
        source.waitQueue().close();
      }
      if (pollClosed) {
        poll.close();
      }
    }

    void run() {
      poll.add(source, mask);
    }
  }

  private static final class Unpollable implements Pollable {
    @Override
    public int readiness() {
      return 0;
    }

    @Override
    public WaitQueue waitQueue() {
      return null;
    }
  }

  @TestFactory
  List<DynamicTest> add_theFirstReasonWins() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Reason first : Reason.values()) {
      tests.add(dynamicTest(first + " alone", () -> check(first, first)));
      for (Reason second : Reason.values()) {
        if (first.ordinal() < second.ordinal() && !first.excludes(second)) {
          tests.add(dynamicTest(first + " before " + second, () -> check(first, second)));
        }
      }
    }
    return tests;
  }

  private static void check(Reason first, Reason second) {
    Call call = new Call();
    first.cause.accept(call);
    if (second != first) {
      second.cause.accept(call);
    }
    call.prepare();
    int size = call.poll.size();
    if (first.errno == null) {
      assertThatThrownBy(call::run).isExactlyInstanceOf(IllegalStateException.class);
      assertThatThrownBy(call::run).hasMessage(first.text);
    } else {
      refused(first.errno, call::run, first.text);
    }
    if (first == Reason.CLOSED_POLL) {
      assertThatThrownBy(call::run).isInstanceOf(ClosedEventPollException.class);
    }
    assertThat(call.poll.size()).as("nothing registered").isEqualTo(size);
  }

  @TestFactory
  List<DynamicTest> modify_theFirstReasonWins() {
    FakeSource source = FakeSource.idle("a source");
    EventPoll poll = Polls.create();
    EpItem exclusive = poll.add(source, Events.IN | Events.EXCLUSIVE);
    EpItem goneExclusive = poll.add(source, 1, Events.IN | Events.EXCLUSIVE, null);
    goneExclusive.remove();
    EpItem gone = poll.add(source, 2, Events.IN, null);
    gone.remove();
    FakeSource failing = FakeSource.idle("failing");
    EpItem closed = poll.add(failing, Events.IN);
    failing.failWith(new IllegalStateException("thrown by the source"));
    failing.close();
    FakeSource failingExclusive = FakeSource.idle("failing exclusive");
    EpItem failingItem = poll.add(failingExclusive, Events.IN | Events.EXCLUSIVE);
    failingExclusive.failWith(new IllegalStateException("thrown by the source"));
    EpItem ofClosedPoll = ofClosedPoll(source);
    return List.of(
        row("closed poll, unknown bits", ofClosedPoll, UNKNOWN_BIT, Errno.EBADF, "is closed"),
        row("closed poll, EXCLUSIVE", ofClosedPoll, Events.EXCLUSIVE, Errno.EBADF, "is closed"),
        row("closed poll, item gone", ofClosedPoll, Events.IN, Errno.EBADF, "EventPoll#"),
        row(
            "unknown bits, EXCLUSIVE",
            exclusive,
            UNKNOWN_BIT | Events.EXCLUSIVE,
            Errno.EINVAL,
            "unknown bits"),
        row("unknown bits, item gone", gone, UNKNOWN_BIT, Errno.EINVAL, "unknown bits"),
        row("unknown bits, item exclusive", exclusive, UNKNOWN_BIT, Errno.EINVAL, "unknown bits"),
        row("EXCLUSIVE, item gone", gone, Events.EXCLUSIVE, Errno.EINVAL, "to add only"),
        row("EXCLUSIVE, item exclusive", exclusive, Events.EXCLUSIVE, Errno.EINVAL, "to add only"),
        row("item gone, item exclusive", goneExclusive, Events.IN, Errno.ENOENT, "not registered"),
        row("item gone, source throws", closed, Events.IN, Errno.ENOENT, "not registered"),
        row(
            "item exclusive, source throws",
            failingItem,
            Events.IN,
            Errno.EINVAL,
            "cannot be modified"));
  }

  private static EpItem ofClosedPoll(FakeSource source) {
    EventPoll poll = Polls.create();
    EpItem item = poll.add(source, Events.IN);
    poll.close();
    return item;
  }

  private static DynamicTest row(String name, EpItem item, int mask, Errno errno, String text) {
    return dynamicTest(name, () -> refused(errno, () -> item.modify(mask), text));
  }

  @TestFactory
  List<DynamicTest> remove_theFirstReasonWins() {
    FakeSource source = FakeSource.idle("a source");
    EpItem gone = Polls.create().add(source, Events.IN);
    gone.remove();
    return List.of(
        dynamicTest(
            "closed poll, item gone",
            () -> refused(Errno.EBADF, ofClosedPoll(source)::remove, "EventPoll#")),
        dynamicTest("item gone", () -> refused(Errno.ENOENT, gone::remove, "not registered")));
  }
}
