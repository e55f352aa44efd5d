package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Processes that end. */
class ProcessExitTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void aProcessAndItsHandle() throws Exception {
    Process process = java("-version");
    CompletionSource<Integer> exit = CompletionSource.ofExit(process);
    CompletionSource<ProcessHandle> handle = CompletionSource.ofExit(process.toHandle());
    try (EventPoll poll = EventPoll.create()) {
      poll.add(exit, Events.IN | Events.ONESHOT, "exit");
      poll.add(handle, Events.IN | Events.ONESHOT, "handle");
      Set<Object> heard = new HashSet<>();
      ReadyEvents ready = new ReadyEvents(2);
      while (heard.size() < 2) {
        assertThat(poll.await(ready, LIMIT)).as("in time").isPositive();
        for (int i = 0; i < ready.size(); i++) {
          assertThat(ready.events(i)).isEqualTo(Events.IN);
          heard.add(ready.attachment(i));
        }
      }
      assertThat(heard).containsExactlyInAnyOrder("exit", "handle");
    }
    assertThat(exit.result()).isZero();
    assertThat(handle.result()).isEqualTo(process.toHandle());
  }

  @Test
  void aProcessThatHasEndedAndOneThatFails() throws Exception {
    Process process = java("-no-such-option");
    int value = process.waitFor();
    CompletionSource<Integer> exit = CompletionSource.ofExit(process);
    assertThat(EventPoll.awaitOne(exit, Events.IN, LIMIT)).isEqualTo(Events.IN);
    assertThat(exit.result()).isEqualTo(value).isNotZero();
    assertThat(exit.failure()).as("to fail is a way to end").isNull();
  }

  @Test
  void badInput() {
    assertThatNullPointerException().isThrownBy(() -> CompletionSource.ofExit((Process) null));
    assertThatNullPointerException()
        .isThrownBy(() -> CompletionSource.ofExit((ProcessHandle) null));
    assertThatIllegalStateException()
        .isThrownBy(() -> CompletionSource.ofExit(ProcessHandle.current()));
  }

  private static Process java(String argument) throws IOException {
    String command = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(command, argument)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
