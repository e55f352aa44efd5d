/**
 * Benchmarks: the bars that the library is measured by, one class each, and JMH benchmarks of
 * single operations. Ratios are taken inside one run, between loops that alternate.
 */
package io.github.eventpoll.bench;
