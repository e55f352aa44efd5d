/**
 * For tests of code that waits: time that moves only when the test says so, and channels whose
 * selector is a script.
 */
package io.github.eventpoll.testkit;
