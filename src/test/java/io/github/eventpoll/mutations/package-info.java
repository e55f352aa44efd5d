/** Breaks the library on purpose, to see that some test notices. */
@org.jspecify.annotations.NullMarked
package io.github.eventpoll.mutations;
