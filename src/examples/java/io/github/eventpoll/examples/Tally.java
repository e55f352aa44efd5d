package io.github.eventpoll.examples;

/**
 * What a {@link JobServer} has done.
 *
 * @param received requests that came in
 * @param computed completions that the pool has counted up
 * @param ticks expirations of the statistics timer
 * @param answered answers sent
 * @param unanswered answers that could not be sent, because the client had gone
 * @param waits waits of the workers, all of which had events
 * @param parks how often the workers were parked, in waits or for a lock
 * @param failures exceptions in the workers, and threads that did not end
 */
record Tally(
    long received,
    long computed,
    long ticks,
    long answered,
    long unanswered,
    long waits,
    long parks,
    long failures) {

  /** How often something happened that a worker had to learn of. */
  long announced() {
    return received + computed + ticks + 1; // and the shutdown
  }
}
