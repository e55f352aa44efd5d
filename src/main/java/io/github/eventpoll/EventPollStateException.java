package io.github.eventpoll;

/**
 * The poll, the source or the item was in the wrong state for the call, and nothing was changed:
 * {@link Errno#EEXIST}, {@link Errno#ENOENT}, {@link Errno#ENOSPC} or {@link Errno#EBADF}. The
 * message names what was wrong.
 *
 * @since 0.1
 */
public class EventPollStateException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Which error, in the kernel's terms. */
  private final Errno errno;

  EventPollStateException(Errno errno, String message) {
    super(errno + ": " + message);
    this.errno = errno;
  }

  /**
   * Tells which error it is, in the kernel's terms.
   *
   * @return the error number
   */
  public final Errno errno() {
    return errno;
  }
}
