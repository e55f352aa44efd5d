package io.github.eventpoll.testkit;

import org.jspecify.annotations.Nullable;

/** What is wrong with a run. */
record Failure(String what, @Nullable Throwable cause) {}
