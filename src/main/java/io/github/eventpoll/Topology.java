package io.github.eventpoll;

/**
 * Which locks the additions of a poll take to keep the graph of polls in polls within its limits;
 * to choose from in {@link EventPollBuilder#topology}. The results are the same, and polls of
 * different kinds may watch each other. Adding a source to a poll that no poll watches takes none
 * of these locks, whatever the kind; removing and closing never do.
 *
 * <p>With {@link #GLOBAL_MUTEX} and {@link #SHARED} a lock of the whole process is held while the
 * added source is asked whether it is ready, so that one slow source delays the additions of all
 * such polls, and a source that adds to polls when it is asked may bring them to a standstill.
 * Neither is so with {@link #STRIPED}.
 *
 * @since 0.1
 */
public enum Topology {
  /**
   * One mutex for all additions of polls, and of sources to watched polls (Linux:
   * fs/eventpoll.c:epnested_mutex).
   */
  GLOBAL_MUTEX,

  /**
   * A reader-writer lock: additions of sources to watched polls share it, additions of polls
   * exclude all others (as proposed for Linux in 2026).
   */
  SHARED,

  /**
   * No lock that all additions write: those of sources to watched polls meet only at the same
   * source, and no source is asked while any lock of the whole process is held. The default.
   */
  STRIPED
}
