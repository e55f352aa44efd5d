package io.github.eventpoll;

/**
 * The error numbers of epoll_ctl(2) and epoll_wait(2) that this library can report.
 *
 * @since 0.1
 */
public enum Errno {
  /** An argument is not valid: the mask, the poll itself as a source, a batch size. */
  EINVAL,
  /** The source cannot be watched: it has no wait queue. */
  EPERM,
  /** Polls would watch each other in a circle, or more than five in a row. */
  ELOOP,
  /** The source is registered under this tag already. */
  EEXIST,
  /** The item is not, or no longer, registered. */
  ENOENT,
  /** A watch quota is used up. */
  ENOSPC,
  /** The poll or the source is closed. */
  EBADF
}
