/**
 * Sources that come with the library: a counter, timers, queues, pipes, completions, subscriptions,
 * and a level that the user sets.
 */
package io.github.eventpoll.source;
