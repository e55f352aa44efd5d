/** The examples of docs/guide.md, one for each mode of watching and each way to wait. */
@NullMarked
package io.github.eventpoll.examples.guide;

import org.jspecify.annotations.NullMarked;
