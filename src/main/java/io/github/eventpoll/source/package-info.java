/**
 * Sources that come with the library: a counter ({@link io.github.eventpoll.source.EventFd}),
 * timers ({@link io.github.eventpoll.source.Timer}), queues ({@link
 * io.github.eventpoll.source.QueueSource}, {@link io.github.eventpoll.source.BlockingQueueSource}),
 * completions ({@link io.github.eventpoll.source.CompletionSource}), publishers ({@link
 * io.github.eventpoll.source.FlowSource}), pipes ({@link io.github.eventpoll.source.BytePipe}) and
 * a level to set by hand ({@link io.github.eventpoll.source.UserSource}).
 * <!-- snippet: src/test/java/io/github/eventpoll/examples/PackagePagesTest.java#source -->
 *
 * <pre>{@code
 * QueueSource<String> answers = QueueSource.unbounded();
 * try (Timer deadline = Timer.create();
 *     EventPoll poll = EventPoll.create()) {
 *   poll.add(answers, Events.IN);
 *   poll.add(deadline, Events.IN);
 *   deadline.set(Duration.ofSeconds(30));
 *   answers.offer("yes"); // by any thread
 *
 *   ReadyEvents ready = new ReadyEvents(1);
 *   poll.await(ready);
 *   answer = ready.source(0) == answers ? answers.poll() : "too late";
 * }
 * }</pre>
 *
 * <p>Each says what it is ready for, and what an edge is. Any thread may call everything, unless a
 * {@link io.github.eventpoll.source.QueueKind} with one producer or one consumer was asked for.
 * Names that begin with "try", {@code offer} and {@code poll} never block.
 *
 * <p>Memory consistency effects: what a thread did before it wrote, offered, set or completed is
 * visible to the thread that reads or takes it, and to the one that gets the event from an {@code
 * await}.
 */
package io.github.eventpoll.source;
