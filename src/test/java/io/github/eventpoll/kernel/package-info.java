/**
 * The comparison with the kernel: one hand-written program runs on this library and on the real
 * epoll, eventfd and timerfd of the machine, and both must say the same, line by line.
 */
package io.github.eventpoll.kernel;
