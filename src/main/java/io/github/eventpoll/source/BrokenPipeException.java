package io.github.eventpoll.source;

/**
 * Thrown when something is written to a pipe whose read end is closed (Linux: EPIPE). Nobody will
 * ever read what is written; nothing was.
 *
 * @since 0.1
 */
public final class BrokenPipeException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  BrokenPipeException(String message) {
    super(message);
  }
}
