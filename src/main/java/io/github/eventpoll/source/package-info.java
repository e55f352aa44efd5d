/** Sources that come with the library: a counter, timers, queues. */
package io.github.eventpoll.source;
