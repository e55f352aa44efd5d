/** For tests of code that waits: time that moves only when the test says so. */
package io.github.eventpoll.testkit;
