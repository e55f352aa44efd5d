package io.github.eventpoll.testkit;

import org.jspecify.annotations.Nullable;

/**
 * One step that was made: a thread has run from one point to the next.
 *
 * @param thread the thread's index
 * @param from where it was
 * @param to where it is now
 * @param footprint what it may have touched
 * @param after how many steps were made before time last moved by itself
 * @param text what there is to say about the new point, if the run narrates
 */
record Event(
    int thread, Label from, Label to, Footprint footprint, int after, @Nullable String text) {}
