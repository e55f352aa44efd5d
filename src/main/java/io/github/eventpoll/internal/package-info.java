/**
 * The seams between the engine, the sources, the channels and the test kit; not exported, and no
 * part of the public interface. This package knows none of its users.
 *
 * <ul>
 *   <li>{@link io.github.eventpoll.internal.Clock} and {@link io.github.eventpoll.internal.Sleeper}
 *       stand for time and for sleeping, {@link io.github.eventpoll.internal.Probe} for somebody
 *       who watches.
 *   <li>{@link io.github.eventpoll.internal.Demand} is what a source needs of those who wait for
 *       it: that its time is kept, or that its channel is watched ({@link
 *       io.github.eventpoll.internal.Driven}) by a {@link io.github.eventpoll.internal.Driver}.
 *   <li>{@link io.github.eventpoll.internal.Bridge} and {@link
 *       io.github.eventpoll.internal.SourceDoor} are doors by which one package reaches what is
 *       package-private in another one.
 * </ul>
 *
 * <p>Instants are nanoseconds since their clock began ({@code Clock.now}), so that they can be
 * compared with {@code <}. Memory effects are claims of docs/memory-ordering.md, cited where they
 * are relied on.
 */
package io.github.eventpoll.internal;
