package io.github.eventpoll;

import java.util.concurrent.ThreadFactory;

/** Virtual threads, for tests that are compiled for a Java without them. */
final class VirtualThreads {
  private VirtualThreads() {}

  /** Whether this Java has them. */
  static boolean exist() {
    return Runtime.version().feature() >= 21;
  }

  /** Makes them, unstarted. */
  static ThreadFactory factory() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      return (ThreadFactory) type.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("no virtual threads in Java " + Runtime.version(), e);
    }
  }
}
