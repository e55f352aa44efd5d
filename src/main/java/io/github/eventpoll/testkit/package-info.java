/**
 * For tests of code that waits, without a network and without waiting: {@link
 * io.github.eventpoll.testkit.VirtualTime} moves only when the test says so, {@link
 * io.github.eventpoll.testkit.ScriptedSource} is ready and rings when the test says so, {@link
 * io.github.eventpoll.testkit.ScriptedDriver} and {@link
 * io.github.eventpoll.testkit.ScriptedChannel} stand for a selector and its channels, and {@link
 * io.github.eventpoll.testkit.WakeLog} shows who was woken by what, and finds lost wake-ups. {@link
 * io.github.eventpoll.testkit.SourceContract} checks a source of one's own. {@link
 * io.github.eventpoll.testkit.Interleavings} runs a few threads in every order of their steps.
 * <!-- snippet: src/test/java/io/github/eventpoll/examples/PackagePagesTest.java#testkit -->
 *
 * <pre>{@code
 * VirtualTime time = VirtualTime.create();
 * try (Timer timer = time.timer();
 *     EventPoll poll = time.poll()) {
 *   poll.add(timer, Events.IN);
 *   timer.set(Duration.ofHours(1));
 *
 *   ReadyEvents ready = new ReadyEvents(1);
 *   time.advance(Duration.ofMinutes(59));
 *   assertThat(poll.awaitNow(ready)).isEqualTo(0);
 *   time.advance(Duration.ofMinutes(1));
 *   assertThat(poll.awaitNow(ready)).isEqualTo(1);
 * }
 * }</pre>
 *
 * <p>Polls, timers and waits are the real ones; what is replaced is time, and whatever would ring.
 * Any thread may call everything.
 *
 * <p>Memory consistency effects: {@code VirtualTime.advance} and the setters of the scripted
 * sources are volatile writes; what a test did before them is visible to the threads that they
 * wake.
 */
package io.github.eventpoll.testkit;
