package io.github.eventpoll.bench;

import java.util.function.Consumer;

/** A way to hand messages to one consumer, which sleeps while there are none. */
interface Handover extends AutoCloseable {
  /** Hands on a message; any thread of as many as were announced. */
  void send(Object message);

  /** Waits until there is a message and takes what there is; always the same thread. */
  int take(Consumer<Object> to);

  @Override
  default void close() {}
}
