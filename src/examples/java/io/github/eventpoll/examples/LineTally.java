package io.github.eventpoll.examples;

import io.github.eventpoll.nio.ChannelDriver;
import java.util.List;

/**
 * What a {@link LineServer} has done.
 *
 * @param accepted connections
 * @param acceptFailures exceptions of accept
 * @param lines lines that came in
 * @param announced announcements made, each to all connections
 * @param idleClosed connections closed because they were silent
 * @param heldBack how often a connection was not read from because of what waited for it
 * @param changes items added, armed again or removed
 * @param events events that the workers took
 * @param waits waits of the workers
 * @param parks how often the workers were parked, in waits or for a lock
 * @param passes system calls that select
 * @param selectorWakes how often a thread that slept in the selector was woken by another
 * @param failures exceptions in the workers, and threads that did not end
 */
record LineTally(
    long accepted,
    long acceptFailures,
    long lines,
    long announced,
    long idleClosed,
    long heldBack,
    long changes,
    long events,
    long waits,
    long parks,
    long passes,
    long selectorWakes,
    long failures) {

  static LineTally of(LineCounts counts, List<Worker> workers, ChannelDriver driver) {
    return new LineTally(
        counts.accepted.sum(),
        counts.acceptFailures.sum(),
        counts.lines.sum(),
        counts.announced.sum(),
        counts.idleClosed.sum(),
        counts.heldBack.sum(),
        counts.changes.sum(),
        workers.stream().mapToLong(Worker::events).sum(),
        workers.stream().mapToLong(Worker::waits).sum(),
        workers.stream().mapToLong(Worker::parks).sum(),
        driver.passes(),
        driver.wakeups(),
        counts.failures.sum() + workers.stream().mapToLong(Worker::failures).sum());
  }

  /** Wake-ups from thread to thread, at most: some parks are for locks. */
  long wakeups() {
    return selectorWakes + parks;
  }

  /** Occasions to wake a thread, less the times that one was woken. */
  long wakeupsSaved() {
    return Math.max(0, events + changes - wakeups());
  }
}
