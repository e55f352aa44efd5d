package io.github.eventpoll;

/**
 * The poll is closed, or was closed while the caller waited on it: {@link Errno#EBADF}.
 *
 * @since 0.1
 */
public final class ClosedEventPollException extends EventPollStateException {
  private static final long serialVersionUID = 1L;

  ClosedEventPollException(String poll) {
    super(Errno.EBADF, poll + " is closed");
  }
}
