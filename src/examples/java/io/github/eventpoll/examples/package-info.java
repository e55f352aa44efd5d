/** Programs that use the library; the build compiles and runs them. Public API only. */
@NullMarked
package io.github.eventpoll.examples;

import org.jspecify.annotations.NullMarked;
