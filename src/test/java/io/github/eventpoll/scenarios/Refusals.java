package io.github.eventpoll.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.EventPollStateException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that a call is refused with an error number, and what the message names. */
public final class Refusals {
  private Refusals() {}

  /** The call fails with this error, and its message contains each of these texts. */
  public static void refused(Errno errno, ThrowingCallable call, Object... named) {
    Throwable thrown = catchThrowable(call);
    assertThat(errnoOf(thrown)).as("errno of %s", thrown).isEqualTo(errno);
    assertThat(thrown).hasMessageStartingWith(errno + ": ");
    for (Object text : named) {
      assertThat(thrown).hasMessageContaining(text.toString());
    }
  }

  private static Errno errnoOf(Throwable thrown) {
    if (thrown instanceof EventPollArgumentException argument) {
      return argument.errno();
    }
    return thrown instanceof EventPollStateException state ? state.errno() : null;
  }
}
