/** The examples of docs/migrating-from-a-selector.md: one server, before and after. */
@NullMarked
package io.github.eventpoll.examples.migrating;

import org.jspecify.annotations.NullMarked;
