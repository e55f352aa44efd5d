package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Waiters.Wait;
import io.github.eventpoll.scenarios.FakeSource;
import io.github.eventpoll.testkit.ScriptedDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The events of JDK Flight Recorder, read back from a recording; none unless asked for. */
class JfrTest extends LeaderScene {
  private static final String PREFIX = "io.github.eventpoll.";
  private static final List<String> ALL =
      List.of("Wait", "Wake", "Overflow", "Pass", "HelperStarted", "LoopCheck");

  @TempDir Path directory;

  /** What a recording in which these events are on has of us while the action runs. */
  private List<RecordedEvent> recorded(List<String> names, Action action) throws Exception {
    Path file = Files.createTempFile(directory, "recording", ".jfr");
    try (Recording recording = new Recording()) {
      names.forEach(name -> recording.enable(PREFIX + name));
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith(PREFIX))
        .collect(Collectors.toList());
  }

  private interface Action {
    void run() throws Exception;
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(PREFIX + name))
        .collect(Collectors.toList());
  }

  private static RecordedEvent only(
      List<RecordedEvent> events, String name, Predicate<RecordedEvent> which) {
    List<RecordedEvent> found =
        named(events, name).stream().filter(which).collect(Collectors.toList());
    assertThat(found).as(name + " of " + events).hasSize(1);
    return found.get(0);
  }

  @Test
  void waitAndWake_parked() throws Exception {
    a.add(memory, IN);
    String[] waited = new String[1];
    List<RecordedEvent> events =
        recorded(
            ALL,
            () -> {
              Wait wait = waiters.awaiting(a, 1).get(0);
              memory.write(1);
              assertThat(wait.source()).isSameAs(memory);
              waited[0] = wait.thread.getName();
            });
    RecordedEvent wait = only(events, "Wait", e -> true);
    assertThat(wait.getString("poll")).isEqualTo(a.toString());
    assertThat(wait.getString("driver")).isNull();
    assertThat(wait.getBoolean("chosen")).isTrue();
    assertThat(wait.getThread().getJavaName()).isEqualTo(waited[0]);
    assertThat(wait.getDuration()).isPositive();
    RecordedEvent wake = only(events, "Wake", e -> true);
    assertThat(wake.getThread("woken").getJavaName()).isEqualTo(waited[0]);
    assertThat(wake.getThread().getJavaName()).isEqualTo(Thread.currentThread().getName());
    assertThat(wake.getBoolean("chosen")).isTrue();
    assertThat(wake.getString("driver")).isNull();
    assertThat(wake.getStartTime()).isBetween(wait.getStartTime(), wait.getEndTime());
    assertThat(events).hasSize(2);
  }

  @Test
  void passes_waitsAndWakesInADriver() throws Exception {
    a.add(memory, IN);
    a.add(c, IN);
    List<RecordedEvent> events =
        recorded(
            ALL,
            () -> {
              Wait leader = leading(a);
              memory.write(1);
              assertThat(leader.source()).isSameAs(memory);
              memory.read();
              assertThat(now(a)).isZero();
            });
    assertThat(only(events, "Wait", e -> true).getString("driver")).isEqualTo(driver.toString());
    assertThat(only(events, "Wake", e -> true).getString("driver")).isEqualTo(driver.toString());
    RecordedEvent slept = only(events, "Pass", e -> e.getBoolean("slept"));
    assertThat(slept.getString("driver")).isEqualTo(driver.toString());
    assertThat(slept.getDuration()).isPositive();
    assertThat(only(events, "Pass", e -> !e.getBoolean("slept")).getThread().getJavaName())
        .isEqualTo(Thread.currentThread().getName());
  }

  @Test
  void helperStarted() throws Exception {
    ScriptedDriver second = ScriptedDriver.on(time);
    EventPoll inner = time.poll();
    a.add(c, IN);
    inner.add(second.channel("e"), IN);
    a.add(inner, IN);
    List<RecordedEvent> events =
        recorded(
            List.of("HelperStarted"),
            () -> {
              Wait leader = leading(a);
              Waiters.until(() -> a.dump().contains(" helper "), a::dump);
              a.wakeupAll();
              leader.result();
            });
    assertThat(events).hasSize(1);
    assertThat(only(events, "HelperStarted", e -> true).getString("driver"))
        .isIn(driver.toString(), second.toString());
  }

  @ParameterizedTest
  @EnumSource
  void overflow_whatCameDuringAScan(LockKind lock) throws Exception {
    EventPoll poll = EventPoll.builder().lock(lock).build();
    FakeSource asked = FakeSource.ready("asked", Events.IN);
    FakeSource one = FakeSource.idle("one");
    FakeSource other = FakeSource.idle("other");
    poll.add(asked, Events.IN);
    poll.add(one, Events.IN);
    poll.add(other, Events.IN);
    asked.whenAsked(
        () -> {
          one.become(Events.IN);
          other.become(Events.IN);
        });
    List<RecordedEvent> events = recorded(ALL, () -> assertThat(now(poll)).isEqualTo(1));
    assertThat(events).hasSize(1);
    RecordedEvent overflow = only(events, "Overflow", e -> true);
    assertThat(overflow.getString("poll")).isEqualTo(poll.toString());
    assertThat(overflow.getInt("items")).isEqualTo(2);
    asked.whenAsked(null);
    assertThat(recorded(ALL, () -> now(poll))).as("nothing came").isEmpty();
  }

  @Test
  void loopCheck_acceptedAndRefused() throws Exception {
    EventPoll inner = time.poll();
    List<RecordedEvent> events =
        recorded(
            List.of("LoopCheck"),
            () -> {
              a.add(memory, IN);
              a.add(inner, IN);
              assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> inner.add(a, IN)))
                  .isInstanceOf(EventPollArgumentException.class);
            });
    assertThat(events).hasSize(2);
    RecordedEvent accepted = only(events, "LoopCheck", e -> !e.getBoolean("refused"));
    assertThat(accepted.getString("outer")).isEqualTo(a.toString());
    assertThat(accepted.getString("inner")).isEqualTo(inner.toString());
    assertThat(accepted.getInt("polls")).isEqualTo(2);
    RecordedEvent refused = only(events, "LoopCheck", e -> e.getBoolean("refused"));
    assertThat(refused.getString("inner")).isEqualTo(a.toString());
  }

  @Test
  void offUnlessAskedForByName() throws Exception {
    a.add(memory, IN);
    List<RecordedEvent> events =
        recorded(
            List.of(),
            () -> {
              Wait wait = waiters.awaiting(a, 1).get(0);
              memory.write(1);
              wait.result();
              a.add(time.poll(), IN);
            });
    assertThat(events).isEmpty();
    assertThat(Recorder.IT).isInstanceOf(JfrRecorder.class);
    assertThat(Recorder.IT.beginWait()).as("nothing is made for what is off").isNull();
    assertThat(Recorder.IT.beginPass()).isNull();
    assertThat(Recorder.IT.beginLoopCheck()).isNull();
    assertThat(Recorder.IT.wantsOverflow()).isFalse();
  }

  @Test
  void eachHasItsTextsAndNoStackTrace() throws Exception {
    List<RecordedEvent> events =
        recorded(
            List.of("Wait", "LoopCheck"),
            () -> {
              a.add(time.poll(), IN);
              Wait wait = waiters.awaiting(a, 1).get(0);
              a.wakeup();
              wait.result();
            });
    Map<String, String> labels =
        events.stream()
            .collect(
                Collectors.toMap(
                    e -> e.getEventType().getName(), e -> e.getEventType().getLabel()));
    assertThat(labels)
        .containsOnly(
            Map.entry(PREFIX + "Wait", "Wait"), Map.entry(PREFIX + "LoopCheck", "Loop Check"));
    for (RecordedEvent event : events) {
      assertThat(event.getStackTrace()).isNull();
      assertThat(event.getEventType().getCategoryNames()).containsExactly("eventpoll");
      assertThat(event.getEventType().getDescription()).isNotEmpty();
    }
  }
}
