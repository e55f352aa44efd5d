/** The server of docs/first-server.md: a listener, a queue and a timer in one wait. */
@NullMarked
package io.github.eventpoll.examples.first;

import org.jspecify.annotations.NullMarked;
