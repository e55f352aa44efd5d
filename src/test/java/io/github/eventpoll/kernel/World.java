package io.github.eventpoll.kernel;

import java.util.List;

/**
 * What a program can do, in the kernel or in the library. Things are known by numbers that a world
 * gives out and never uses twice. An operation that is refused throws {@link Refused}.
 */
interface World extends AutoCloseable {
  /** One delivered event: the bits and the number given to add or modify. */
  record Event(int bits, long data) {}

  /** One registration: the mask in force and the number given to add or modify. */
  record Interest(int mask, long data) {}

  int poll();

  int counter(int initial, boolean semaphore);

  int timer();

  /** A pipe with room for two pages; its end to read from, and its end to write to. */
  int[] pipe();

  /** Something that exists but cannot be watched. */
  int unwatchable();

  /** Another name of the same source, registered independently. */
  int alias(int source);

  void add(int poll, int source, int mask, long data);

  void modify(int poll, int source, int mask, long data);

  void remove(int poll, int source);

  /** What is registered, in no particular order. */
  List<Interest> interests(int poll);

  void write(int counter, long value);

  /** Never blocks: EAGAIN if there is nothing. */
  long read(int counterOrTimer);

  /** Writes some bytes to a pipe and never blocks; how many were written. */
  int put(int writeEnd, int bytes);

  /** Reads at most so many bytes from a pipe and never blocks; 0 at its end. */
  int take(int readEnd, int bytes);

  /**
   * Sets a timer; a first expiry of 0 disarms it. Absolute times are given from now, and may be
   * past.
   */
  void setTimer(int timer, boolean absolute, long firstNanos, long intervalNanos);

  /**
   * What a timer is set to: nanoseconds to the next expiry, 0 if disarmed, and between expiries.
   */
  record Setting(long left, long interval) {}

  Setting timer(int timer);

  /** Waits at most this long; a negative time is passed on as it is. */
  List<Event> await(int poll, int most, int timeoutMillis);

  /** Waits on one source without a poll, as poll(2). */
  int ask(int source, int mask, int timeoutMillis);

  void close(int thing);

  /** Whether a thread is asleep in its call, and nobody has woken it. */
  boolean isAsleep(WaiterThread waiter);

  @Override
  void close();
}
