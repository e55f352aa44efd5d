/**
 * The poll and what it needs: {@link io.github.eventpoll.EventPoll} watches sources, {@link
 * io.github.eventpoll.EpItem} is one registration, {@link io.github.eventpoll.ReadyEvents} carries
 * what a wait found, {@link io.github.eventpoll.Pollable} and {@link io.github.eventpoll.WaitQueue}
 * are what a source implements and owns.
 */
package io.github.eventpoll;
