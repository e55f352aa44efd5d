package io.github.eventpoll.bench;

/**
 * What the kernel's own shapes need of polls and counters, so that they run on the library and on
 * the real ones alike. Masks are those of {@link io.github.eventpoll.Events}, which are epoll's.
 */
interface Engine {
  /** The name of the kernel among those of compositions. */
  String KERNEL = "kernel";

  /** By {@link #KERNEL} or the text of a {@link Strategy}. */
  static Engine of(String name) {
    return name.equals(KERNEL) ? new KernelEngine() : new LibraryEngine(Strategy.of(name));
  }

  Poll poll();

  Counter counter();

  /** Ends whatever was made here. */
  void close();

  /** An epoll. */
  interface Poll {
    /**
     * Adds a counter.
     *
     * @return false if it is there already
     */
    boolean add(Counter counter, int mask);

    void modify(Counter counter, int mask);

    void remove(Counter counter);

    /** Adds a poll to this one. */
    void watch(Poll inner, int mask);

    /** What one thread waits with. */
    Waiter waiter(int maxEvents);
  }

  /** The place of one thread. */
  interface Waiter {
    /** Waits for ever, or not at all; returns the number of events. */
    int await(boolean block);

    Counter counter(int index);
  }

  /** An eventfd. A counter belongs to at most one poll. */
  interface Counter {
    /** Adds one; never blocks. */
    void write();

    /** Takes what was added, 0 if nothing; never blocks. */
    long read();
  }
}
