/** The sources of docs/writing-a-source.md. */
@NullMarked
package io.github.eventpoll.examples.sources;

import org.jspecify.annotations.NullMarked;
