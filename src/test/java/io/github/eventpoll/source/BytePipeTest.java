package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.EveryPath;
import io.github.eventpoll.Polls;
import io.github.eventpoll.scenarios.SleepingWaiter;
import io.github.eventpoll.scenarios.Taken;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipe by itself and in one poll, in one thread. */
@EveryPath
class BytePipeTest {
  private static final int PAGE = BytePipe.PAGE;
  private static final int READABLE = Events.IN | Events.RDNORM;
  private static final int WRITABLE = Events.OUT | Events.WRNORM;

  private final BytePipe pipe = BytePipe.create(2 * PAGE);
  private final BytePipe.ReadEnd in = pipe.readEnd();
  private final BytePipe.WriteEnd out = pipe.writeEnd();
  private final EventPoll poll = Polls.create();

  private int put(int bytes) {
    return out.tryWrite(ByteBuffer.allocate(bytes));
  }

  private int take(int bytes) {
    return in.tryRead(ByteBuffer.allocate(bytes));
  }

  // ------------------------------------------------------------------------------------- bytes

  @Test
  void bytesComeOutInTheOrderInWhichTheyWentIn() {
    byte[] all = new byte[50 * PAGE];
    new Random(1).nextBytes(all);
    Random sizes = new Random(2);
    ByteBuffer from = ByteBuffer.wrap(all);
    ByteBuffer into = ByteBuffer.allocate(all.length);
    while (into.hasRemaining()) {
      int end = Math.min(all.length, from.position() + sizes.nextInt(3 * PAGE));
      int inside = in.available();
      int put = out.tryWrite(from.limit(end));
      assertThat(in.available())
          .isEqualTo(inside + put)
          .isEqualTo(from.position() - into.position());
      into.limit(Math.min(all.length, into.position() + sizes.nextInt(3 * PAGE)));
      int room = into.remaining();
      assertThat(in.tryRead(into)).isEqualTo(Math.min(room, inside + put));
      into.limit(all.length);
    }
    assertThat(into.array()).isEqualTo(all);
    assertThat(from.position()).isEqualTo(all.length);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "4096,1", "4097,2", "8192,2", "8193,4", "20000,8", "65536,16"})
  void theCapacityIsRoundedUpToAPowerOfTwoPages(int asked, int pages) {
    BytePipe made = BytePipe.create(asked);
    assertThat(made.capacity()).isEqualTo(pages * PAGE);
    assertThat(made.writeEnd().tryWrite(ByteBuffer.allocate(1 << 20))).isEqualTo(pages * PAGE);
    assertThat(made.writeEnd().readiness()).isZero();
  }

  @Test
  void byDefaultThereIsRoomFor64KiB() {
    assertThat(BytePipe.create().capacity()).isEqualTo(1 << 16);
    assertThat(BytePipe.create(1 << 30).capacity()).isEqualTo(1 << 30);
    assertThat(BytePipe.create((1 << 29) + 1).capacity()).isEqualTo(1 << 30);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 30) + 1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void aCapacityOutOfRangeIsRefused(int capacity) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BytePipe.create(capacity))
        .withMessageContaining("capacity of " + capacity);
  }

  @Test
  void upToAPageIsWrittenAsAWholeOrNotAtAll() {
    assertThat(put(PAGE - 10)).isEqualTo(PAGE - 10);
    assertThat(put(11)).isEqualTo(11); // on a page of its own
    assertThat(out.readiness()).isZero();
    assertThat(put(PAGE)).isZero();
    assertThat(put(PAGE - 10)).isZero();
    assertThat(put(PAGE - 11)).isEqualTo(PAGE - 11); // fits behind the 11, without OUT
    assertThat(put(1)).isZero();
    assertThat(in.available()).isEqualTo(2 * PAGE - 10);
    assertThat(take(PAGE - 11)).isEqualTo(PAGE - 11);
    assertThat(put(1)).isZero();
    assertThat(take(1)).isEqualTo(1);
    assertThat(put(PAGE)).isEqualTo(PAGE);
  }

  @Test
  void moreThanAPageIsWrittenAsFarAsItFits() {
    ByteBuffer from = ByteBuffer.allocate(3 * PAGE);
    assertThat(out.tryWrite(from)).isEqualTo(2 * PAGE);
    assertThat(from.position()).isEqualTo(2 * PAGE);
    assertThat(out.tryWrite(from)).isZero();
    assertThat(take(PAGE)).isEqualTo(PAGE);
    assertThat(out.tryWrite(from)).isEqualTo(PAGE);
    assertThat(from.hasRemaining()).isFalse();
  }

  @Test
  void nothingIsWrittenAndReadWithoutEffect() {
    poll.add(in, Events.IN | Events.ET, "in");
    put(1);
    assertThat(Taken.now(poll)).containsExactly("in IN");
    assertThat(put(0)).isZero();
    assertThat(Taken.now(poll)).isEmpty();
    assertThat(take(0)).isZero();
    out.close();
    assertThat(take(1)).isEqualTo(1);
    assertThat(take(0)).as("no room, at the end").isZero();
    assertThat(take(1)).as("the end").isEqualTo(-1);
  }

  @Test
  void badBuffersAreRefusedAndNothingIsLost() {
    put(5);
    ByteBuffer readOnly = ByteBuffer.allocate(3).asReadOnlyBuffer();
    assertThatThrownBy(() -> in.tryRead(readOnly)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatNullPointerException().isThrownBy(() -> in.tryRead(null));
    assertThatNullPointerException().isThrownBy(() -> out.tryWrite(null));
    assertThatNullPointerException().isThrownBy(() -> in.read(ByteBuffer.allocate(1), null));
    assertThatNullPointerException().isThrownBy(() -> out.write(ByteBuffer.allocate(1), null));
    assertThat(in.available()).isEqualTo(5);
    assertThat(out.tryWrite(readOnly)).as("may be written from").isEqualTo(3);
    assertThat(in.tryRead(ByteBuffer.allocateDirect(100))).isEqualTo(8);
  }

  // --------------------------------------------------------------------------------- readiness

  @Test
  void readinessOfBothEnds() {
    assertThat(in.readiness()).isZero();
    assertThat(out.readiness()).isEqualTo(WRITABLE);
    put(PAGE + 1);
    assertThat(in.readiness()).isEqualTo(READABLE);
    assertThat(out.readiness()).isZero();
    take(PAGE);
    assertThat(in.readiness()).isEqualTo(READABLE);
    assertThat(out.readiness()).isEqualTo(WRITABLE);
    take(PAGE);
    assertThat(in.readiness()).isZero();
    assertThat(pipe)
        .hasToString("BytePipe[ReadEnd[0, read 4097], WriteEnd[OUT|WRNORM, written 4097]]");
  }

  @Test
  void s041_theOutThresholdIsAPage() {
    put(2 * PAGE);
    poll.add(out, Events.OUT | Events.ET, "out");
    assertThat(Taken.now(poll)).isEmpty();
    take(1);
    assertThat(Taken.now(poll)).as("one byte").isEmpty();
    take(PAGE - 1);
    assertThat(Taken.now(poll)).as("the rest of the page").containsExactly("out OUT");
    take(PAGE);
    assertThat(Taken.now(poll)).as("the pipe was not full").isEmpty();
  }

  @Test
  void s034_everyWriteIsAnEdge_s035_theyCoalesce() {
    poll.add(in, Events.IN | Events.ET, "in");
    for (int i = 0; i < 3; i++) {
      put(1);
      put(1);
      assertThat(Taken.now(poll)).containsExactly("in IN");
      take(1);
      assertThat(Taken.now(poll)).isEmpty();
    }
    put(2 * PAGE);
    assertThat(Taken.now(poll)).containsExactly("in IN");
    assertThat(put(PAGE)).isZero();
    assertThat(Taken.now(poll)).as("an attempt at a full pipe").containsExactly("in IN");
  }

  @Test
  void s157_writerErr() {
    poll.add(out, 1, 0, "nothing");
    poll.add(out, 2, Events.OUT, "out");
    assertThat(Taken.now(poll)).containsExactly("out OUT");
    in.close();
    assertThat(Taken.now(poll)).containsExactlyInAnyOrder("nothing ERR", "out OUT|ERR");
    assertThatThrownBy(() -> put(1))
        .isInstanceOf(BrokenPipeException.class)
        .isInstanceOf(IllegalStateException.class);
    assertThat(put(0)).isZero();
  }

  @Test
  void s157_writerErrOfAFullPipe() {
    put(2 * PAGE);
    poll.add(out, Events.OUT, "out");
    in.close();
    assertThat(Taken.now(poll)).containsExactly("out ERR");
    assertThat(in.available()).as("what nobody can read is dropped").isZero();
  }

  @Test
  void s158_hupVersusData() {
    poll.add(in, Events.IN, "in");
    put(2);
    out.close();
    assertThat(Taken.now(poll)).containsExactly("in IN|HUP");
    take(1);
    assertThat(Taken.now(poll)).containsExactly("in IN|HUP");
    take(1);
    assertThat(Taken.now(poll)).containsExactly("in HUP");
    assertThat(take(1)).isEqualTo(-1);
    assertThat(Taken.now(poll)).containsExactly("in HUP");
  }

  @Test
  void theOtherEndsCloseIsOneEdge() {
    poll.add(in, Events.ET, "in");
    out.close();
    assertThat(Taken.now(poll)).containsExactly("in HUP");
    out.close();
    assertThat(Taken.now(poll)).isEmpty();
  }

  @Test
  void everyExclusiveItemHearsOfTheEnd() throws Exception {
    List<EventPoll> polls = List.of(Polls.create(), Polls.create());
    List<SleepingWaiter> waiters = new ArrayList<>();
    for (EventPoll each : polls) {
      each.add(in, Events.IN | Events.EXCLUSIVE, "in");
      waiters.add(SleepingWaiter.on(each));
    }
    out.close();
    for (SleepingWaiter waiter : waiters) {
      assertThat(waiter.events()).containsExactly("in HUP");
    }
  }

  // ------------------------------------------------------------------------------------- close

  @Test
  void aClosedEndLeavesEveryPollAndRefuses() throws InterruptedException {
    EpItem reader = poll.add(in, Events.IN, "in");
    EpItem writer = poll.add(out, Events.OUT, "out");
    ByteBuffer one = ByteBuffer.allocate(1);
    put(1);
    in.close();
    in.close();
    assertThat(reader.isValid()).isFalse();
    for (int bytes : new int[] {0, 1}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> take(bytes))
          .withMessage("ReadEnd[closed] is closed");
    }
    assertThatIllegalStateException().isThrownBy(() -> in.read(one));
    assertThatIllegalStateException().isThrownBy(() -> in.read(one, Duration.ZERO));
    out.close();
    assertThat(writer.isValid()).isFalse();
    for (int bytes : new int[] {0, 1}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> put(bytes))
          .withMessage("WriteEnd[closed] is closed");
    }
    assertThatIllegalStateException().isThrownBy(() -> out.write(one));
    assertThatIllegalStateException().isThrownBy(() -> out.write(one, Duration.ZERO));
    assertThatThrownBy(() -> poll.add(in, Events.IN, null))
        .isInstanceOf(EventPollStateException.class);
    assertThat(poll.items()).isEmpty();
  }

  @Test
  void thePipeClosesBothEnds() {
    EpItem reader = poll.add(in, Events.IN, "in");
    EpItem writer = poll.add(out, Events.OUT, "out");
    pipe.close();
    pipe.close();
    assertThat(List.of(reader.isValid(), writer.isValid())).containsOnly(false);
    assertThat(pipe).hasToString("BytePipe[ReadEnd[closed], WriteEnd[closed]]");
  }

  // ----------------------------------------------------------------- blocking, as far as it is not

  @Test
  void readsAndWritesThatNeedNotWait() throws InterruptedException {
    ByteBuffer from = ByteBuffer.allocate(PAGE);
    out.write(from);
    assertThat(from.hasRemaining()).isFalse();
    assertThat(out.write(ByteBuffer.allocate(PAGE), Duration.ZERO)).isTrue();
    ByteBuffer noRoom = ByteBuffer.allocate(PAGE + 1);
    assertThat(out.write(noRoom, Duration.ofNanos(1))).isFalse();
    assertThat(out.write(noRoom, Duration.ofSeconds(-1))).isFalse();
    assertThat(noRoom.position()).isZero();
    ByteBuffer into = ByteBuffer.allocate(2 * PAGE + 5);
    assertThat(in.read(into)).isEqualTo(2 * PAGE);
    assertThat(in.read(into, Duration.ZERO)).isZero();
    assertThat(in.read(into, Duration.ofNanos(1))).isZero();
    assertThat(in.read(ByteBuffer.allocate(0))).isZero();
    out.close();
    assertThat(in.read(into)).isEqualTo(-1);
    assertThat(in.read(into, Duration.ofDays(1))).isEqualTo(-1);
  }

  @Test
  void anInterruptLeavesWhatWasNotWrittenInTheBuffer() {
    ByteBuffer tooMuch = ByteBuffer.allocate(3 * PAGE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> out.write(tooMuch)).isInstanceOf(InterruptedException.class);
    assertThat(tooMuch.remaining()).isEqualTo(PAGE);
    assertThat(Thread.interrupted()).isFalse();
    take(2 * PAGE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> in.read(ByteBuffer.allocate(1)))
        .isInstanceOf(InterruptedException.class);
  }
}
