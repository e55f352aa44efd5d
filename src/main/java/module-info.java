/**
 * Event notification in the manner of the Linux kernel's eventpoll: any number of threads wait, in
 * one call, on any number of sources.
 */
@org.jspecify.annotations.NullMarked
module io.github.eventpoll {
  requires static org.jspecify;
  requires org.jctools.core;
  requires org.slf4j;
  requires static jdk.jfr;

  exports io.github.eventpoll;
  exports io.github.eventpoll.nio;
  exports io.github.eventpoll.source;
  exports io.github.eventpoll.testkit;
}
