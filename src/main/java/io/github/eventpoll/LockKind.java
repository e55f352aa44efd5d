package io.github.eventpoll;

/**
 * How callbacks, which list events, and scans, which take them, are kept apart: three variants with
 * the same results, to choose from in {@link EventPollBuilder#lock}.
 *
 * @since 0.1
 */
public enum LockKind {
  /**
   * One short exclusive lock. Callbacks wait for each other and for the scan's two short sections
   * (Linux 6.18 and later: fs/eventpoll.c, {@code ep->lock} as a spinlock).
   */
  SPIN,

  /**
   * A reader-writer lock: callbacks share it and list their items with atomic operations; a scan
   * excludes them all for its two short sections (Linux 5.1 to 6.17: {@code ep->lock} as an
   * rwlock).
   */
  RWLOCK,

  /** No lock: callbacks and scans never wait for each other. The default. */
  LOCK_FREE
}
