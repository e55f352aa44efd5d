/**
 * Channels of {@link java.nio.channels} as sources: {@link io.github.eventpoll.nio.ChannelSource},
 * and the drivers in which waiters sleep for them.
 */
package io.github.eventpoll.nio;
