/**
 * Channels of {@link java.nio.channels} as sources: {@link io.github.eventpoll.nio.ChannelSource}.
 * No thread stands between a channel and the threads that wait on polls: one of these sleeps in a
 * selector, and takes what comes itself. {@link io.github.eventpoll.nio.ChannelDriver} lets several
 * polls share a selector.
 * <!-- snippet: src/test/java/io/github/eventpoll/examples/PackagePagesTest.java#nio -->
 *
 * <pre>{@code
 * Pipe pipe = Pipe.open();
 * pipe.source().configureBlocking(false);
 * try (Pipe.SinkChannel out = pipe.sink();
 *     ChannelSource in = ChannelSource.of(pipe.source());
 *     EventPoll poll = EventPoll.create()) {
 *   poll.add(in, Events.IN);
 *   out.write(ByteBuffer.wrap(new byte[] {1, 2, 3})); // by any thread or process
 *
 *   poll.await(new ReadyEvents(1)); // sleeps in a selector
 *   in.read(bytes); // through the source, which learns of ends and errors this way
 * }
 * }</pre>
 *
 * <p>Any thread may call everything; input and output have the thread-safety of the channel. They
 * are done through the source, which learns from them where an edge ends, and that the peer has
 * gone.
 *
 * <p>Memory consistency effects: a channel carries bytes and promises nothing about other memory,
 * not even between two threads of one process. What a worker did before {@link
 * io.github.eventpoll.EpItem#modify(int)} is visible to the worker that gets the channel's next
 * event.
 */
package io.github.eventpoll.nio;
