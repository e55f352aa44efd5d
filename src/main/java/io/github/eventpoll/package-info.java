/**
 * The poll and what it needs. {@link io.github.eventpoll.EventPoll} watches sources and is waited
 * on, {@link io.github.eventpoll.EpItem} is one registration, {@link
 * io.github.eventpoll.ReadyEvents} carries what a wait found, {@link io.github.eventpoll.Events}
 * has the bits and modes, {@link io.github.eventpoll.Pollable} and {@link
 * io.github.eventpoll.WaitQueue} are what a source implements and owns. Sources that are made
 * already are in {@link io.github.eventpoll.source} and {@link io.github.eventpoll.nio}.
 * <!-- snippet: src/test/java/io/github/eventpoll/examples/PackagePagesTest.java#root -->
 *
 * <pre>{@code
 * try (EventFd counter = EventFd.create();
 *     EventPoll poll = EventPoll.create()) {
 *   poll.add(counter, Events.IN, "a counter");
 *   counter.write(1); // by any thread
 *
 *   ReadyEvents ready = new ReadyEvents(16);
 *   int n = poll.await(ready); // sleeps until there is something
 *   for (int i = 0; i < n; i++) {
 *     seen.add(ready.attachment(i) + " is ready for " + Events.toString(ready.events(i)));
 *   }
 * }
 * }</pre>
 *
 * <p>Thread-safety: unless a type says otherwise, any thread may call everything at any time. A
 * {@code ReadyEvents} belongs to the thread that waits with it, a builder to the thread that uses
 * it. Calls wait for a lock for a short time only; what sleeps has "await" in its name.
 *
 * <p>Units: times are {@link java.time.Duration}s, or nanoseconds where the name says so; a wait
 * never ends early by {@link System#nanoTime()}.
 *
 * <p>Errors: a refused call changes nothing. {@link io.github.eventpoll.EventPollArgumentException}
 * says that it is wrong in itself, {@link io.github.eventpoll.EventPollStateException} that it
 * comes at the wrong time, and both say why with an {@link io.github.eventpoll.Errno} of
 * epoll_ctl(2). A null where none may be is a {@link NullPointerException}.
 *
 * <p>Memory consistency effects: what a thread did before it rang a source's queue is visible to
 * the thread that gets the event from an {@code await}. What a thread did before {@link
 * io.github.eventpoll.EpItem#modify(int)} is visible to the thread that gets the next event of the
 * item.
 */
package io.github.eventpoll;
