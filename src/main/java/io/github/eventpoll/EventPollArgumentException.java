package io.github.eventpoll;

/**
 * An argument was refused, and nothing was changed: {@link Errno#EINVAL}, {@link Errno#EPERM} or
 * {@link Errno#ELOOP}. The message names what was wrong.
 *
 * @since 0.1
 */
public final class EventPollArgumentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Which error, in the kernel's terms. */
  private final Errno errno;

  EventPollArgumentException(Errno errno, String message) {
    super(errno + ": " + message);
    this.errno = errno;
  }

  /**
   * Tells which error it is, in the kernel's terms.
   *
   * @return the error number
   */
  public Errno errno() {
    return errno;
  }
}
